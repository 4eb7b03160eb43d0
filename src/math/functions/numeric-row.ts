import { unmodelled, type ArgumentKind, type NumericRow, type Printing } from './row.ts';

type Meaning = Pick<NumericRow, 'float64' | 'exact' | 'javascript'> & Partial<Pick<NumericRow, 'result' | 'float32'>>;

const NUMBERS: readonly ArgumentKind[] = ['number', 'number', 'number'];

/** A numeric row with `arity` arguments; by default a real result, rounded in float32. */
export function numeric(arity: 0 | 1 | 2 | 3, printing: Printing, meaning: Meaning): NumericRow {
  return {
    kind: 'numeric',
    arguments: NUMBERS.slice(0, arity),
    result: 'real',
    float32: 'rounded',
    ...unmodelled,
    ...printing,
    ...meaning,
  };
}
