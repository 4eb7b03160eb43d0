/** A proof must refuse a wrong kernel: one that breaks the claim at a concrete input. */
import type { ProofRecord, RecordedInput } from '../../evidence/receipt.ts';
import { float64 } from '../../math/evaluate/floats.ts';
import type { Engine } from '../../bounded-proofs/engines/engine.ts';
import type { BooleanExpression } from '../../bounded-proofs/expression.ts';
import type { ProofInstance } from '../../bounded-proofs/problem.ts';
import { prove, statementsOf } from '../../bounded-proofs/prove.ts';
import { completeAssignment, createEvaluator } from '../../bounded-proofs/evaluate.ts';
import { parseInput } from '../../runtime/case-text.ts';
import type { PropertyOutcome } from '../runs/outcome.ts';
import { inputNumbers } from './assumptions.ts';
import { closeBy } from './replay.ts';
import type { BoundedRequest, Runnable, WrongProgram } from './request.ts';
import { sampleWithin } from './sample.ts';

type Refusal =
  | { readonly kind: 'refused'; readonly refuted: NonNullable<ProofRecord['refuted']> }
  | { readonly kind: 'accepted'; readonly mutant: string }
  | { readonly kind: 'none' };

/**
 * Looks for wrong kernels that break the claim on a concrete input, one with a single mistake and one with two, and has the
 * prover look at each at those sizes. `restsOn` are the engines without which the correct kernel would not be proved.
 */
export async function refuseWrongKernel(request: BoundedRequest, restsOn: readonly Engine[]): Promise<Refusal> {
  const { single, pairs } = request.wrong;
  const first = await refuseOneOf(single, request, restsOn);
  if (first.kind === 'accepted') return first;
  const second = await refuseOneOf(pairs, request, restsOn);
  return second.kind === 'accepted' || first.kind === 'none' ? second : first;
}

async function refuseOneOf(
  programs: readonly WrongProgram[],
  request: BoundedRequest,
  restsOn: readonly Engine[],
): Promise<Refusal> {
  for (const wrong of programs) {
    const runnable = await wrong.open();
    if (runnable === null) continue;
    const { outcome } = await sampleWithin({ ...request, ...runnable }, request.harness.bound);
    const input = brokenInput(outcome, runnable);
    if (input === null) continue;
    const instance = wrong.instanceAt(request.goal.domain.sizes.map(({ name }) => input.sizes[name] ?? 0));
    // If no claim replaces a kernel at those sizes, no proof could accept it, and nothing is learnt.
    if (!instance.ok && request.assumed.length > 0) continue;
    const accepted = instance.ok && (await isAccepted(instance.value, input, request, restsOn));
    return accepted
      ? { kind: 'accepted', mutant: wrong.id }
      : { kind: 'refused', refuted: { mutant: wrong.id, input } };
  }
  return { kind: 'none' };
}

/** A kernel that throws does not count: it must compute something wrong. Equations compute without a kernel. */
function brokenInput({ verdict, counterexample }: PropertyOutcome, { executor }: Runnable): RecordedInput | null {
  if (verdict !== 'falsified' || !counterexample) return null;
  return executor || counterexample.outputs.length > 0 ? counterexample.input : null;
}

/**
 * Usually the engines of the proof leave the false statement open, and no others are needed: solvers take long to find nothing.
 * Otherwise all engines examine all statements and conditions.
 */
async function isAccepted(
  instance: ProofInstance,
  input: RecordedInput,
  request: BoundedRequest,
  restsOn: readonly Engine[],
): Promise<boolean> {
  const wrong = restsOn.length === 0 ? null : falseStatement(instance, input, request);
  if (wrong !== null && !(await isProved(instance, wrong, { ...request, engines: restsOn }))) return false;
  for (const conclusion of [instance.problem.conclusion, ...conditionsOf(instance)])
    if (!(await isProved(instance, conclusion, request))) return false;
  return true;
}

/** The conditions under which the arithmetic means what the claim assumes. */
function conditionsOf({ safety, defined }: ProofInstance): readonly BooleanExpression[] {
  return [...safety, ...defined].map(({ condition }) => condition);
}

async function isProved(
  { problem }: ProofInstance,
  conclusion: BooleanExpression,
  request: BoundedRequest,
): Promise<boolean> {
  const { outcomes } = await prove({
    ...request,
    problem: { ...problem, conclusion },
    confirm: closeBy,
    untilOpen: true,
    remainingMs: () => request.budget.timeoutMs,
  });
  return outcomes.every(({ verdict }) => verdict === 'proved');
}

/**
 * The first condition or statement that is false at the input, in float64; null if none is seen. If a condition fails,
 * statements are about numbers that the kernel never had.
 */
function falseStatement(
  instance: ProofInstance,
  input: RecordedInput,
  { goal }: BoundedRequest,
): BooleanExpression | null {
  const { graph, variables } = instance.problem;
  const found = parseInput(goal.domain, input);
  // The outputs of a replaced kernel are computed by running it.
  if (!found.ok || variables.some(({ standsFor }) => standsFor?.kind === 'output')) return null;
  const assignment = completeAssignment(variables, inputNumbers(variables, found.value.values), float64);
  const { truth } = createEvaluator(float64, assignment);
  const statements = [...conditionsOf(instance), instance.problem.conclusion].flatMap((conclusion) =>
    statementsOf(graph, conclusion),
  );
  return statements.find((statement) => !truth(statement)) ?? null;
}
