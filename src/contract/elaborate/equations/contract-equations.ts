/** The equations of one contract, each with the others in its scope. */
import type { Contract, Equation, FormalText } from '../../contract.ts';
import { textMentions } from '../context/syntax-parts.ts';
import { definedBeside } from './defined-beside.ts';
import { elaborateEquation, type ElaboratedEquation } from './equation.ts';
import { equationScope, type NamedEquation } from './globals.ts';
import { symbolOf } from './symbol-of.ts';
import type { EquationModel } from '../../goal.ts';

/** Under the names by which the claims of its contract mention it. */
export function named(one: ElaboratedEquation): NamedEquation {
  const { equation, symbol } = one;
  return { name: equation.name, key: keyOf(equation, symbol), symbol, model: () => one.model };
}

/**
 * The symbol in place of a key that the formula uses for something else: `clip` in `L(r) = min(r, clip(r, 0, 1))` is built in, and `lr` in
 * `scaled = lr·n` is an input.
 */
function keyOf({ name, formula }: Equation, symbol: string | null): string {
  const isOther = symbol !== null && symbol !== name;
  return isOther && textMentions(formula, (one) => one === name) ? symbol : name;
}

/** Equations may use each other in any order; one that uses itself through others has no model for them. */
export function elaborateEquations(
  contract: Contract,
  others: readonly NamedEquation[],
  claims: readonly FormalText[],
): ReadonlyMap<string, ElaboratedEquation> {
  const done = new Map<string, ElaboratedEquation>();
  // If two equations have one name, the first is used.
  const byName = new Map(contract.equations.toReversed().map((equation) => [equation.name, equation]));
  const active = new Set<string>();
  const modelOf = (name: string): EquationModel | null => {
    const known = done.get(name);
    if (known) return known.model;
    const equation = byName.get(name);
    if (!equation || active.has(name)) return null;
    active.add(name);
    const inherited = contract.dataSection?.domain ?? null;
    const siblings = contract.equations.filter((one) => one !== equation);
    const result = elaborateEquation(equation, globals, { inherited, claims, beside: () => beside, others: siblings });
    active.delete(name);
    done.set(name, result);
    return result.model;
  };
  const own = contract.equations.map((equation) => {
    const symbol = symbolOf(equation);
    return { name: equation.name, key: keyOf(equation, symbol), symbol, model: () => modelOf(equation.name) };
  });
  const globals = equationScope(own, others, false);
  const helpers = contract.equations.flatMap((equation) =>
    definedBeside(equation).map(({ symbol, alone }) => ({
      name: equation.name,
      key: symbol,
      symbol,
      model: () => elaborateEquation(alone, globals).model,
    })),
  );
  const beside = equationScope([...own, ...helpers], others, false);
  for (const equation of contract.equations) modelOf(equation.name);
  return new Map(
    contract.equations.flatMap((equation) => {
      const result = done.get(equation.name);
      return result ? [[equation.name, result] as const] : [];
    }),
  );
}
