/**
 * The rules that contracts are checked by, in the order in which findings at the same place read best.
 * To add one: a file in rules/, a line here, fixtures in test/fixtures/contracts/rules/<name>/, a page in docs/codes/.
 */
import { claimWithoutFormula } from './rules/claim-without-formula.ts';
import { danglingCause } from './rules/dangling-cause.ts';
import { danglingEquation } from './rules/dangling-equation.ts';
import { danglingHarness } from './rules/dangling-harness.ts';
import { danglingRule } from './rules/dangling-rule.ts';
import { declaredResult } from './rules/declared-result.ts';
import { dependencyCycle } from './rules/dependency-cycle.ts';
import { derivedIds } from './rules/derived-ids.ts';
import { duplicateContract } from './rules/duplicate-contract.ts';
import { duplicateId } from './rules/duplicate-id.ts';
import { falseFact } from './rules/false-fact.ts';
import { kernelWithoutEquations } from './rules/kernel-without-equations.ts';
import { missingCitation } from './rules/missing-citation.ts';
import { missingTolerance } from './rules/missing-tolerance.ts';
import { prose } from './rules/prose.ts';
import type { ContractRule, SetRule } from './rules/rule.ts';
import { sharedId } from './rules/shared-id.ts';
import { tautology } from './rules/tautology.ts';
import { unconstrainedEquation } from './rules/unconstrained-equation.ts';
import { unitlessTolerance } from './rules/unitless-tolerance.ts';
import { unresolvedDependency } from './rules/unresolved-dependency.ts';
import { unsatisfiable } from './rules/unsatisfiable.ts';
import { untestedObligation } from './rules/untested-obligation.ts';
import { wrongCount } from './rules/wrong-count.ts';

/** Rules that look at one contract at a time. */
export const contractRules: readonly ContractRule[] = [
  // Structure: what refers to what.
  kernelWithoutEquations,
  duplicateId,
  danglingHarness,
  danglingRule,
  danglingEquation,
  wrongCount,
  // Mathematics as written: what the claims say.
  unsatisfiable,
  falseFact,
  tautology,
  missingTolerance,
  unitlessTolerance,
  claimWithoutFormula,
  prose,
  // Completeness: what the contract leaves open.
  unconstrainedEquation,
  missingCitation,
  untestedObligation,
  derivedIds,
  declaredResult,
];

/** Rules about what is written, which also apply to a part of a contract: they do not depend on what may be elsewhere. */
export const fragmentRules: readonly ContractRule[] = [
  duplicateId,
  unsatisfiable,
  falseFact,
  tautology,
  missingTolerance,
  unitlessTolerance,
  prose,
];

/** Rules that look at all contracts of a run together. */
export const setRules: readonly SetRule[] = [
  duplicateContract,
  unresolvedDependency,
  dependencyCycle,
  sharedId,
  danglingCause,
];
