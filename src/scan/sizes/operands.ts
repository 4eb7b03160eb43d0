/** Sizes of a matrix product held to the buffers that it is given: C is m × n, A is m × k, B is k × n. */
import type { ts } from 'ts-morph';
import { present } from '../../base/invariant.ts';
import { rangeOf, type Module } from '../module.ts';
import type { Match } from '../rule.ts';
import { bare, calledName } from '../syntax/names.ts';
import { scopeOf } from '../syntax/walk.ts';
import { constantsIn } from './constants.ts';
import { spoken, times, type Monomial } from './monomial.ts';
import { monomialOf, type ValueOf } from './size-expression.ts';

const shapes: readonly (readonly [parameter: RegExp, rows: string, columns: string])[] = [
  [/^(c|out|output|y|dst|result)$/i, 'm', 'n'],
  [/^(a|lhs|left)$/i, 'm', 'k'],
  [/^(b|rhs|right)$/i, 'k', 'n'],
];

/**
 * An operand that this function allocates with two of the three sizes, and not with the two that its place asks for: the
 * sizes are passed in another order. Only where m, n and k are three different names.
 */
export function sizesOfOperands(
  module: Module,
  call: ts.CallExpression | ts.NewExpression,
  parameters: readonly ts.ParameterDeclaration[],
): Match | null {
  const { ts } = module;
  const list = call.arguments ?? [];
  const valueOf = constantsIn(ts, scopeOf(ts, call));
  const names = parameters.map(({ name }) => (ts.isIdentifier(name) ? name.text : ''));
  const sizeOf = (dimension: string): Monomial | null => {
    const argument = list[names.findIndex((name) => name.toLowerCase() === dimension)];
    return argument ? monomialOf(ts, argument, valueOf) : null;
  };
  const [m, n, k] = [sizeOf('m'), sizeOf('n'), sizeOf('k')];
  if (!m || !n || !k || new Set([m, n, k].map(spoken)).size < 3) return null;
  const sizes: Readonly<Record<string, Monomial>> = { m, n, k };
  const taken = names.filter((name) => /^[mnk]$/i.test(name));
  const passed = taken.map((name) => spoken(present(sizes[name.toLowerCase()], 'these are m, n and k')));
  const pairs = new Set([times(m, n), times(m, k), times(k, n)].map(spoken));
  for (const [at, argument] of list.entries()) {
    const shape = shapes.find(([parameter]) => parameter.test(names[at] ?? ''));
    const [rows, columns] = shape ? [sizes[shape[1]], sizes[shape[2]]] : [];
    const allocated = allocatedSize(module, argument, valueOf);
    if (!shape || !rows || !columns || !allocated) continue;
    const asked = times(rows, columns);
    if (spoken(allocated) === spoken(asked) || !pairs.has(spoken(allocated))) continue;
    return {
      range: rangeOf(module, argument),
      message: `this call passes ${passed.join(', ')} as ${taken.join(', ')}, so that \`${names[at] ?? ''}\` needs ${spoken(asked)} elements, and \`${argument.getText()}\` has ${spoken(allocated)}`,
      hint: `check the order of the sizes: the signature takes ${taken.join(', ')}`,
    };
  }
  return null;
}

/** The size of a buffer that the function makes with `new Float32Array(rows * columns)`. */
function allocatedSize({ ts }: Module, argument: ts.Expression, valueOf: ValueOf): Monomial | null {
  const node = bare(ts, argument);
  const value = ts.isIdentifier(node) ? valueOf(node.text) : node;
  const creation = value && bare(ts, value);
  if (!creation || !ts.isNewExpression(creation) || creation.arguments?.length !== 1) return null;
  if (!/^(Float|Int|Uint)\d+Array$/.test(calledName(ts, creation) ?? '')) return null;
  const [length] = creation.arguments;
  return length ? monomialOf(ts, length, valueOf) : null;
}
