/** Replays in blocks: the same as one position after the other, whatever the trace leaves out. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Engine } from '../../../src/trace/engine/engine.ts';
import type { Step } from '../../../src/trace/format/trace.ts';
import { feedPlaces, type Place } from '../../../src/trace/verify/feed.ts';
import { createFastEngine } from '../../../src/trace/wasm/fast.ts';
import { model, recorded, verified } from './recorded.ts';

const vocabSize = 4;
const config = { ...model.config, vocabSize, sequenceLength: 24 };

interface Watched {
  readonly engine: Engine;
  /** Positions of each call. */
  readonly calls: number[][];
  /** Those of the calls that take several positions. */
  readonly blocks: number[][];
}

/** Logits that tell everything that was fed in; at `overflows` they are infinite. With `positions`, it takes that many at once. */
function watched(overflows: number, positions: number | null): Watched {
  const calls: number[][] = [];
  const blocks: number[][] = [];
  const history: number[] = [];
  const row = (token: number, position: number): Float32Array => {
    history[position] = token;
    const sum = history.slice(0, position + 1).reduce((total, one) => (total * 5 + one) % 1009, 0);
    return Float32Array.of(sum, token, position, position === overflows ? Infinity : 0);
  };
  const forward = (token: number, position: number): Float32Array => {
    calls.push([position]);
    return row(token, position);
  };
  const together = (tokens: readonly number[], position: number): Float32Array[] => {
    const block = tokens.map((_, i) => position + i);
    calls.push(block);
    blocks.push(block);
    return tokens.map((token, i) => row(token, position + i));
  };
  const engine = { config, profile: 'unspecified', forward };
  return {
    engine: positions === null ? engine : { ...engine, block: { positions, forward: together } },
    calls,
    blocks,
  };
}

const stepAt = (position: number, inputToken: number): Step => ({
  kind: 'step',
  position,
  inputToken,
  outputToken: null,
  logitsHash: new Uint8Array(32),
  sketch: null,
});

/** What a replay sees: each place, its logits or its problem; `following` is what the logits before it choose. */
function seen(engine: Engine, places: readonly Place[], prompt: readonly number[] | null, guesses: boolean): unknown[] {
  let following: number | null = null;
  const found: unknown[] = [];
  for (const { place, fed } of feedPlaces(engine, places, prompt, () => following)) {
    found.push([place.position, 'logits' in fed ? [...fed.logits] : fed]);
    if (!('logits' in fed)) break;
    following = guesses ? (fed.logits[0] ?? 0) % vocabSize : null;
  }
  return found;
}

/** Null where nobody recorded a token. */
const tokens = fc.array(fc.option(fc.nat(vocabSize - 1)), { maxLength: 30 });
/** A token that the vocabulary does not have. */
const strangers = fc.option(fc.record({ at: fc.nat(29), token: fc.constant(vocabSize) }));

test('blocks give what single positions give, until the same problem', () => {
  const prompts = fc.option(fc.array(fc.nat(vocabSize - 1), { maxLength: 12 }));
  const overflow = fc.integer({ min: -1, max: 40 });
  fc.assert(
    fc.property(
      tokens,
      strangers,
      prompts,
      fc.boolean(),
      overflow,
      fc.integer({ min: 1, max: 9 }),
      (recordedTokens, stranger, prompt, guesses, overflows, positions) => {
        const places = recordedTokens.map((token, position): Place => {
          const own = stranger?.at === position ? stranger.token : token;
          return { position, step: own === null ? null : stepAt(position, own), claimed: null };
        });
        const [single, block] = [watched(overflows, null), watched(overflows, positions)];
        expect(seen(block.engine, places, prompt, guesses)).toEqual(seen(single.engine, places, prompt, guesses));
        expect(Math.max(0, ...block.calls.map((call) => call.length))).toBeLessThanOrEqual(positions);
      },
    ),
    { numRuns: 1000 },
  );
});

test('known tokens go together; those that the logits choose go alone', () => {
  const { engine, calls, blocks } = watched(-1, 4);
  const places = Array.from({ length: 12 }, (_, position): Place => ({
    position,
    step: position < 6 || position > 8 ? stepAt(position, 1) : null,
    claimed: null,
  }));
  seen(engine, places, null, true);
  expect(calls).toEqual([[0, 1, 2, 3], [4, 5], [6], [7], [8, 9, 10, 11]]);
  expect(blocks).toEqual(calls.filter(({ length }) => length > 1));
});

test.each([0, 3])('a logit of token %i that is not a finite number ends it, alone or in a block', (token) => {
  const forward = (): Float32Array => new Float32Array(vocabSize).with(token, Number.NaN);
  const alone: Engine = { config, profile: 'unspecified', forward };
  const block = { positions: 4, forward: (tokens: readonly number[]) => tokens.map(forward) };
  const places = [0, 1].map((position): Place => ({ position, step: stepAt(position, 1), claimed: null }));
  for (const engine of [alone, { ...alone, block }]) {
    expect(seen(engine, places, null, false)).toMatchObject([
      [0, { code: 'PV-8013', position: 0, message: expect.stringContaining(`NaN as the logit of token ${token}`) }],
    ]);
  }
});

test('a replay by blocks verifies, and one whose blocks are wrong in one bit of one position fails there', async () => {
  const trace = await recorded({ steps: 40 });
  const { engine } = createFastEngine(model);
  const { block } = engine;
  if (block === undefined) throw new Error('the fast engine has blocks');
  expect(await verified(trace, { engine })).toMatchObject({ verdict: 'verified', replayed: { compared: 40 } });
  const wrong: Engine = {
    ...createFastEngine(model).engine,
    block: {
      ...block,
      forward: (fed, position) =>
        block
          .forward(fed, position)
          .map((row, i) => (position + i === 21 ? row.with(3, (row[3] ?? 0) * 1.000001) : row)),
    },
  };
  const verdict = await verified(trace, { engine: wrong });
  expect(verdict).toMatchObject({ verdict: 'failed', problems: [{ code: 'PV-8064', position: 21 }] });
});
