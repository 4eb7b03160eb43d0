import { err, ok, type Result } from '../base/result.ts';
import type { Case, CompiledGoal } from '../math/compile/compiled.ts';
import { edgeCases } from './generate/edge-cases.ts';
import type { CaseGenerator } from './generate/generator.ts';
import { givenCase } from './generate/given-case.ts';
import { violation } from './generate/membership.ts';
import type { GivenInput, TestableGoal } from './testable-goal.ts';

/** Every special value and filling at a handful of sizes; more would repeat what generated cases do. */
const EDGE_CASE_LIMIT = 500;

/** The explicit inputs as cases; the error names the first that the domain does not hold. */
function explicitCases(
  given: readonly GivenInput[],
  compiled: CompiledGoal,
  generator: CaseGenerator,
): Result<readonly Case[], string> {
  const cases: Case[] = [];
  for (const [i, input] of given.entries()) {
    const candidate = givenCase(generator.plan, input);
    const why = candidate.ok ? violation(generator.plan, candidate.value) : candidate.error;
    if (!candidate.ok || why !== null) return err(`input ${i + 1} of ${given.length} is outside the domain: ${why}`);
    if (!compiled.precondition(candidate.value.sizes, candidate.value.values))
      return err(`input ${i + 1} of ${given.length} breaks a precondition`);
    cases.push(candidate.value);
  }
  return given.length > 0 ? ok(cases) : err('the claim gives an empty set of inputs');
}

/** How many edge cases are made for one that satisfies the preconditions, before the search ends. */
const TRIES_PER_CASE = 4;

/** The edge cases that satisfy the preconditions; others are not counted. */
function edgeCasesInside(compiled: CompiledGoal, generator: CaseGenerator, limit: number): readonly Case[] {
  const inside: Case[] = [];
  for (const candidate of edgeCases(generator, TRIES_PER_CASE * limit)) {
    if (compiled.precondition(candidate.sizes, candidate.values)) inside.push(candidate);
    if (inside.length >= limit) break;
  }
  return inside;
}

/** The inputs of a falsification test: the explicit ones, or otherwise edge cases. The error says why an input is invalid. */
export function falsificationInputs(
  goal: TestableGoal,
  compiled: CompiledGoal,
  generator: CaseGenerator,
  limit: number = EDGE_CASE_LIMIT,
): Result<readonly Case[], string> {
  return goal.given ? explicitCases(goal.given, compiled, generator) : ok(edgeCasesInside(compiled, generator, limit));
}
