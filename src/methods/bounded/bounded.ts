/**
 * Bounded proof (L4): a claim about a kernel's code for every input up to a bound, decided by engines that read the code.
 *
 * Green means: at every choice of sizes within the bound, every statement of the claim and every safety condition of the
 * code was proved; an input inside the preconditions exists; and the same proof was seen to refuse a wrong kernel that a
 * concrete input tells from the right one. What an engine refutes counts only once it was seen on the real kernel.
 */
import type { Result } from '../../base/result.ts';
import { count } from '../../base/text.ts';
import type { AssumedRecord, Counterexample, ProofRecord, RecordedInput } from '../../evidence/receipt.ts';
import type { Verdict } from '../../evidence/verdict.ts';
import type { Budget, Engine, Model } from '../../proof/engines/engine.ts';
import type { DefinedCondition, ProofInstance, SafetyCondition } from '../../proof/problem.ts';
import { axiomsOf, prove, type StatementOutcome } from '../../proof/prove.ts';
import type { ExecutionRequest } from '../execute.ts';
import type { PropertyOutcome } from '../outcome.ts';
import { closeBy, replayModel } from './replay.ts';
import { doubtAboutAssumed } from './assumptions.ts';
import { sampleWithin, type SampledGoal } from './sample.ts';

/** A kernel or an equation with one mistake, as a text to read and as something to run. */
export interface WrongProgram {
  readonly id: string;
  /** The claim on it at the given sizes. */
  readonly instanceAt: (sizes: Sizes) => Result<ProofInstance, string>;
  /** What runs of the goal with this one in its place take; null when it does not open. */
  readonly open: () => Promise<Runnable | null>;
}

export type Runnable = Pick<ExecutionRequest, 'kernels' | 'executor'>;

/** In the order of the domain's. */
type Sizes = readonly number[];

export interface BoundedRequest extends SampledGoal {
  readonly harness: { readonly id: string; readonly strategy: string; readonly bound: number };
  readonly about: ProofRecord['about'];
  /** The choices of sizes within the bound, and how a person says them. */
  readonly sizes: { readonly sizes: readonly Sizes[]; readonly scope: string };
  readonly instanceAt: (sizes: Sizes) => Result<ProofInstance, string>;
  readonly wrong: readonly WrongProgram[];
  /** Proofs that stand in for kernels; empty where all code is executed. */
  readonly assumed: readonly AssumedRecord[];
  readonly engines: readonly Engine[];
  readonly budget: Budget;
  readonly expired: () => boolean;
  /** What is left of the time of the whole proof. */
  readonly remainingMs: () => number;
}

export interface BoundedOutcome {
  readonly verdict: Verdict;
  readonly reason: string | null;
  readonly proof: ProofRecord;
  readonly counterexample: Counterexample | null;
}

/** Open statements that are told; the rest is counted. */
const TOLD = 5;

interface Tally {
  instances: number;
  statements: number;
  proved: number;
  conditions: number;
  safe: number;
  readonly byEngine: Map<string, number>;
  readonly axioms: Set<string>;
  /** Goals of sub-contracts that some statement may use. */
  readonly assumed: Set<string>;
  readonly open: string[];
}

