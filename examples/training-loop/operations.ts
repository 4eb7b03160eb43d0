/**
 * The launches that the model is made of, with their shapes, and a note of the strides with which matrix products write.
 */
import type { Buffer, Device, Operand } from './device.ts';
import type { Row } from './records.ts';

/** Three sizes, in the order that each operation names. */
export type Sizes = readonly [number, number, number];

export interface Operations {
  /** C = A·B of m×k and k×n. */
  readonly product: (A: Buffer, B: Buffer, C: Buffer, sizes: Sizes) => void;
  /**
   * dA = dC·Bᵀ for the sizes m, n, k. `passed` is what the kernel is called with, which is `sizes` unless a caller
   * exchanges arguments; `name` says in the table of strides what is written.
   */
  readonly backwardA: (dC: Buffer, B: Buffer, dA: Buffer, sizes: Sizes, as?: { name: string; passed: Sizes }) => void;
  /** dB = Aᵀ·dC for the sizes m, n, k. */
  readonly backwardB: (A: Buffer, dC: Buffer, dB: Buffer, sizes: Sizes) => void;
  readonly elementwise: (
    kernel: 'silu' | 'siluBackward' | 'add',
    from: readonly Buffer[],
    to: Buffer,
    length: number,
  ) => void;
  /** Of each matrix product that writes a gradient: the columns of its output, and the stride of the rows it wrote. */
  readonly gemms: ReadonlyMap<string, Row>;
}

export const tensor = (buffer: Buffer, ...shape: readonly number[]): Operand => ({ buffer, shape });

/** Of a product C = A·B of m×k and k×n: its sizes and the lengths of the three buffers. */
const productSizes = ([a, b, c]: readonly [Buffer, Buffer, Buffer], [m, k, n]: Sizes): Row => {
  return { m, k, n, a_len: a.length, b_len: b.length, c_len: c.length };
};

export function createOperations(device: Device): Operations {
  const gemms = new Map<string, Row>();
  const noteStride = (name: string, columns_of_output: number, stride_of_output: number): void => {
    if (!gemms.has(name)) gemms.set(name, { index: gemms.size, name, columns_of_output, stride_of_output });
  };
  return {
    gemms,
    product: (A, B, output, [m, k, n]) =>
      device.launch({
        kernel: 'matmul',
        operands: [tensor(A, m, k), tensor(B, k, n), m, k, n],
        output,
        outputShape: [m, n],
        sizes: productSizes([A, B, output], [m, k, n]),
      }),
    backwardA: (dC, B, output, sizes, as = { name: output.name, passed: sizes }) => {
      const [m, n, k] = as.passed;
      noteStride(as.name, sizes[2], k);
      device.launch({
        kernel: 'gemmBackwardA',
        operands: [tensor(dC, m * n), tensor(B, k * n), m, n, k],
        output,
        outputShape: [m * k],
        sizes: productSizes([dC, B, output], [m, n, k]),
      });
    },
    backwardB: (A, dC, output, [m, n, k]) => {
      noteStride(output.name, n, n);
      device.launch({
        kernel: 'gemmBackwardB',
        operands: [tensor(A, m * k), tensor(dC, m * n), m, n, k],
        output,
        outputShape: [k * n],
        sizes: productSizes([A, dC, output], [k, m, n]),
      });
    },
    elementwise: (kernel, from, output, length) =>
      device.launch({
        kernel,
        operands: [...from.map((buffer) => tensor(buffer, length)), length],
        output,
        outputShape: [length],
        sizes: { input_len: length, output_len: output.length },
      }),
  };
}
