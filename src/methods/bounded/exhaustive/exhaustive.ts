/**
 * Exhaustive proof (L4): a claim about a kernel's code, checked by running every input of a finite domain.
 *
 * Green means: the real kernel, with one rounding to float32 after each operation, was run on each input that the preconditions
 * allow, and the claim held for its output; and the same run refused a wrong kernel. Nothing is assumed.
 */
import type { OpenKernel } from '../../../backends/backend.ts';
import { invariant } from '../../../base/invariant.ts';
import { count } from '../../../base/text.ts';
import type { Counterexample, ProofRecord, RecordedInput, WorstCase } from '../../../evidence/receipt.ts';
import type { Scan } from '../../../evidence/scan.ts';
import type { Verdict } from '../../../evidence/verdict.ts';
import type { Case, CaseValue } from '../../../math/compile/compiled.ts';
import { parseInput, recordInput } from '../../../runtime/case-text.ts';
import { openExecutor, type CaseExecutor } from '../../runs/execute.ts';
import { counterexampleFrom } from '../../runs/outcome.ts';
import { sampleWithin, type SampledGoal } from '../sample.ts';
import { scan, worstInput, type ScanRequest } from './scan.ts';
import { caseAt, mayExclude, type Space } from './space.ts';

/** A kernel with one mistake, run on the same space as the correct one. */
export interface WrongKernel {
  readonly id: string;
  /** The goal's kernels with this one in its place; null if it does not open. */
  readonly open: () => Promise<ReadonlyMap<string, OpenKernel> | null>;
}

/** A claim whose inputs are few enough to run them all. */
export interface ExhaustiveRequest extends SampledGoal {
  /** Of the receipt's {@link ProofRecord}. */
  readonly harness: { readonly id: string; readonly strategy: string; readonly bound: number };
  readonly space: Space;
  /** Of the receipt's {@link ProofRecord}. */
  readonly inPart: ProofRecord['inPart'];
  readonly wrong: readonly WrongKernel[];
}

/** The verdict after all inputs, or after those of the request's part. */
export interface ExhaustiveOutcome {
  readonly verdict: Verdict;
  readonly reason: string | null;
  readonly proof: ProofRecord;
  readonly counterexample: Counterexample | null;
  readonly worst: WorstCase | null;
  readonly cases: number;
  readonly filtered: number;
  readonly premiseHits: number;
}

/** How many runs the search for a simpler counterexample may take. */
const SHRINK_RUNS = 500;
/** Spaces with at most this many inputs are run completely for wrong kernels too. */
const SMALL = 2 ** 17;
/** In larger spaces: the number of places at which a wrong kernel is tried, and of inputs at each. */
const PLACES = 512;
const INPUTS = 64;

/** Runs positions `from` up to `to`. */
export function scanInputs(request: ExhaustiveRequest, from: number, to: number): Promise<Scan> {
  return scan(scanRequest(request), from, to);
}

function scanRequest({ goal, compiled, kernels, toCall, space, expired }: ExhaustiveRequest): ScanRequest {
  const executor = executorOf({ goal, compiled, kernels, toCall });
  return { space, executor, precondition: compiled.precondition, mayExclude: mayExclude(goal), expired };
}

function executorOf(request: Parameters<typeof openExecutor>[0]): CaseExecutor {
  const executor = openExecutor(request);
  invariant(!('missing' in executor), 'every kernel of the goal is open');
  return executor;
}

/** What the combined scans of a space say about the claim. */
export async function concludeExhaustive(request: ExhaustiveRequest, found: Scan): Promise<ExhaustiveOutcome> {
  const { space } = request;
  const worst = await worstOf(request, found);
  const done = (verdict: Verdict, reason: string | null, more: Partial<Ended> = {}): ExhaustiveOutcome => ({
    verdict,
    reason,
    counterexample: more.counterexample ?? null,
    proof: recordOf(request, found, { verdict, reason, refuted: more.refuted ?? null, witness: more.witness ?? null }),
    worst,
    cases: found.cases,
    filtered: found.filtered,
    premiseHits: found.premiseHits,
  });
  if (found.trouble !== null) return done('undetermined', found.trouble);
  if (found.failing !== null) {
    const counterexample = await describe(request, found.failing);
    return done('falsified', counterexample.explanation, { counterexample });
  }
  if (found.reached < space.count)
    return done('incomplete', `the time ended after ${found.reached} of ${count(space.count, 'input')}`);
  if (found.cases === 0) return done('vacuous', 'no input within the bound satisfies the preconditions');
  if (found.premiseHits === 0) return done('vacuous', 'its premise holds for no input');
  const witness = await firstInput(request);
  const refuted = await refuseWrongKernel(request);
  if (refuted) return done('proved', null, { refuted, witness });
  const reason = `none of ${count(request.wrong.length, 'wrong kernel')} breaks the claim on the inputs that were tried`;
  return done('vacuous', reason, { witness });
}

