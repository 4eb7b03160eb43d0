/** What each strategy holds in memory while an update can still be refused: the bytes of all typed arrays that it makes. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Slots } from '../../../src/training/optimizer/optimizer.ts';
import {
  propose,
  rollbackStrategies,
  type RollbackStrategy,
  type Update,
} from '../../../src/training/trainer/rollback.ts';

/** Eight layers of 1,000 weights, each with one array of optimizer state: 8,000 bytes a layer. */
const [layerCount, weights] = [8, 1000];
const layerBytes = 2 * 4 * weights;

afterEach(() => {
  vi.unstubAllGlobals();
});

/** The bytes of float32 arrays that `action` makes. */
function bytesMade(action: () => void): number {
  let bytes = 0;
  const Plain = Float32Array;
  class Counted extends Plain {
    constructor(length: number) {
      super(length);
      bytes += 4 * length;
    }
    static get [Symbol.species](): Float32ArrayConstructor {
      return Plain;
    }
    override slice(from?: number, to?: number): Float32Array<ArrayBuffer> {
      bytes += this.byteLength;
      return super.slice(from, to);
    }
  }
  const slots = Array.from({ length: layerCount }, (): Slots => ({
    weights: new Counted(weights),
    state: [new Counted(weights)],
  }));
  bytes = 0;
  vi.stubGlobal('Float32Array', Counted);
  currentSlots = slots;
  action();
  vi.unstubAllGlobals();
  return bytes;
}

let currentSlots: readonly Slots[] = [];

/** An update that layer `refused` refuses, or none does. */
const apply = (strategy: RollbackStrategy, refused: number | null, model: boolean) =>
  bytesMade(() => {
    const update: Update = {
      layers: currentSlots.map((_, i) => ({ name: String(i), members: [i] })),
      slots: (i) => currentSlots[i] ?? expect.fail('there are eight'),
      compute: (_, next) => next.weights.fill(1),
      checkLayer: ({ name }) => name !== String(refused),
    };
    propose(strategy, update, model)?.commit();
  });

describe('the bytes that are held', () => {
  it.each([
    ['delta-apply', null, layerBytes],
    ['delta-apply', 2, layerBytes],
    ['chunked-rollback', 2, 3 * layerBytes],
    ['chunked-rollback', null, layerCount * layerBytes],
    ['full-snapshot', 2, layerCount * layerBytes],
    ['full-snapshot', null, layerCount * layerBytes],
  ] as const)('by %s, refused in layer %s, are %i', (strategy, refused, bytes) => {
    expect(apply(strategy, refused, false)).toBe(bytes);
  });

  it.each(rollbackStrategies)(
    'by %s are a whole copy where a check needs all proposed weights in place',
    (strategy) => {
      expect(apply(strategy, null, true)).toBe(layerCount * layerBytes);
    },
  );
});
