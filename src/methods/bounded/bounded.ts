/**
 * Bounded proof (L4): a claim about a kernel's code for every input up to a bound, decided by engines that read the code.
 *
 * Green means: at every choice of sizes within the bound, every statement of the claim and every safety condition of the
 * code was proved; an input inside the preconditions exists; and the same proof refused a wrong kernel that a concrete input
 * distinguishes from the correct one. What an engine refutes counts only once it was seen on the real kernel.
 */
import { count } from '../../base/text.ts';
import type { Counterexample, ProofRecord, RecordedInput } from '../../evidence/receipt.ts';
import type { Verdict } from '../../evidence/verdict.ts';
import type { Model } from '../../bounded-proofs/engines/engine.ts';
import type { DefinedCondition, ProofInstance, SafetyCondition } from '../../bounded-proofs/problem.ts';
import { axiomsOf, prove, type StatementOutcome } from '../../bounded-proofs/prove.ts';
import { withCasesBeyond } from '../beyond.ts';
import type { PropertyOutcome } from '../runs/outcome.ts';
import { cornersOf, faultAt } from './fault.ts';
import { closeBy, replayModel } from './replay.ts';
import { doubtAboutAssumed } from './assumptions.ts';
import { refuseWrongKernel } from './refusal.ts';
import type { BoundedRequest, Sizes } from './request.ts';
import { sampleWithin, within } from './sample.ts';

/** The verdict of a bounded proof; the counterexample has been replayed on the kernel. */
export interface BoundedOutcome {
  readonly verdict: Verdict;
  readonly reason: string | null;
  readonly proof: ProofRecord;
  readonly counterexample: Counterexample | null;
}

/** How many open statements are listed; the rest are counted. */
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
  const outcome = await beyond(sampled.outcome, request);
  if (outcome.counterexample) return done('falsified', outcome.reason, { counterexample: outcome.counterexample });
  if (outcome.verdict === 'undetermined') return done('undetermined', outcome.reason);
  if (sampled.witness === null)
    return request.expired()
      ? done('incomplete', 'the time budget ended before an input was tried')
      : done('vacuous', 'no input within the bound satisfies the preconditions');
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
  const refusal = await refuseWrongKernel(
    request,
    request.engines.filter(({ id }) => tally.byEngine.has(id)),
  );
  if (refusal.kind === 'accepted')
    return done('undetermined', `the proof accepts ${refusal.mutant} as well, which breaks the claim: a defect of pv`);
  if (refusal.kind === 'none' && request.expired())
    return done('incomplete', 'the time budget ended before a wrong kernel was seen to break the claim');
  if (refusal.kind === 'none')
    return done(
      'vacuous',
      `none of ${count(request.wrong.single.length + request.wrong.pairs.length, request.executor ? 'wrong equation' : 'wrong kernel')} breaks the claim within the bound`,
    );
  return done('proved', null, { refuted: refusal.refuted });
}

/** The sample, or the inputs beyond the numbers of kernels that break the claim. */
function beyond(outcome: PropertyOutcome, request: BoundedRequest): Promise<PropertyOutcome> | PropertyOutcome {
  const goal = request.formula?.goal;
  if (!goal) return outcome;
  return withCasesBeyond(outcome, {
    ...request,
    goal: { ...goal, domain: within(goal.domain, request.harness.bound) },
  });
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
  const { harness, about, sizes, inPart, engines } = request;
  const { instances, statements, proved, conditions, safe, byEngine, axioms, open } = tally;
  const assumed = request.assumed.filter(({ goal }) => tally.assumed.has(goal));
  return {
    harness: harness.id,
    strategy: harness.strategy,
    about,
    bound: harness.bound,
    scope: sizes.scope,
    inPart,
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

/** Statements first, then the conditions under which the code's arithmetic means what the statements assume. */
async function proveInstance(
  instance: ProofInstance,
  request: BoundedRequest,
  tally: Tally,
): Promise<Counterexample | null> {
  const { problem, safety, defined, sizes, assumed } = instance;
  const anywhere = { ...request, ...request.formula };
  const confirm = (model: Model): Promise<Counterexample | null> => replayModel(anywhere, sizes, model);
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
    if (request.expired()) {
      tally.open.push(`${at}: ${conditionText(condition)}: not tried: no time was left`);
      break;
    }
    // A failed condition is a fault of the arithmetic, not yet of the claim, which remains open, with the place.
    const faultIn = (model: Model): string | null => faultAt(anywhere, instance, condition.condition, model);
    let fault: string | null = null;
    const { outcomes } = await prove({
      ...request,
      problem: { ...problem, conclusion: condition.condition },
      confirm: (model) => {
        fault ??= faultIn(model);
        return closeBy();
      },
    });
    note(tally, outcomes);
    tally.conditions++;
    const open = outcomes.find(({ verdict }) => verdict !== 'proved');
    if (!open) tally.safe++;
    else {
      fault ??= cornersOf(instance).reduce<string | null>((found, corner) => found ?? faultIn(corner), null);
      const why = fault === null ? whyOpen(open) : `it fails at ${fault}`;
      tally.open.push(`${at}: ${conditionText(condition)}: ${why}`);
    }
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
