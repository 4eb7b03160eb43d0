/** Moments of the elements of a tensor. */
import { call, integer, variable } from '../../../math/term/build.ts';
import type { Expression } from '../../../math/notation/syntax.ts';
import { isNumeric, resultType } from '../../../math/term/types.ts';
import { lift } from './arithmetic.ts';
import { fail, type Context } from '../context/context.ts';
import { overElements } from './reductions.ts';
import type { TensorValue, Value } from '../context/value.ts';
import { mapTensor } from '../context/values.ts';

/** The square of each element. */
export function squared(x: TensorValue): TensorValue {
  const element = resultType('power', [variable('', x.element), integer(2)]);
  return mapTensor(x, element, (term) => call('power', term, integer(2)));
}

/** mean((x - mean(x))²) over all elements: the divisor is n, as in normalization layers, and not n - 1. */
export function variance(ctx: Context, args: readonly Value[], { range }: Expression, name: string): Value {
  const [x, more] = args;
  if (x?.kind !== 'tensor' || more || !isNumeric(x.element))
    return fail(ctx, 'PV-4008', range, `${name} takes one tensor of numbers`, `${name}(x), without an index`);
  const centred = lift(ctx, 'subtract', [x, overElements(ctx, 'mean', x, range)], range);
  return centred.kind === 'tensor' ? overElements(ctx, 'mean', squared(centred), range) : centred;
}
