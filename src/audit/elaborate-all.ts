import { elaborateContract } from '../contract/elaborate.ts';
import type { Contract } from '../contract/contract.ts';
import type { ElaboratedContract } from '../contract/goal.ts';
import { missingTolerance } from '../contract/rules/missing-tolerance.ts';
import { isWithin } from '../diagnostics/is-within.ts';
import { buildDag } from '../graph/dag.ts';

/**
 * Every contract elaborated, sub-contracts before those that use them.
 *
 * In a dependency cycle a contract sees only the members before it; the graph reports the cycle.
 */
export function elaborateAll(contracts: readonly Contract[]): readonly ElaboratedContract[] {
  const byId = new Map(contracts.map((contract) => [contract.id, contract]));
  const elaborated = new Map<string, ElaboratedContract>();
  for (const id of buildDag(contracts).order) {
    const contract = byId.get(id);
    if (contract) elaborated.set(id, lenient(onceEach(elaborateContract(contract, elaborated))));
  }
  return [...elaborated.values()];
}

/** Without what the rules have already reported: a missing tolerance (PV-3010, PV-4011) is one mistake. */
function onceEach(elaborated: ElaboratedContract): ElaboratedContract {
  const { contract } = elaborated;
  const formulas = [
    ...contract.obligations.flatMap(({ formal }) => formal?.span ?? []),
    ...contract.falsificationTests.flatMap(({ prediction }) => prediction?.span ?? []),
  ];
  const said = missingTolerance
    .check(contract)
    .flatMap(({ span }) => formulas.find((formula) => span !== null && isWithin(span, formula)) ?? []);
  const diagnostics = elaborated.diagnostics.filter(
    ({ code, span }) => code !== 'PV-4011' || !said.some((formula) => span !== null && isWithin(span, formula)),
  );
  return { ...elaborated, diagnostics };
}

/** The float formats that pv's domains declare inputs in; upstream's dialect writes ℝ and R. */
const floatFormat = /\b(?:B?F16|F32|F64)/;

/**
 * A contract that declares no float input was not written to be run, so what typing finds in it is a warning, not an error. Its
 * claims remain undetermined and pass no gate.
 */
function lenient(elaborated: ElaboratedContract): ElaboratedContract {
  if (elaborated.contract.equations.some(({ domain }) => domain !== null && floatFormat.test(domain.text)))
    return elaborated;
  const diagnostics = elaborated.diagnostics.map((found) =>
    found.severity === 'error' ? { ...found, severity: 'warning' as const } : found,
  );
  return { ...elaborated, diagnostics };
}
