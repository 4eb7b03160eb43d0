/**
 * The shape of a parameter, as far as what an optimizer keeps for it shows.
 *
 * Source: torch/optim of PyTorch 2.x; Adafactor also in transformers 4.x, src/transformers/optimization.py. It keeps averages of squares
 * of rows and columns: of a tensor [..., r, c] transformers keeps [..., r] and [..., c], PyTorch [..., r, 1] and [..., 1, c].
 */
import type { ParameterState } from './checkpoint.ts';

/** Tensors with one number for each of the parameter's. */
const whole = ['exp_avg', 'momentum_buffer', 'exp_avg_sq', 'square_avg', 'sum', 'variance', 'exp_inf', 'prev'];

/** Averages of squares by rows and by columns, and the whole one in their place for vectors. */
export const factored = [
  { rows: 'exp_avg_sq_row', columns: 'exp_avg_sq_col', whole: 'exp_avg_sq' },
  { rows: 'row_var', columns: 'col_var', whole: 'variance' },
] as const;

/** Null if nothing shows it. */
export function parameterShape({ tensors }: Pick<ParameterState, 'tensors'>): readonly number[] | null {
  for (const key of whole) {
    const tensor = tensors.get(key);
    if (tensor !== undefined) return tensor.shape;
  }
  for (const { rows, columns } of factored) {
    const [row, column] = [tensors.get(rows)?.shape, tensors.get(columns)?.shape];
    if (row === undefined || column === undefined) continue;
    return [...(rows === 'row_var' ? row.slice(0, -1) : row), column.at(-1) ?? 0];
  }
  return null;
}
