/** Memory in a WebAssembly memory, allocated from the bottom up and never freed. */
import { wholeTiles } from '../../wasm/pack.ts';

/** Bytes of a page of memory. */
const pageBytes = 2 ** 16;

/** Gives out addresses. */
export interface Arena {
  /**
   * The address of `count` float32, rounded up to whole tiles: kernels may write up to fifteen numbers after the end.
   */
  readonly floats: (count: number) => number;
  /** Pages that hold all that was given out. */
  readonly pages: () => number;
}

/** Room from the address `start` on: a multiple of 64, as all addresses are. */
export function createArena(start: number): Arena {
  let end = start;
  return {
    floats: (count) => {
      const address = end;
      end += 4 * wholeTiles(count);
      return address;
    },
    pages: () => Math.ceil(end / pageBytes),
  };
}
