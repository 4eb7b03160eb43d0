import { describe, expect, test } from 'vitest';
import { strictFloat32, type Engine } from '../../../src/trace/engine/engine.ts';
import { createStrictEngine } from '../../../src/trace/engine/strict.ts';
import { tinyModel } from '../../../src/trace/model/tiny-model.ts';
import { modelOf } from '../../support/llama-data.ts';
import { greedy, hashedSteps, problemOf, topP } from './generations.ts';

const model = modelOf(tinyModel(1).checkpoint);
const tiny = createStrictEngine(model);

/** An engine of four tokens and ten positions that wants the token after its input, or what `row` says. */
function scripted(row: (position: number) => readonly number[] | null = () => null): Engine {
  const config = { ...model.config, vocabSize: 4, sequenceLength: 10 };
  const next = (token: number) => Array.from({ length: 4 }, (_, id) => (id === (token + 1) % 4 ? 1 : 0));
  return {
    config,
    profile: strictFloat32,
    forward: (token, position) => Float32Array.from(row(position) ?? next(token)),
  };
}

const path = (engine: Engine, generation: Parameters<typeof hashedSteps>[1]) =>
  hashedSteps(engine, generation).map(({ position, inputToken, outputToken }) => [position, inputToken, outputToken]);

describe('a generation', () => {
  test('is forced along its prompt and then follows the logits', () => {
    expect(path(scripted(), { prompt: [1, 3, 3], steps: 5, sampler: greedy })).toEqual([
      [0, 1, 3],
      [1, 3, 3],
      [2, 3, 0],
      [3, 0, 1],
    ]);
  });

  test('ends with BOS, forced or chosen', () => {
    expect(path(scripted(), { prompt: [1, 2], steps: 0, sampler: greedy })).toEqual([
      [0, 1, 2],
      [1, 2, 3],
      [2, 3, 0],
      [3, 0, 1],
    ]);
    expect(path(scripted(), { prompt: [1, 2, 1, 2], steps: 0, sampler: greedy })).toHaveLength(2);
  });

  test.each([
    [0, 10],
    [1, 1],
    [9, 9],
    [10, 10],
    [11, 10],
    [2 ** 40, 10],
  ])('of %i steps has %i, for a model of ten positions', (steps, length) => {
    expect(
      path(
        scripted(() => [1, 0, 0, 0]),
        { prompt: [1], steps, sampler: greedy },
      ),
    ).toHaveLength(length);
  });

  test('ends within a prompt that is longer than its steps', () => {
    expect(path(scripted(), { prompt: [1, 2, 3, 3, 3], steps: 2, sampler: greedy })).toEqual([
      [0, 1, 2],
      [1, 2, 3],
    ]);
    const long = Array.from({ length: 50 }, (_, i) => (i === 0 ? 1 : 2));
    expect(path(scripted(), { prompt: long, steps: 0, sampler: greedy })).toHaveLength(10);
  });

  test('draws nothing while it is forced: the same text from a prompt that holds its beginning comes out differently', () => {
    const sampler = topP({ temperature: 1, topP: 1 });
    const free = path(tiny, { prompt: [1], steps: 20, sampler });
    const second = free[0]?.[2] ?? 0;
    const forced = path(tiny, { prompt: [1, second], steps: 20, sampler });
    // The first draw is made one position later now: with the coin that chose the second token.
    expect(forced[0]).toEqual(free[0]);
    expect(forced).not.toEqual(free);
    expect(path(tiny, { prompt: [1], steps: 20, sampler })).toEqual(free);
  });

  test('does not depend on what the engine did before', () => {
    const fresh = hashedSteps(createStrictEngine(model), { prompt: [1, 300], steps: 30, sampler: greedy });
    hashedSteps(tiny, { prompt: [1, 299, 298], steps: 40, sampler: topP() });
    expect(hashedSteps(tiny, { prompt: [1, 300], steps: 30, sampler: greedy })).toEqual(fresh);
  });
});

describe('a generation is refused', () => {
  test.each([
    ['an empty prompt', { prompt: [] }, 'PV-8014', 'prompt'],
    ['a number of steps that is none', { steps: Number.NaN }, 'PV-8014', 'steps'],
    ['steps below zero', { steps: -1 }, 'PV-8014', 'steps'],
    ['half a step', { steps: 1.5 }, 'PV-8014', 'steps'],
    ['a token of another vocabulary', { prompt: [1, 4] }, 'PV-8012', 'token id'],
    [
      'a token that would be the last output',
      { prompt: [1, ...Array<number>(9).fill(2), 4], steps: 0 },
      'PV-8012',
      'token id',
    ],
    ['a token below zero', { prompt: [-1] }, 'PV-8012', 'token id'],
    ['another engine’s sampler', { sampler: { kind: 'other', description: '' } as const }, 'PV-8014', 'sampler'],
  ])('for %s', (_, given, code, check) => {
    const { problem, steps } = problemOf(scripted(), { prompt: [1], steps: 3, sampler: greedy, ...given });
    expect(problem).toMatchObject({ code, check });
    expect(steps).toBe(0);
  });

  test.each([
    [Number.NaN, 2],
    [Infinity, 0],
    [-Infinity, 3],
  ])('where a logit is %d, by position and token', (logit, token) => {
    const engine = scripted((position) => (position === 2 ? [0, 0, 0, 0].with(token, logit) : [1, 0, 0, 0]));
    for (const prompt of [[1], [1, 2, 2, 2, 2]]) {
      const { problem, steps } = problemOf(engine, { prompt, steps: 5, sampler: greedy });
      expect(problem).toMatchObject({ code: 'PV-8013', position: 2, actual: `${logit}` });
      expect(problem?.message).toContain(`the logit of token ${token}`);
      expect(steps).toBe(2);
    }
  });

  test('where a model overflows float32', () => {
    const { config, weights, digest } = model;
    const loud = { config, digest, weights: { ...weights, finalNorm: weights.finalNorm.map((gain) => gain * 1e38) } };
    expect(problemOf(createStrictEngine(loud), { prompt: [1], steps: 5, sampler: greedy })).toMatchObject({
      problem: { code: 'PV-8013', position: 0 },
      steps: 0,
    });
  });

  test('where the temperature is too small for the logits, at the position that is chosen from', () => {
    const { problem } = problemOf(
      scripted(() => [100, 1, 2, 3]),
      { prompt: [1, 2], steps: 5, sampler: topP({ temperature: 1e-38 }) },
    );
    expect(problem).toMatchObject({ code: 'PV-8014', check: 'temperature', position: 1 });
  });
});
