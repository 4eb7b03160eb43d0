/** The verdict on a property of a network: proved, refuted by an input, or open. */
import { wrong, type Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import { createAnalysis } from './analysis.ts';
import type { Method } from './bounds.ts';
import { branch, type Branched } from './branch.ts';
import { createJudge, type Counterexample } from './counterexample.ts';
import type { Network } from './network.ts';
import { withoutEmptyCases } from './possible-cases.ts';
import type { Property } from './property.ts';
import { regionsOf, type Region } from './region.ts';
import type { Arithmetic } from './rounding.ts';
import { search } from './search.ts';

export interface CertifyOptions {
  /** How a box is bounded; `hybrid` by default, the only method that reuses the bounds of larger boxes. */
  readonly method?: Method;
  /** What a proof holds for; by default, the format of the weights. */
  readonly arithmetic?: Arithmetic;
  /** The largest number of boxes to analyse; 1 disables branching. 1,000,000 by default. */
  readonly maxBoxes?: number;
  /** Time limit, after which the verdict stays open. Without it and `now`, the verdict depends only on the arguments. */
  readonly maxMilliseconds?: number;
  /** A clock in milliseconds. */
  readonly now?: () => number;
  /** Seeds the search for counterexamples; 0 by default. */
  readonly seed?: number;
}

/** A verdict and its scope. */
export interface Verdict {
  /** `holds`: no input of the boxes is unsafe. `violated`: the counterexample is. `undecided`: neither was shown. */
  readonly verdict: 'holds' | 'violated' | 'undecided';
  readonly counterexample: Counterexample | null;
  readonly method: Method;
  /** What a proof holds for: see {@link Arithmetic}. */
  readonly arithmetic: Arithmetic;
  /** Number of boxes analysed. */
  readonly boxes: number;
  /** Undecided boxes, and the largest share of a region's volume that they fill. */
  readonly open: number;
  readonly openShare: number;
  /** Why the verdict is open; null otherwise. */
  readonly reason: OpenReason | null;
  readonly milliseconds: number | null;
  /** Inputs with a range that no number of the arithmetic is in, which was widened to the next ones. */
  readonly widened: number;
}

/**
 * A budget ran out (`boxes`, `time`); boxes are too small to halve (`resolution`); an input is unsafe, but it is next to the box, which
 * has no number of the arithmetic (`outside`); an input is unsafe in float64 as pv runs the network, but the network is too large to
 * evaluate it over the reals, or operators that pv merged round too much there (`unconfirmed`); bounds exclude every case, but whether any case can be satisfied is unknown (`vacuity`).
 */
type OpenReason = 'boxes' | 'time' | 'resolution' | 'outside' | 'unconfirmed' | 'vacuity';

/**
 * Decides whether a property holds for every input of its boxes.
 *
 * A proof covers every order of summation in the chosen arithmetic, fused multiply-adds included, for inputs that are numbers of
 * this arithmetic. It does not cover Fourier or Winograd convolutions. A counterexample is an input in that arithmetic, inside the exact box,
 * and unsafe in float64 and in that arithmetic. Problems: PV-8313 if
 * the property and the network differ in their numbers of inputs or outputs, PV-8310 to PV-8312 for malformed, unbounded or empty cases,
 * PV-8315 for a float32 proof of a network with float64
 * weights.
 */
export function certify(network: Network, property: Property, options: CertifyOptions = {}): Result<Verdict, Problem> {
  const steps = certifyStepwise(network, property, options);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** {@link certify}, box by box, for callers that do something else in between, such as checking for Ctrl-C. */
export function* certifyStepwise(
  network: Network,
  property: Property,
  options: CertifyOptions = {},
): Generator<void, Result<Verdict, Problem>> {
  const misfit = fitProblem(network, property) ?? caseProblem(property);
  if (misfit !== null) return misfit;
  const examined = property.unexaminedCases === undefined ? withoutEmptyCases(property) : ok(property);
  if (!examined.ok) return examined;
  const { method = 'hybrid', arithmetic = network.weights, maxBoxes = 1_000_000, now } = options;
  if (arithmetic === 'float32' && network.weights === 'float64')
    return wrong(
      'PV-8315',
      'arithmetic',
      'The weights are float64: a float32 engine rounds them and computes a different network.',
      {
        expected: 'float64 or real, or a model with float32 weights',
      },
    );
  const start = now?.() ?? 0;
  const isInTime = (): boolean => now === undefined || now() - start < (options.maxMilliseconds ?? Infinity);
  const analysis = createAnalysis(network, arithmetic, isInTime);
  const judge = createJudge(network, arithmetic);
  const decide = function* (region: Region, left: number): Generator<void, Branched> {
    // If one box suffices for a proof, no search is needed.
    const whole = yield* branch(analysis, region, method, judge, (n) => n === 0);
    if (whole.open === 0) return whole;
    const counterexample = search(analysis, region, judge, options.seed ?? 0, isInTime);
    if (counterexample !== null) return { ...whole, counterexample };
    const rest = yield* branch(analysis, region, method, judge, (n) => n < left && isInTime());
    return rest.boxes === 0 ? whole : rest;
  };
  const regions = regionsOf(examined.value, arithmetic);
  const tally = yield* decideAll(regions, maxBoxes, isInTime, decide);
  const isVacuous = examined.value.unexaminedCases === examined.value.cases.length;
  const budget = !isInTime() ? 'time' : tally.boxes >= maxBoxes ? 'boxes' : 'resolution';
  return ok({
    ...judged(tally, isVacuous, judge.hasUnconfirmed() ? 'unconfirmed' : budget),
    method,
    arithmetic,
    boxes: tally.boxes,
    widened: new Set(regions.flatMap((region) => region.widened)).size,
    milliseconds: now ? now() - start : null,
  });
}

type Judged = Pick<Verdict, 'verdict' | 'counterexample' | 'open' | 'openShare' | 'reason'>;

/** The verdict; `otherwise` is the reason for open boxes that are not next to an unsafe input. */
function judged(
  { counterexample, open, openShare, isOutside }: Tally,
  isVacuous: boolean,
  otherwise: OpenReason,
): Judged {
  if (counterexample !== null) return { verdict: 'violated', counterexample, open: 0, openShare: 0, reason: null };
  if (open > 0)
    return { verdict: 'undecided', counterexample, open, openShare, reason: isOutside ? 'outside' : otherwise };
  return {
    verdict: isVacuous ? 'undecided' : 'holds',
    counterexample,
    open,
    openShare,
    reason: isVacuous ? 'vacuity' : null,
  };
}

/** The outcome for several regions; `isOutside` if an input next to one of them is unsafe. */
interface Tally extends Branched {
  readonly isOutside: boolean;
}

/** The outcome for all regions up to one with a counterexample. */
function* decideAll(
  regions: readonly Region[],
  maxBoxes: number,
  isInTime: () => boolean,
  decide: (region: Region, left: number) => Generator<void, Branched>,
): Generator<void, Tally> {
  let [boxes, open, openShare, isOutside] = [0, 0, 0, false];
  for (const region of regions) {
    const decided = boxes === 0 || isInTime() ? yield* decide(region, maxBoxes - boxes) : untouched;
    boxes += decided.boxes;
    const { counterexample } = decided;
    if (counterexample !== null && region.widened.length === 0)
      return { counterexample, boxes, open, openShare, isOutside };
    isOutside ||= counterexample !== null;
    const left = counterexample === null ? decided : untouched;
    open += left.open;
    openShare = Math.max(openShare, left.openShare);
  }
  return { counterexample: null, boxes, open, openShare, isOutside };
}

/** A region about which nothing is known. */
const untouched: Branched = { counterexample: null, boxes: 0, open: 1, openShare: 1 };

/** What is wrong with a property that was made in code; files are checked as they are read. */
function caseProblem({ cases, inputSize, outputSize }: Property): Result<never, Problem> | null {
  for (const { box, ranges, constraints } of cases) {
    const sizes = [box.lo.length, box.hi.length, ranges?.length ?? inputSize];
    const isLong = constraints.some(
      ({ inputs, outputs }) => (inputs?.length ?? 0) > inputSize || (outputs?.length ?? 0) > outputSize,
    );
    if (isLong || sizes.some((size) => size !== inputSize))
      return wrong(
        'PV-8313',
        'sizes',
        'A case has a box or a constraint that does not fit the sizes of its property.',
        {
          expected: `boxes of ${inputSize} inputs, and at most ${outputSize} coefficients of outputs`,
        },
      );
    for (let i = 0; i < inputSize; i++) {
      const [lo, hi] = [box.lo[i] ?? NaN, box.hi[i] ?? NaN];
      if (!Number.isFinite(lo) || !Number.isFinite(hi))
        return wrong('PV-8311', 'box', `Input ${i} is bounded by ${lo} and ${hi}; both bounds must be finite numbers.`);
    }
    const numbers = constraints.flatMap(({ inputs, outputs, bound }) => [bound, ...(inputs ?? []), ...(outputs ?? [])]);
    if (!numbers.every(Number.isFinite))
      return wrong('PV-8310', 'constraint', 'A number of a constraint is NaN or infinite.');
  }
  return null;
}

function fitProblem(network: Network, property: Property): Result<never, Problem> | null {
  if (property.inputSize === network.inputSize && property.outputSize <= network.outputSize) return null;
  return wrong(
    'PV-8313',
    'sizes',
    'The property does not match this network: the numbers of inputs or outputs differ.',
    {
      expected: `${network.inputSize} inputs and ${network.outputSize} outputs, as the network has`,
      actual: `${property.inputSize} inputs and ${property.outputSize} outputs`,
    },
  );
}