/** Proves or refutes. Never rejects because of the contract or the kernel. */
export async function runBounded(request: BoundedRequest): Promise<BoundedOutcome> {
  const tally: Tally = {
    instances: 0,
    statements: 0,
    proved: 0,
    conditions: 0,
    safe: 0,
    byEngine: new Map(),
    axioms: new Set(),
    assumed: new Set(),
    open: [],
  };
  const sampled = await sampleWithin(request, request.harness.bound, isAmong(request.sizes.sizes));
  const done = (verdict: Verdict, reason: string | null, more: Partial<Ended> = {}): BoundedOutcome => ({
    verdict,
    reason,
    counterexample: more.counterexample ?? null,
    proof: recordOf(request, tally, sampled.witness, more.refuted ?? null),
  });
  if (sampled.outcome.counterexample)
    return done('falsified', sampled.outcome.reason, { counterexample: sampled.outcome.counterexample });
  if (sampled.outcome.verdict === 'undetermined') return done('undetermined', sampled.outcome.reason);
  if (sampled.witness === null) return done('vacuous', 'no input within the bound satisfies the preconditions');
  const doubt = request.assumed.length === 0 ? null : doubtAboutAssumed(request, sampled.seen);
  if (doubt) return done('undetermined', doubt);
  for (const sizes of request.sizes.sizes) {
    if (request.expired()) return done('incomplete', `the time budget ended after ${progressText(request, tally)}`);
    const instance = request.instanceAt(sizes);
    if (!instance.ok) return done('undetermined', instance.error);
    const counterexample = await proveInstance(instance.value, request, tally);
    if (counterexample) return done('falsified', counterexample.explanation, { counterexample });
  }
  if (tally.open.length > 0)
    return request.expired()
      ? done('incomplete', `the time budget ended: ${openText(tally)}`)
      : done('undetermined', openText(tally));
  const refusal = await refuseWrongKernel(request);
  if (refusal.kind === 'accepted')
    return done('undetermined', `the proof accepts ${refusal.mutant} as well, which breaks the claim: a defect of pv`);
  if (refusal.kind === 'none')
    return done(
      'vacuous',
      `none of ${count(request.wrong.length, request.executor ? 'wrong equation' : 'wrong kernel')} breaks the claim within the bound`,
    );
  return done('proved', null, { refuted: refusal.refuted });
}

function isAmong(choices: readonly Sizes[]): (sizes: Sizes) => boolean {
  const known = new Set(choices.map((choice) => choice.join()));
  return (sizes) => known.has(sizes.join());
}

interface Ended {
  readonly counterexample: Counterexample;
  readonly refuted: ProofRecord['refuted'];
}

const progressText = ({ sizes }: BoundedRequest, { instances }: Tally): string =>
  `${instances} of ${count(sizes.sizes.length, 'choice')} of sizes`;

function openText({ proved, statements, safe, conditions, open }: Tally): string {
  return `${proved} of ${count(statements, 'statement')} and ${safe} of ${count(conditions, 'condition')} proved; open: ${open[0] ?? ''}`;
}

function recordOf(
  request: BoundedRequest,
  tally: Tally,
  witness: RecordedInput | null,
  refuted: ProofRecord['refuted'],
): ProofRecord {
  const { harness, about, sizes, engines } = request;
  const { instances, statements, proved, conditions, safe, byEngine, axioms, open } = tally;
  const assumed = request.assumed.filter(({ goal }) => tally.assumed.has(goal));
  return {
    harness: harness.id,
    strategy: harness.strategy,
    about,
    bound: harness.bound,
    scope: sizes.scope,
    instances,
    statements,
    proved,
    conditions,
    safe,
    engines: engines.map(({ id, version }) => ({ engine: id, version, proved: byEngine.get(id) ?? 0 })),
    axioms: [...axioms].toSorted(),
    ...(assumed.length > 0 ? { assumed } : {}),
    witness,
    refuted,
    open: open.slice(0, TOLD),
  };
}

/** Statements first, then what makes the code's arithmetic mean what the statements assume. */
async function proveInstance(
  { problem, safety, defined, sizes, assumed }: ProofInstance,
  request: BoundedRequest,
  tally: Tally,
): Promise<Counterexample | null> {
  const confirm = (model: Model): Promise<Counterexample | null> => replayModel(request, sizes, model);
  const decide = (conclusion: ProofInstance['problem']['conclusion']) =>
    prove({ ...request, problem: { ...problem, conclusion }, confirm });
  const at = Object.entries(sizes)
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ');
  tally.instances++;
  for (const { goal } of assumed) tally.assumed.add(goal);
  const claim = await decide(problem.conclusion);
  note(tally, claim.outcomes);
  tally.statements += claim.outcomes.length;
  tally.proved += claim.outcomes.filter(({ verdict }) => verdict === 'proved').length;
  for (const outcome of claim.outcomes) if (outcome.verdict !== 'proved') tally.open.push(`${at}: ${whyOpen(outcome)}`);
  if (claim.counterexample) return claim.counterexample;
  for (const condition of [...safety, ...defined]) {
    if (request.expired()) break;
    // What a condition refutes is a fault of the arithmetic, not yet of the claim: it stays open, with its place.
    const { outcomes } = await prove({
      ...request,
      problem: { ...problem, conclusion: condition.condition },
      confirm: closeBy,
    });
    note(tally, outcomes);
    tally.conditions++;
    const open = outcomes.find(({ verdict }) => verdict !== 'proved');
    if (open) tally.open.push(`${at}: ${conditionText(condition)}: ${whyOpen(open)}`);
    else tally.safe++;
  }
  return null;
}

