/**
 * Decimals of some number of digits that remember what they computed: a formula computes the same exponentials again and again,
 * in every element that they are part of and in every case with the same edge values.
 */
import { Decimal } from 'decimal.js';
import { functionTable } from '../functions.ts';
import { elementary } from '../functions/elementary.ts';
import type { DecimalContext, FunctionRow, NumericRow } from '../functions/row.ts';

/** Functions at a number of digits. Costly results are remembered, up to a limit. */
export interface Precision {
  readonly context: DecimalContext;
  readonly numeric: (row: NumericRow, a: Decimal, b: Decimal, c: Decimal) => Decimal;
}

/** What takes many times as long as finding it again. */
const dear: ReadonlySet<FunctionRow> = new Set<FunctionRow>([...Object.values(elementary), functionTable.power]);

/** For one precision; a change clears the cache. */
const mostKept = 20_000;

/** Arithmetic with `digits` significant decimal digits, ties to even. */
export function createPrecision(digits: number): Precision {
  const context = Decimal.clone({ precision: digits, rounding: Decimal.ROUND_HALF_EVEN, defaults: true });
  const known = new Map<NumericRow, Map<string, Decimal>>();
  let kept = 0;
  const numeric: Precision['numeric'] = (row, a, b, c) => {
    if (!dear.has(row)) return row.exact(context, a, b, c);
    const values = known.get(row) ?? new Map<string, Decimal>();
    // No row that is dear has a third argument.
    const key = row.arguments.length === 1 ? keyOf(a) : `${keyOf(a)} ${keyOf(b)}`;
    const found = values.get(key);
    if (found) return found;
    if (kept++ === mostKept) {
      known.clear();
      kept = 1;
      values.clear();
    }
    const value = row.exact(context, a, b, c);
    known.set(row, values.set(key, value));
    return value;
  };
  return { context, numeric };
}

/** Its sign, exponent and digits, as decimal.js has them: cheaper than a text. */
const keyOf = ({ s, e, d }: Decimal): string => `${s}:${e}:${(d as readonly number[] | null)?.join() ?? ''}`;
