/** What a participant learned: its adapter less the one that the round started from. */
import { present } from '../../base/invariant.ts';
import type { FloatTensor, StateDict } from './layout.ts';

/** x − start, tensor by tensor, each number rounded once. Both have the same tensors. */
export const differenceOf = (x: StateDict, start: StateDict): StateDict => combined(x, start, (a, b) => a - b);

/** ‖x − start‖₂, as the norm of {@link differenceOf} has it, bit for bit, but without the memory of the difference. */
export function distance(x: StateDict, start: StateDict): number {
  let total = 0;
  for (const [name, { data }] of x) {
    const other = present(start.get(name), 'both have the same tensors').data;
    let sum = 0;
    for (let i = 0; i < data.length; i++) sum += Math.fround((data[i] ?? NaN) - (other[i] ?? NaN)) ** 2;
    total += sum;
  }
  return Math.sqrt(total);
}

/** start + difference. */
export const sumOf = (start: StateDict, difference: StateDict): StateDict =>
  combined(start, difference, (a, b) => a + b);

const combined = (x: StateDict, y: StateDict, of: (a: number, b: number) => number): StateDict =>
  new Map(
    [...x].map(([name, { shape, data }]): [string, FloatTensor] => {
      const other = present(y.get(name), 'both have the same tensors').data;
      return [name, { shape, data: data.map((a, i) => of(a, other[i] ?? NaN)) }];
    }),
  );
