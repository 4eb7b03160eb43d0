/**
 * Every claim of the shipped contracts that runs gpu.js kernels, on random inputs of its domain: the instance that proofs
 * are about agrees with what the property method runs and judges, for the right kernel and for wrong ones.
 */
import { describe, expect, it } from 'vitest';
import { invariant } from '../../../src/base/invariant.ts';
import type { Case, CaseValue } from '../../../src/math/compile/compiled.ts';
import { loadGoal } from '../../../src/math/compile/load.ts';
import { float64 } from '../../../src/math/evaluate/floats.ts';
import { realArithmetic } from '../../../src/math/evaluate/real-arithmetic.ts';
import { kernelMutants } from '../../../src/methods/wrong-kernels/kernel-mutants.ts';
import { fromFloat, compareRational } from '../../../src/numeric/rational.ts';
import { completeAssignment, createEvaluator } from '../../../src/bounded-proofs/evaluate.ts';
import type { ProofSubject } from '../../../src/bounded-proofs/instantiate/instance-request.ts';
import { instantiate } from '../../../src/bounded-proofs/instantiate/instantiate.ts';
import { sizesFor } from '../../../src/bounded-proofs/instantiate/sizes-for.ts';
import type { ProofInstance } from '../../../src/bounded-proofs/problem.ts';
import { emptyOutcome } from '../../../src/runtime/check-case.ts';
import { createGenerator } from '../../../src/runtime/generate/generator.ts';
import { assignmentOf, openOnRef32, runOnRef32 } from '../../support/proof-case.ts';
import { shippedGoals, type ShippedGoal } from '../../support/shipped-goals.ts';

/** The largest size, choices of sizes per claim, inputs per choice, and those of them whose claim is judged. */
const [BOUND, CHOICES, INPUTS, JUDGED] = [3, 2, 4, 2];
const SEED = 20_261_121;

const goals = (await shippedGoals()).filter(
  ({ goal, subjects }) =>
    goal.statistical === null && subjects.length > 0 && subjects.every(({ bound }) => bound?.program.syntax),
);
const total: Counts = { compared: 0, safe: 0, judged: 0, broken: 0 };
const contracts = [...new Set(goals.map(({ goal }) => goal.contract))];

/** What has no instance, and why. */
const withoutInstance: readonly RegExp[] = [
  /may be NaN or infinite: proofs are about numbers/,
  /is not a number, and proofs are about numbers/,
  // Conversions of formats that have infinities give them.
  /an infinity meets a number whose sign is not known/,
  // Masked scores, and the running maximum of no key.
  /an infinity is computed with here/,
  // A choice of a term by an input.
  /a range or a shape depends on the input/,
  /atan2 has no model/,
  /is at least \d+, which is more than the bound/,
];

interface Counts {
  compared: number;
  safe: number;
  judged: number;
  broken: number;
}

describe.each(contracts)('the claims of %s', (contract) => {
  it('are in proofs what they are when they run', async () => {
    const before = { ...total };
    const none: string[] = [];
    const own = goals.filter(({ goal }) => goal.contract === contract);
    for (const [i, shipped] of own.entries()) {
      const why = await compareGoal(shipped, shipped.subjects, total);
      if (why !== null) none.push(why);
      else await compareGoal(shipped, mutated(shipped.subjects, i), total);
    }
    expect(none.filter((why) => !withoutInstance.some((known) => known.test(why)))).toEqual([]);
    if (none.length < own.length)
      expect(total.safe - before.safe).toBeGreaterThan((total.compared - before.compared) / 4);
  });
});

it('judges claims that hold and claims that do not', () => {
  expect(total.judged).toBeGreaterThan(600);
  expect(total.broken).toBeGreaterThan(100);
});

