/** `p(1 - p)` of `p = 1/(1 + exp(-z))` or `p(z) = 1/(1 + exp(-z))`: a product, though it looks like a call. */
import type { Expression } from '../../../math/notation/syntax.ts';
import { isShortName } from '../../../math/notation/vocabulary.ts';
import type { Context } from '../context/context.ts';
import { callsIn, childrenOf, statementParts } from '../context/syntax-parts.ts';
import type { EquationModel } from '../../goal.ts';

type Call = Extract<Expression, { kind: 'call' }>;

/**
 * Whether the brackets after the symbol of an equation hold a factor: they use the symbol as a value, or, where the equation names no
 * arguments, they hold a sum, and the text does not apply the symbol elsewhere, as `y(x + 1) ≥ y(x)` does.
 */
export function isFactor(ctx: Context, model: EquationModel, { callee, arguments: written }: Call): boolean {
  const [only, more] = written;
  const name = callee.kind === 'name' ? callee.text : '';
  if (name !== model.symbol || !isShortName(name) || !only || more || only.label !== null) return false;
  if (usesAsValue(only.value, name)) return true;
  if (model.bare !== true) return false;
  // `SE(n + 1)` of `SE = s / √n` is the input that it names.
  if (!isSum(only.value) || model.result.kind === 'tensor' || model.parameters.length !== 1) return false;
  const calls = statementParts(ctx.text)
    .flatMap(callsIn)
    .filter((call) => isOf(call, name));
  return calls.every(({ arguments: [first] }) => first !== undefined && isSum(first.value));
}

/** Whether `name` occurs other than before its own arguments, as in 1 - p, and not in p(z). */
function usesAsValue(part: Expression, name: string): boolean {
  if (part.kind === 'name') return part.text === name;
  const parts = part.kind === 'call' && isOf(part, name) ? part.arguments.map(({ value }) => value) : childrenOf(part);
  return parts.some((child) => usesAsValue(child, name));
}

const isOf = ({ callee }: Call, name: string): boolean => callee.kind === 'name' && callee.text === name;

const isSum = (e: Expression): boolean => e.kind === 'binary' && (e.operator === '+' || e.operator === '-');
