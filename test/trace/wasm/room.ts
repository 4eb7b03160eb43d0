/** A memory with the kernels bound to it, and numbers to try them with. */
import fc from 'fast-check';
import { exp32Table } from '../../../src/numeric/elementary32/exp.ts';
import { float32Bits, float32FromBits } from '../../../src/numeric/float.ts';
import { nextUint32, streamFor, uniformInteger, unitFloat } from '../../../src/numeric/xoshiro.ts';
import { webAssembly, type WasmMemory } from '../../../src/host/web-assembly.ts';
import { createArena } from '../../../src/trace/wasm/arena.ts';
import { bindKernels, type Kernels } from '../../../src/trace/wasm/kernels.ts';
import { packRows, wholeTiles, type Matrix } from '../../../src/wasm/pack.ts';

export interface Room {
  readonly kernels: Kernels;
  readonly memory: WasmMemory;
  /** Puts a vector into the memory, with NaN behind its end: whatever a kernel reads there must not matter. */
  readonly put: (numbers: Float32Array) => number;
  readonly putMatrix: (numbers: Float32Array, columns: number) => Matrix;
  /** Room for a result. */
  readonly empty: (count: number) => number;
  readonly take: (address: number, count: number) => Float32Array;
}

/** A room for as many cases as a property has: what is put is never taken away. */
export function createRoom(): Room {
  const memory = new webAssembly.Memory({ initial: 256, maximum: 256 });
  new BigUint64Array(memory.buffer).set(exp32Table);
  const floats = new Float32Array(memory.buffer);
  const arena = createArena(exp32Table.byteLength);
  const empty = (count: number): number => arena.floats(count);
  return {
    kernels: bindKernels(memory),
    memory,
    empty,
    put: (numbers) => {
      const at = empty(numbers.length);
      floats.fill(Number.NaN, at / 4, at / 4 + wholeTiles(numbers.length));
      floats.set(numbers, at / 4);
      return at;
    },
    putMatrix: (numbers, columns) => {
      const rows = numbers.length / columns;
      const matrix = { at: empty(wholeTiles(rows) * columns), rows, columns };
      packRows(floats, matrix, numbers);
      return matrix;
    },
    take: (address, count) => floats.slice(address / 4, address / 4 + count),
  };
}

/** Bit patterns, so that zeros keep their signs; every NaN has the same, since payloads are no part of the profile. */
export const bits = (numbers: Float32Array): readonly number[] => Array.from(numbers, float32Bits);

/** What the numbers of a case are like. */
const kinds = ['ordinary', 'any finite', 'tiny', 'huge', 'mixed'] as const;
type Kind = (typeof kinds)[number];

/** A case: `numbers(name, count)` are its float32, the same for the same arguments. */
export interface Draw {
  readonly numbers: (name: string, count: number) => Float32Array;
}

/** Finite float32: near 1, of any bits, subnormal with zeros of both signs, near to overflow, or all of it. */
export const draws: fc.Arbitrary<Draw> = fc
  .record({ seed: fc.nat(), kind: fc.constantFrom(...kinds) })
  .map(({ seed, kind }) => ({
    numbers: (name, count) => {
      const stream = streamFor(seed, name);
      const ofKind: Readonly<Record<Kind, () => number>> = {
        ordinary: () => 4 * unitFloat(stream) - 2,
        'any finite': () => {
          const number = float32FromBits(nextUint32(stream));
          return Number.isFinite(number) ? number : 1;
        },
        tiny: () => float32FromBits((nextUint32(stream) & 0x8000_0007) >>> 0),
        huge: () => (2 * unitFloat(stream) - 1) * 2 ** 127,
        mixed: () => ofKind[kinds[uniformInteger(stream, 0, 3)] ?? 'ordinary'](),
      };
      return Float32Array.from({ length: count }, () => ofKind[kind]());
    },
  }));
