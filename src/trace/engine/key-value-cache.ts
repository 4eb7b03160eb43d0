import { kvDimension } from '../model/layout.ts';
import type { ModelConfig } from '../model/model.ts';

/** Keys and values of one layer, one row of kvHeads·headSize numbers for each position. */
export interface KeyValueCache {
  readonly keys: Float32Array;
  readonly values: Float32Array;
}

export interface KeyValueCaches {
  /** Makes room for `positions`; what is there stays. Arrays handed out before may be others afterwards. */
  readonly reserve: (positions: number) => void;
  readonly layer: (layer: number) => KeyValueCache;
  /** Room for one number for each position. */
  readonly scores: Float32Array;
}

const firstPositions = 16;

/**
 * The keys and values of all layers. Room doubles as positions come: a checkpoint of some kilobytes may claim a sequence
 * length for which the whole cache would take terabytes.
 */
export function createKeyValueCache(config: ModelConfig): KeyValueCaches {
  const kvDim = kvDimension(config);
  const caches: KeyValueCache[] = Array.from({ length: config.layers }, () => ({
    keys: new Float32Array(),
    values: new Float32Array(),
  }));
  let scores = new Float32Array();
  return {
    reserve: (positions) => {
      if (positions <= scores.length) return;
      const room = Math.min(config.sequenceLength, Math.max(firstPositions, 2 * scores.length, positions));
      scores = new Float32Array(room);
      caches.forEach(({ keys, values }, layer) => {
        caches[layer] = { keys: grown(keys, room * kvDim), values: grown(values, room * kvDim) };
      });
    },
    layer: (layer) => caches[layer] ?? { keys: new Float32Array(), values: new Float32Array() },
    get scores() {
      return scores;
    },
  };
}

function grown(numbers: Float32Array, length: number): Float32Array {
  const more = new Float32Array(length);
  more.set(numbers);
  return more;
}
