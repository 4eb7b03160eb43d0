/** Axes that count from 1: `m_h = 2^(-8h/n)` for `h ∈ {1, …, n}` has the elements `m_1` to `m_n`. */
import { call, integer, variable } from '../../../math/term/build.ts';
import { integerValue } from '../../../math/term/fold.ts';
import { printTerm } from '../../../math/term/print-term.ts';
import { constantSize } from '../../../math/term/sizes.ts';
import { INTEGER, type Term } from '../../../math/term/term.ts';
import type { Expression } from '../../../math/notation/syntax.ts';
import type { Range } from '../../../diagnostics/source.ts';
import type { FormalText } from '../../contract.ts';
import type { EquationModel } from '../../goal.ts';
import { countAlike, countFrom, equalSizes, stays, useIndex, type Leaving } from './binders.ts';
import { fail, giveUp, type Context } from '../context/context.ts';
import type { IndexVariable } from '../context/scope.ts';
import { childrenOf } from '../context/syntax-parts.ts';
import type { Value } from '../context/value.ts';

/** `value` with the axes that count from 1, if any do. */
export function countingFromOne(value: Value, fromOne: readonly boolean[] | undefined): Value {
  return value.kind === 'tensor' && fromOne?.includes(true) === true ? { ...value, fromOne } : value;
}

/** The same of a value, as the model of its equation has it. */
export function axesFromOne(value: Value): { readonly fromOne?: readonly boolean[] } {
  return value.kind === 'tensor' && value.fromOne ? { fromOne: value.fromOne } : {};
}

/** The sizes of the axes along which the texts so far count from 1. */
export function sizesFromOne({ fromOne }: Context): { readonly countedFromOne?: readonly string[] } {
  const names = fromOne.flatMap(({ base, size }) => (base === 1 && size.kind === 'variable' ? [size.name] : []));
  return names.length > 0 ? { countedFromOne: [...new Set(names)] } : {};
}

/** Lets `texts` about an equation count along these axes as its formula does. */
export function countAsFormula(
  ctx: Context,
  texts: readonly FormalText[],
  { name, countedFromOne = [] }: EquationModel,
): void {
  for (const text of new Set(texts))
    for (const size of countedFromOne)
      ctx.fromOne.push({ text, size: variable(size, INTEGER), written: `an index of ${name}`, base: 1 });
}

interface Place {
  readonly term: Term;
  readonly size: Term;
  readonly shown: string;
  readonly range: Range;
}

/** An index in the place of such an axis. One that only names elements may count from 0 as well: it names the same ones. */
export function useFromOne(ctx: Context, place: Place, indices: readonly IndexVariable[]): Leaving {
  const { term, size, shown, range } = place;
  const own = term.kind === 'variable' ? ctx.indices.get(term.name) : undefined;
  if (own !== undefined && own.to !== null) return useWritten(ctx, own, own.to, place);
  const numbers = indices.filter((index) => index.to === null && isNumber(ctx.text, index.written));
  const [number] = numbers;
  if (own && number && own.inferred === null && own.declared === null) {
    own.from = integer(1);
    own.to = call('add', size, integer(1));
    countFrom(ctx, own, 1, range);
    return { ...stays, base: 1 };
  }
  if (number) {
    giveUp(
      ctx,
      range,
      `${shown} counts from 1, and ${number.written} may count from 0 here`,
      `say where it runs: for all ${number.written} in {1, …, ${printTerm(size)}}`,
    );
    return stays;
  }
  if (own) return useIndex(ctx, own, size, shown, range);
  if (indices.some(({ to }) => to === null)) return { ...stays, mayLeave: true };
  const [at, length] = [integerValue(term), constantSize(size)];
  if (at !== null && (at < 1 || (length !== null && at > length)))
    fail(ctx, 'PV-4005', range, `index ${at} is outside ${shown}`, `its indices count from 1`);
  return { ...stays, mayLeave: at === null || ctx.claim === null, base: 1 };
}

/** x_1 next to `Σ_{i=1}^{n} x_i` is the first element. What follows in the text must count like the numbers before it. */
export function countsNumbersFromOne(ctx: Context, place: number, size: Term, range: Range): boolean {
  const isFromOne = ctx.fromOne.some(
    (one) => one.text === ctx.text && one.base === 1 && equalSizes(ctx, one.size, size),
  );
  countAlike(ctx, { text: ctx.text, size, written: String(place), base: isFromOne && place > 0 ? 1 : 0 }, range);
  return isFromOne && place > 0;
}

function useWritten(ctx: Context, index: IndexVariable, to: Term, { size, range }: Place): Leaving {
  countFrom(ctx, index, 1, range);
  const from = index.from ? integerValue(index.from) : 0;
  const isInside = from !== null && from >= 1 && equalSizes(ctx, call('subtract', to, integer(1)), size);
  return { ...stays, mayLeave: !isInside, base: 1 };
}

/** Whether the text uses `name` other than to name elements. */
function isNumber({ notation }: FormalText, name: string): boolean {
  const uses = (part: Expression): boolean => {
    if (part.kind === 'name') return part.text === name;
    return part.kind === 'index' ? uses(part.base) : childrenOf(part).some(uses);
  };
  return notation.statements.some(({ body, conditions, definitions }) =>
    [body, ...conditions, ...definitions].some(uses),
  );
}
