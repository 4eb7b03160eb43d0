/** The names of equations as formulas and claims see them. */
import type { ElaboratedContract, EquationModel } from '../../goal.ts';
import { scalarFunctions } from '../operators/builtins.ts';
import { childScope, lookup, type EquationEntry, type Scope } from '../context/scope.ts';

/** An equation under the names by which texts can mention it. The model is elaborated when it is first needed. */
export interface NamedEquation {
  /** The name that applications carry: the key, for equations of other contracts `contract/key`. */
  readonly name: string;
  readonly key: string;
  readonly symbol: string | null;
  readonly model: () => EquationModel | null;
}

/** `f_scalar` computes the formula of f, and `f_avx2` is another implementation of it. */
const references = ['ref', 'reference', 'scalar', 'naive', 'cpu'];
const variants = 'simd avx avx2 avx512 sse sse2 neon gpu cuda wgpu wgsl ptx wasm fused tiled vectorized'.split(' ');
const variant = new RegExp(`_(?:${variants.join('|')})$`, 'u');

/** Whether `name` is that of another implementation of an equation that `scope` knows. */
export function isVariant(name: string, scope: Scope): boolean {
  const [entry, own] = [lookup(scope, name), lookup(scope, name.replace(variant, ''))];
  return variant.test(name) && entry?.kind === 'equation' && own?.kind === 'equation' && entry.name === own.name;
}

/**
 * Keys and symbols of equations: in formulas they are the mathematics; in claims the bound kernel, and `σ_ref` the mathematics.
 * Own equations win over those of other contracts; where several of the contract define a symbol, the arguments decide (rivals.ts).
 */
export function equationScope(
  own: readonly NamedEquation[],
  others: readonly NamedEquation[],
  inClaims: boolean,
): Scope {
  const scope = childScope(null);
  const named: (readonly [string, NamedEquation])[] = [];
  const isOwn = new Set(own.map(({ name }) => name));
  const enter = (name: string, { name: of, model }: NamedEquation, reference: boolean): void => {
    const before = scope.entries.get(name);
    const entry: EquationEntry = { kind: 'equation', name: of, model, reference };
    if (!before) scope.entries.set(name, entry);
    else if (
      before.kind === 'equation' &&
      isOwn.has(of) &&
      [before, ...(before.rivals ?? [])].every((one) => one.name !== of)
    )
      scope.entries.set(name, { ...before, rivals: [...(before.rivals ?? []), entry] });
  };
  const add = (name: string, equation: NamedEquation): void => {
    enter(name, equation, !inClaims);
    named.push([name, equation]);
  };
  for (const equation of own) {
    add(equation.key, equation);
    if (equation.symbol !== null) add(equation.symbol, equation);
    // Code has no other name for the rate `tok/s`.
    if (equation.symbol?.includes('/') === true) add(equation.symbol.replaceAll('/', '_'), equation);
  }
  for (const equation of others) {
    add(equation.key, equation);
    // σ means softmax only in the contract that says so; elsewhere it stays the logistic function.
    if (equation.symbol !== null && !scalarFunctions.has(equation.symbol)) add(equation.symbol, equation);
  }
  for (const [name, equation] of named) {
    for (const reference of inClaims ? references : ['ref']) enter(`${name}_${reference}`, equation, true);
    for (const variant of inClaims ? variants : []) enter(`${name}_${variant}`, equation, false);
  }
  return scope;
}

/** The equations of another contract, by `contract/key`. */
export function namedEquations(contract: ElaboratedContract): readonly NamedEquation[] {
  return contract.equations.map((model) => ({
    name: `${contract.contract.id}/${model.name}`,
    key: model.name,
    symbol: model.symbol,
    model: () => model,
  }));
}
