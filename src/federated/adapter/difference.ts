/** What a participant learned: its adapter less the one that the round started from. */
import { present } from '../../base/invariant.ts';
import type { FloatTensor, StateDict } from './layout.ts';

/** x − start, tensor by tensor, each number rounded once. Both have the same tensors. */
export const differenceOf = (x: StateDict, start: StateDict): StateDict => combined(x, start, (a, b) => a - b);

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