/** The subjects with one of them mutated, another one for each claim. */
function mutated(subjects: readonly ProofSubject[], at: number): readonly ProofSubject[] {
  return subjects.map((subject) => {
    if (!subject.bound) return subject;
    const mutants = kernelMutants(subject.bound.program);
    const mutant = mutants[(7 * at) % mutants.length];
    return mutant ? { ...subject, bound: { ...subject.bound, program: mutant.program } } : subject;
  });
}

/** Null, or why there is no instance. */
async function compareGoal(
  { goal }: ShippedGoal,
  subjects: readonly ProofSubject[],
  counts: Counts,
): Promise<string | null> {
  const choice = sizesFor(goal.domain, BOUND);
  if (!choice.ok) return choice.error;
  const generator = createGenerator(goal.domain, SEED, goal.id);
  const opened = await openOnRef32(subjects);
  invariant(generator.ok && opened, 'a claim that runs can be run');
  const compiled = await loadGoal(goal);
  const all = choice.value.sizes;
  for (const sizes of all.slice(-CHOICES)) {
    const made = instantiate({ goal, subjects, sizes, reading: 'float32' });
    if (!made.ok) return made.error.message;
    const buffer = generator.value.allocate(sizes);
    for (let input = 0; input < INPUTS; input++) {
      if (!generator.value.fill(input, buffer) || !compiled.precondition(sizes, buffer.values)) continue;
      const outputs = runOnRef32(goal, compiled, opened, buffer);
      const where = `${goal.id} at ${sizes.join(', ')}, input ${input}`;
      const isSafe = compareOutputs(made.value, buffer, outputs, where);
      counts.compared += 1;
      if (!isSafe || outputs === null) continue;
      counts.safe += 1;
      if (input >= JUDGED) continue;
      const holds = compiled.check(sizes, buffer.values, outputs, emptyOutcome().report);
      compareVerdict(made.value, buffer, holds, where);
      counts.judged += 1;
      if (!holds) counts.broken += 1;
    }
  }
  return null;
}

/** Whether the run is safe; then its outputs are those of the instance, bit for bit but for the sign of zero. */
function compareOutputs(
  { problem, safety, outputs }: ProofInstance,
  candidate: Case,
  ran: readonly CaseValue[] | null,
  where: string,
): boolean {
  const assignment = completeAssignment(problem.variables, assignmentOf(problem.variables, candidate), float64);
  for (const { name, low, high } of problem.variables) {
    const value = fromFloat(assignment.get(name) ?? 0);
    const isInside = low && high && compareRational(low, value) <= 0 && compareRational(value, high) <= 0;
    expect(isInside, `${where}: bounds of ${name}`).toBe(true);
  }
  const at = createEvaluator(float64, assignment);
  const isSafe = safety.every(({ condition }) => at.truth(condition));
  const expected = ran?.map((value) => (typeof value === 'object' ? Array.from(value) : [Number(value)]));
  const isFinite = expected?.every((values) => values.every(Number.isFinite)) === true;
  if (!isFinite) expect(isSafe, `${where}: no safe run gives something else than numbers`).toBe(false);
  if (!isSafe) return false;
  const given = outputs.map(({ elements }) => elements.map((element) => at.number(element) + 0));
  expect(given, where).toEqual(expected?.map((values) => values.map((value) => value + 0)));
  return true;
}

/** Premises hold of inputs of the domain, and the conclusion is what the claim is worth, as far as digits tell. */
function compareVerdict({ problem, defined }: ProofInstance, candidate: Case, holds: boolean, where: string): void {
  const arithmetic = realArithmetic(30);
  const inputs = assignmentOf(problem.variables, candidate);
  const at = createEvaluator(arithmetic, completeAssignment(problem.variables, inputs, arithmetic));
  const premises = problem.premises.every((premise) => at.truth(premise));
  const isDefined = defined.every(({ condition }) => at.truth(condition));
  const conclusion = at.truth(problem.conclusion);
  if (arithmetic.isDoubtful()) return;
  expect(premises, `${where}: premises`).toBe(true);
  if (isDefined) expect(conclusion, `${where}: conclusion`).toBe(holds);
}
