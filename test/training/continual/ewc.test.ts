/** Elastic weight consolidation: penalty, gradient, what it adds to a step, and how it widens WeightNormBound. */
import { describe, expect, it } from 'vitest';
import { consolidate, diagonalFisher, type ConsolidatedTask } from '../../../src/training/continual/ewc.ts';
import { lossStabilityBound } from '../../../src/training/invariants/loss-stability.ts';
import { weightNormBound, widened } from '../../../src/training/invariants/weight-norm.ts';
import { layersByPrefix, readParameters } from '../../../src/training/parameters.ts';
import { orThrow } from '../../../src/training/training-error.ts';
import { gradientOf, trainerWith } from '../invariants/fixture.ts';

const parameters = orThrow(readParameters({ 'a.bias': Float32Array.of(2), 'a.weight': Float32Array.of(1, -1) }));
const layers = layersByPrefix(parameters);
const task = (anchor: readonly number[], fisher: readonly number[], name = 'first'): ConsolidatedTask => ({
  name,
  anchor: { 'a.bias': Float32Array.from(anchor.slice(0, 1)), 'a.weight': Float32Array.from(anchor.slice(1)) },
  fisher: { 'a.bias': Float32Array.from(fisher.slice(0, 1)), 'a.weight': Float32Array.from(fisher.slice(1)) },
});
const first = task([1, 1, 1], [2, 0, 4]);
const second = task([0, 0, 0], [1, 1, 1], 'second');

describe('the diagonal Fisher information', () => {
  it('is the mean of the squares, not the square of the mean, and takes buffers that are used again', () => {
    const buffer = new Float32Array(2);
    const samples = function* () {
      for (const values of [
        [1, 3],
        [-1, 4],
        [1, 0],
      ]) {
        buffer.set(values);
        yield { w: buffer };
      }
    };
    expect(diagonalFisher(samples())).toEqual({ w: Float32Array.of(1, 25 / 3) });
  });
});

describe('the penalty', () => {
  it('is λ/2·ΣF·(θ − θ*)² over all tasks', () => {
    // 2·1² + 0 + 4·2² = 18; 1·2² + 1·1² + 1·1² = 6.
    expect(consolidate({ lambda: 3, tasks: [first] }, parameters, layers).penalty()).toBe(27);
    expect(consolidate({ lambda: 3, tasks: [first, second] }, parameters, layers).penalty()).toBe(36);
    expect(consolidate({ lambda: 0, tasks: [first] }, parameters, layers).penalty()).toBe(0);
  });

  it('has the gradient that finite differences have', () => {
    const moved = orThrow(readParameters({ 'a.bias': Float32Array.of(2), 'a.weight': Float32Array.of(1, -1) }));
    const { penalty, added } = consolidate({ lambda: 3, tasks: [first, second] }, moved, layers);
    const gradient = added(moved.map(({ data }) => new Float32Array(data.length))).map((g) => g.slice());
    for (const [p, { data }] of moved.entries()) {
      for (const [i, value] of data.entries()) {
        const at = (x: number): number => {
          data[i] = x;
          return penalty();
        };
        expect(gradient[p]?.[i]).toBeCloseTo((at(value + 0.5) - at(value - 0.5)) / 1, 4);
        data[i] = value;
      }
    }
  });

  it.each([
    ['an array too few', { ...first, anchor: { 'a.bias': Float32Array.of(1) } }],
    ['an array of another length', task([1, 1, 1], [1, 1])],
    ['importance below 0', task([1, 1, 1], [1, -1, 1])],
    ['an anchor that is not a number', task([1, NaN, 1], [1, 1, 1])],
  ])('needs its tasks whole, not %s', (_, wrong) => {
    expect(() => consolidate({ lambda: 1, tasks: [wrong] }, parameters, layers)).toThrow(/^PV-8401: The /);
  });
});

const matrixTask = (anchor: readonly number[]): ConsolidatedTask => ({
  name: 'old',
  anchor: { 'a.weight': Float32Array.from(anchor) },
  fisher: { 'a.weight': Float32Array.of(1, 1, 1, 1) },
});

describe('a trainer with ewc', () => {
  it('adds the penalty to the loss, and its gradient to the update', async () => {
    const trainer = trainerWith([lossStabilityBound({ spikeCap: 1, window: 3, maxGradientNorm: 3, maxStepSize: 9 })], {
      ewc: { lambda: 2, tasks: [matrixTask([2, 0, 0, 4])] },
    });
    const step = await trainer.step({ loss: 5, gradients: gradientOf(0, 0, 0, 0) });
    expect(step).toMatchObject({ verdict: 'committed', loss: 6 });
    expect(step.measured[0]).toMatchObject({ what: 'gradient norm', value: 2 });
    expect([...(trainer.parameters[0]?.data ?? [])]).toEqual([Math.fround(2.8), 0, 0, 4]);
    const { config } = await trainer.seal();
    expect(config['ewc']).toMatchObject({ lambda: 2, tasks: [{ name: 'old', norms: { a: Math.sqrt(20) } }] });
  });

  it('widens the norms of a layer to those of its anchors, and no further', async () => {
    const verdictAt = async (anchor: readonly number[] | null) => {
      const ewc = { lambda: 0, tasks: anchor === null ? [] : [matrixTask(anchor)] };
      const trainer = trainerWith([weightNormBound({ max: 5.5, min: 1 })], { ewc });
      const { verdict, measured } = await trainer.step({ loss: 1, gradients: gradientOf(0, 0, 0, -20) });
      return [verdict, ...measured.map(({ bound }) => bound)];
    };
    // ‖W‖ goes from 5 to √(9 + 36) ≈ 6.7.
    expect(await verdictAt(null)).toEqual(['refused', 5.5, 1]);
    expect(await verdictAt([3, 0, 0, 4])).toEqual(['refused', 5.5, 1]);
    expect(await verdictAt([6.6, 0, 0, 0])).toEqual(['refused', Math.fround(6.6), 1]);
    expect(await verdictAt([6.8, 0, 0, 0])).toEqual(['committed', Math.fround(6.8), 1]);
    expect(widened({ max: 5, min: 1 }, [0.5, 7, 3])).toEqual({ max: 7, min: 0.5 });
    expect(widened({ max: 5, min: 1 }, [])).toEqual({ max: 5, min: 1 });
  });
});
