/**
 * From a decoded contract to typed equations and goals.
 *
 * docs/notation.md says what the notation means; the folder `elaborate` implements it. Nothing here runs anything:
 * the result is terms over declared inputs, and diagnostics that point into the YAML.
 *
 * The rooms of the folder, each of which imports only from the ones before it:
 * - `context`: names, scopes and values of one elaboration, and which written parts were used;
 * - `inputs`: sizes and inputs while statements still narrow them;
 * - `operators`: arithmetic, relations, reductions, choices, and the ranges of their indices;
 * - `expressions`: the switch over the syntax, with calls of helpers, equations and sequences;
 * - `domains`: what the text of a domain declares, bounds and requires;
 * - `equations`: an equation as a typed function, and what it leaves unexecuted;
 * - `claims`: from claims, given cases and the data section to goals.
 */
import type { Contract } from './contract.ts';
import { obligationClaim, testClaim } from './elaborate/claims/claim-of.ts';
import { elaborateOnBackends } from './elaborate/claims/claim-outcome.ts';
import { elaborateControls } from './elaborate/claims/control-goals.ts';
import { elaborateData } from './elaborate/claims/data.ts';
import { notGoal } from './elaborate/claims/outcome.ts';
import { elaborateStatements } from './elaborate/claims/statement-goals.ts';
import type { Problem } from './elaborate/context/context.ts';
import type { Scope } from './elaborate/context/scope.ts';
import { withApproximations } from './elaborate/equations/approximations.ts';
import { asDiagnostic, spanOf } from './elaborate/context/problem-diagnostic.ts';
import { named, elaborateEquations } from './elaborate/equations/contract-equations.ts';
import type { ElaboratedEquation } from './elaborate/equations/equation.ts';
import { equationScope, namedEquations } from './elaborate/equations/globals.ts';
import { checkLarge } from './elaborate/equations/large-sizes.ts';
import type { ElaboratedContract } from './goal.ts';

/**
 * Elaborates every equation and claim of `contract`. `subContracts` are the elaborated contracts that it depends on,
 * by id; their equations are known by name. Never throws on what a file can contain: what cannot be elaborated is a
 * `NotGoal` with the reason, and a diagnostic where the author has to act.
 */
export function elaborateContract(
  contract: Contract,
  subContracts: ReadonlyMap<string, ElaboratedContract>,
): ElaboratedContract {
  const others = contract.dependsOn.flatMap((name) => {
    const found = subContracts.get(name.value);
    return found ? namedEquations(found) : [];
  });
  const claims = [
    ...contract.obligations.map((o) => obligationClaim(o, contract)),
    ...contract.falsificationTests.filter((t) => t.control === null).map((t) => testClaim(t, contract)),
  ];
  const texts = claims.flatMap(({ formal, requires }) => [...(formal ? [formal] : []), ...requires]);
  const equations = elaborateEquations(contract, others, texts);
  const own = [...equations.values()].map(named);
  const scopeOf = (inClaims: boolean): Scope =>
    withApproximations(equationScope(own, others, inClaims), [...equations.values()]);
  const [mathematics, kernels] = [scopeOf(false), scopeOf(true)];
  const data = contract.dataSection && elaborateData(contract.dataSection, mathematics);
  const controls = data?.model ? elaborateControls(contract, data.model) : null;
  const results = claims.map((claim) =>
    elaborateOnBackends(contract, claim, [...equations.values()], claim.about === 'kernel' ? kernels : mathematics),
  );
  const goals = results.flatMap((result) => (result.goal ? [result.goal] : []));
  const stated = elaborateStatements(contract, [...equations.values()], mathematics);
  const withoutInputs = controls ? [] : contract.falsificationTests.filter(({ control }) => control !== null);
  return {
    contract,
    equations: [...equations.values()].flatMap((one) => (one.model ? [one.model] : [])),
    goals: goals.filter(({ about }) => about !== 'data'),
    ...stated,
    dataGoals: goals.filter(({ about }) => about === 'data'),
    data: data?.model ?? null,
    controls: controls?.controls ?? [],
    notGoals: [
      ...results.flatMap((result) => (result.notGoal ? [result.notGoal] : [])),
      ...withoutInputs.map((test) =>
        notGoal(
          testClaim(test, contract),
          'undetermined',
          'the contract has no section data that its data could be read by',
        ),
      ),
    ],
    preconditions: new Map([
      // Claims about equations of other contracts use their domains too.
      ...contract.dependsOn.flatMap(({ value }) => [...(subContracts.get(value)?.preconditions ?? [])]),
      ...[...equations.values(), ...results].flatMap(({ preconditions }) =>
        [...(preconditions ?? [])].map(([term, place]) => [term, spanOf(place)] as const),
      ),
    ]),
    diagnostics: [...equations.values()]
      .flatMap((one) => [
        ...problemsOf(one).map(asDiagnostic),
        ...(one.model ? checkLarge(one.equation, one.model) : []),
      ])
      .concat((data?.problems ?? []).map(asDiagnostic), controls?.diagnostics ?? [])
      .concat(results.flatMap((result) => result.diagnostics)),
  };
}

function problemsOf(one: ElaboratedEquation): readonly Problem[] {
  return [...(one.problem ? [one.problem] : []), ...one.remarks].filter((problem) => problem.kind !== 'blocked');
}