/** The first input that the preconditions allow. */
async function firstInput(request: ExhaustiveRequest): Promise<RecordedInput | null> {
  const { space, goal } = request;
  for (let at = 0; at < space.count; at++) {
    const { cases } = await scanInputs({ ...request, expired: () => false }, at, at + 1);
    const candidate = cases > 0 ? caseAt(space, at) : null;
    if (candidate) return recordInput(goal.domain, candidate);
  }
  return null;
}

interface Ended {
  readonly counterexample: Counterexample;
  readonly witness: RecordedInput | null;
  readonly refuted: ProofRecord['refuted'];
}

function recordOf(
  { harness, space, inPart }: ExhaustiveRequest,
  { cases, filtered, failing }: Scan,
  {
    verdict,
    reason,
    refuted,
    witness,
  }: Pick<ProofRecord, 'refuted' | 'witness'> & Pick<ExhaustiveOutcome, 'verdict' | 'reason'>,
): ProofRecord {
  const held = failing === null ? cases : cases - 1;
  return {
    harness: harness.id,
    strategy: harness.strategy,
    about: 'float32 code',
    bound: harness.bound,
    scope: space.scope,
    inPart,
    instances: space.stages.length,
    // Inputs that the preconditions exclude are not part of the claim.
    statements: space.count - filtered,
    proved: held,
    conditions: 0,
    safe: 0,
    engines: [{ engine: 'exhaustive', version: '1', proved: held }],
    axioms: [],
    witness,
    refuted,
    open: verdict === 'proved' || reason === null ? [] : [reason],
  };
}

async function worstOf(request: ExhaustiveRequest, found: Scan): Promise<WorstCase | null> {
  const worst = found.worst && (await worstInput(scanRequest(request), found.worst));
  const input = worst && caseAt(request.space, worst.at);
  if (!worst || !input) return null;
  const { error, allowed, ratio } = worst;
  return { error, allowed, ratio, input: recordInput(request.goal.domain, input) };
}

async function describe(request: ExhaustiveRequest, at: number): Promise<Counterexample> {
  const { space, expired } = request;
  const broken = caseAt(space, at);
  invariant(broken, 'a position that was run is in the space');
  const { executor } = scanRequest(request);
  return counterexampleFrom({ request, executor, plan: space.plan, broken, budget: SHRINK_RUNS, expired });
}

/** The first wrong kernel that some input of the space distinguishes from the correct one. */
async function refuseWrongKernel(request: ExhaustiveRequest): Promise<ProofRecord['refuted']> {
  const { goal } = request;
  const spread = placesIn(request.space);
  for (const find of [spreadOver(spread), generated]) {
    for (const { id, open } of request.wrong) {
      const kernels = await open();
      const own = kernels && { ...request, kernels, expired: () => false };
      const input = own && (await find(own));
      if (input) return { mutant: id, input: recordInput(goal.domain, input) };
    }
  }
  return null;
}

type FindBroken = (request: ExhaustiveRequest) => Promise<Case | null>;

interface Place {
  readonly from: number;
  readonly to: number;
}

function spreadOver(places: readonly Place[]): FindBroken {
  return async (request) => {
    for (const { from, to } of places) {
      const { failing } = await scanInputs(request, from, to);
      const input = failing === null ? null : caseAt(request.space, failing);
      if (input && (await breaksOrdinarily(request, input))) return input;
    }
    return null;
  };
}

/** The edges of the domain, where a premise that rarely holds may hold: all of them are inputs of the space. */
const generated: FindBroken = async (request) => {
  const { outcome } = await sampleWithin(request, request.harness.bound);
  const input = outcome.counterexample && parseInput(request.goal.domain, outcome.counterexample.input);
  return input?.ok && (await breaksOrdinarily(request, input.value)) ? input.value : null;
};

/** Whether the kernel's output is finite and breaks the claim: NaN and a kernel that throws break even `y - y = 0`. */
async function breaksOrdinarily(request: ExhaustiveRequest, input: Case): Promise<boolean> {
  const executor = executorOf(request);
  let broken = false;
  await executor.run(
    1,
    () => input,
    (status) => {
      broken = status === 'broken';
      return false;
    },
  );
  const { problem, outputs } = executor.outcome;
  return broken && problem === null && outputs.every(isFinite);
}

function isFinite(value: CaseValue): boolean {
  if (typeof value === 'string') return true;
  return typeof value === 'number' ? Number.isFinite(value) : value.every((x) => Number.isFinite(x));
}

/** All of a small space; otherwise evenly spread ranges, ordered so that a few of them cover the whole space. */
function placesIn({ count: all }: Space): readonly Place[] {
  if (all <= SMALL) return [{ from: 0, to: all }];
  const step = Math.floor(all / PLACES);
  // The stride is odd, so that it visits each of 2⁹ places once.
  return Array.from({ length: PLACES }, (_, i) => {
    const from = ((i * 197) % PLACES) * step;
    return { from, to: from + INPUTS };
  });
}
