/** The verdict on a property of a network: proved, refuted by an input, or open. */
import { nextDown32, nextUp32 } from '../../numeric/float.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import { createAnalysis } from './analysis.ts';
import type { Method } from './bounds.ts';
import { branch, type Branched } from './branch.ts';
import { createJudge, type Counterexample } from './counterexample.ts';
import type { Network } from './network.ts';
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
  /** Why the verdict is open: a budget ran out, or boxes are too small to halve. Null otherwise. */
  readonly reason: 'boxes' | 'time' | 'resolution' | null;
  readonly milliseconds: number | null;
  /** Inputs with a range that no float32 number is in, which was widened to the next ones. */
  readonly widened: number;
}

/**
 * Decides whether a property holds for every input of its boxes.
 *
 * A proof covers every order of summation in the chosen arithmetic, fused multiply-adds included, for inputs that are numbers of
 * this arithmetic. It does not cover Fourier or Winograd convolutions. Counterexamples are evaluated in float64. Problems: PV-8313 if
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
  const judge = createJudge(network);
  const decide = function* (region: Region, left: number): Generator<void, Branched> {
    // If one box suffices for a proof, no search is needed.
    const whole = yield* branch(analysis, region, method, judge, (n) => n === 0);
    if (whole.open === 0) return whole;
    const counterexample = search(analysis, region, judge, options.seed ?? 0, isInTime);
    if (counterexample !== null) return { ...whole, counterexample };
    const rest = yield* branch(analysis, region, method, judge, (n) => n < left && isInTime());
    return rest.boxes === 0 ? whole : rest;
  };
  let [boxes, open, openShare] = [0, 0, 0];
  let counterexample: Counterexample | null = null;
  const { cases, inputs } = arithmetic === 'float32' ? widened(property) : { cases: property.cases, inputs: 0 };
  for (const region of regionsOf({ ...property, cases })) {
    const decided = yield* decide(region, maxBoxes - boxes);
    boxes += decided.boxes;
    counterexample = decided.counterexample;
    if (counterexample !== null) break;
    open += decided.open;
    openShare = Math.max(openShare, decided.openShare);
  }
  const found = {
    counterexample,
    method,
    arithmetic,
    boxes,
    widened: inputs,
    milliseconds: now ? now() - start : null,
  };
  if (counterexample !== null) return ok({ ...found, verdict: 'violated', open: 0, openShare: 0, reason: null });
  if (open === 0) return ok({ ...found, verdict: 'holds', open, openShare, reason: null });
  const reason = !isInTime() ? 'time' : boxes >= maxBoxes ? 'boxes' : 'resolution';
  return ok({ ...found, verdict: 'undecided', open, openShare, reason });
}

/** Ranges without a float32 number, widened to the next ones below and above: nothing could violate them, but engines round inputs. */
function widened({ cases, inputSize }: Property): { readonly cases: Property['cases']; readonly inputs: number } {
  const found = new Set<number>();
  const wide = cases.map((one) => {
    const [lo, hi] = [Float64Array.from(one.box.lo), Float64Array.from(one.box.hi)];
    for (let i = 0; i < inputSize; i++) {
      const [least, most] = [lo[i] ?? 0, hi[i] ?? 0];
      const nearest = Math.fround(least);
      const above = nearest < least ? nextUp32(nearest) : nearest;
      if (above <= most) continue;
      found.add(i);
      lo[i] = nextDown32(above);
      hi[i] = above;
    }
    return { ...one, box: { lo, hi } };
  });
  return { cases: wide, inputs: found.size };
}

/** What is wrong with a property that was made in code; files are checked as they are read. */
function caseProblem({ cases, inputSize }: Property): Result<never, Problem> | null {
  if (cases.length === 0) return wrong('PV-8312', 'property', 'The property has no case, so nothing could violate it.');
  for (const { box, constraints } of cases) {
    for (let i = 0; i < inputSize; i++) {
      const [lo, hi] = [box.lo[i] ?? NaN, box.hi[i] ?? NaN];
      if (!Number.isFinite(lo) || !Number.isFinite(hi))
        return wrong('PV-8311', 'box', `Input ${i} is bounded by ${lo} and ${hi}; both bounds must be finite numbers.`);
      if (lo > hi)
        return wrong('PV-8312', 'box', `Input ${i} is at least ${lo} and at most ${hi}: no input satisfies it.`);
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