function conditionText(condition: SafetyCondition | DefinedCondition): string {
  const { kind, text } = condition;
  return 'place' in condition
    ? `${kind} at ${condition.place.line}:${condition.place.column} (${text})`
    : `${kind} in the claim (${text})`;
}

function note(tally: Tally, outcomes: readonly StatementOutcome[]): void {
  for (const axiom of axiomsOf(outcomes)) tally.axioms.add(axiom);
  for (const { tried, verdict } of outcomes) {
    const last = tried.at(-1);
    if (verdict === 'proved' && last) tally.byEngine.set(last.engine, (tally.byEngine.get(last.engine) ?? 0) + 1);
  }
}

function whyOpen({ tried }: StatementOutcome): string {
  if (tried.length === 0) return 'not tried: no time was left';
  return tried.map(({ engine, outcome }) => `${engine}: ${outcomeText(outcome)}`).join('; ');
}

function outcomeText(outcome: StatementOutcome['tried'][number]['outcome']): string {
  switch (outcome.verdict) {
    case 'exhausted':
      return `ran out of ${outcome.budget} (${outcome.detail})`;
    case 'unknown':
      return `unknown (${outcome.detail})`;
    default:
      return outcome.detail;
  }
}

type Refusal =
  | { readonly kind: 'refused'; readonly refuted: NonNullable<ProofRecord['refuted']> }
  | { readonly kind: 'accepted'; readonly mutant: string }
  | { readonly kind: 'none' };

/** Looks for a wrong kernel that breaks the claim on a concrete input, and has the prover look at it at those sizes. */
async function refuseWrongKernel(request: BoundedRequest): Promise<Refusal> {
  for (const wrong of request.wrong) {
    const runnable = await wrong.open();
    if (runnable === null) continue;
    const { outcome } = await sampleWithin({ ...request, ...runnable }, request.harness.bound);
    const input = brokenInput(outcome, runnable);
    if (input === null) continue;
    const instance = wrong.instanceAt(request.goal.domain.sizes.map(({ name }) => input.sizes[name] ?? 0));
    // Where nothing stands in at those sizes, there is no proof that could accept it, and nothing is learnt.
    if (!instance.ok && request.assumed.length > 0) continue;
    const accepted = instance.ok && (await isProved(instance.value, request));
    return accepted
      ? { kind: 'accepted', mutant: wrong.id }
      : { kind: 'refused', refuted: { mutant: wrong.id, input } };
  }
  return { kind: 'none' };
}

/** A kernel that throws breaks no mathematics: what it computes must be wrong. Equations compute without a kernel. */
function brokenInput({ verdict, counterexample }: PropertyOutcome, { executor }: Runnable): RecordedInput | null {
  if (verdict !== 'falsified' || !counterexample) return null;
  return executor || counterexample.outputs.length > 0 ? counterexample.input : null;
}

async function isProved({ problem, safety, defined }: ProofInstance, request: BoundedRequest): Promise<boolean> {
  for (const conclusion of [problem.conclusion, ...[...safety, ...defined].map(({ condition }) => condition)]) {
    const { outcomes } = await prove({
      ...request,
      problem: { ...problem, conclusion },
      confirm: closeBy,
      untilOpen: true,
      remainingMs: () => request.budget.timeoutMs,
    });
    if (outcomes.some(({ verdict }) => verdict !== 'proved')) return false;
  }
  return true;
}
