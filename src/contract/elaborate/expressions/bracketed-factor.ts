/** `p(1 - p)`, where the equation is written `p = 1/(1 + exp(-z))`: a product, though it looks like a call. */
import type { Expression } from '../../../math/notation/syntax.ts';
import { isShortName } from '../../../math/notation/vocabulary.ts';
import type { Context } from '../context/context.ts';
import { callsIn, mentions, statementParts } from '../context/syntax-parts.ts';
import type { EquationModel } from '../../goal.ts';

type Call = Extract<Expression, { kind: 'call' }>;

/**
 * Whether the brackets after the symbol of an equation without arguments hold a factor: they mention the symbol itself, or they hold
 * a sum, and the text does not apply the symbol elsewhere, as `y(x + 1) ≥ y(x)` does.
 */
export function isFactor(ctx: Context, model: EquationModel, { callee, arguments: written }: Call): boolean {
  const [only, more] = written;
  const name = callee.kind === 'name' ? callee.text : '';
  if (model.bare !== true || name !== model.symbol || !isShortName(name) || !only || more || only.label !== null)
    return false;
  if (mentions(only.value, (text) => text === name)) return true;
  // `SE(n + 1)` of `SE = s / √n` is the input that it names.
  if (!isSum(only.value) || model.result.kind === 'tensor' || model.parameters.length !== 1) return false;
  const calls = statementParts(ctx.text)
    .flatMap(callsIn)
    .filter((call) => isOf(call, name));
  return calls.every(({ arguments: [first] }) => first !== undefined && isSum(first.value));
}

const isOf = ({ callee }: Call, name: string): boolean => callee.kind === 'name' && callee.text === name;

const isSum = (e: Expression): boolean => e.kind === 'binary' && (e.operator === '+' || e.operator === '-');
