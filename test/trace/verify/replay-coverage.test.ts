/**
 * How far the first line says that a verdict goes: whatever is open is named, and nothing else.
 *
 * Holds src/trace/verify/sampling-text.ts.
 */
import { describe, expect, it } from 'vitest';
import { treeOf } from '../../../src/trace/format/leaves.ts';
import type { Entry, Manifest, Sampler } from '../../../src/trace/format/trace.ts';
import type { Standing } from '../../../src/trace/verify/anchor.ts';
import type { ReplayFiles } from '../../../src/trace/verify/files.ts';
import {
  positionsInGaps,
  replayCoverage,
  replayHeadline,
  undecidedCoverage,
} from '../../../src/trace/verify/replay-coverage.ts';
import { samplingText } from '../../../src/trace/verify/sampling-text.ts';
import type { Replayed } from '../../../src/trace/verify/replay.ts';
import type { Selection } from '../../../src/trace/verify/selection.ts';
import { sourceOf, type ReplaySource } from '../../../src/trace/verify/source.ts';
import { madeTrace, manifest } from './traces.ts';

const trace = madeTrace(3);
const whole = { ...trace, size: 4, root: treeOf(trace).root(), checkpoint: null, complete: true, droppedBytes: 0 };
const named: Manifest = { ...manifest, model: { name: 'm', digest: 'sha256:00' } };
const source = (changes: Partial<Manifest> = {}, more: Partial<ReplaySource> = {}): ReplaySource => ({
  ...sourceOf({ ...whole, manifest: { ...named, ...changes } }),
  ...more,
});
const files: ReplayFiles = { modelDigest: 'sha256:00', config: {} as ReplayFiles['config'], tokenizer: null };
const replayed = (tokens: Partial<Replayed['tokens']> = {}): Replayed => ({
  level: 'exact',
  positions: 3,
  compared: 3,
  tokens: { forced: 1, same: 2, near: 0, differs: 0, unknown: 0, ...tokens },
  difference: null,
  problems: [],
  failures: 0,
});
const all: Selection = { kind: 'all' };
const other = (description: string): Sampler => ({ kind: 'other', description });
const gap = (position: number, count: number): Entry => ({ kind: 'gap', position, count });

/** What the verdict leaves open. */
const open = (of: ReplaySource, standing: Standing = 'signatures', tokens: Partial<Replayed['tokens']> = {}) =>
  replayCoverage(of, files, all, replayed(tokens), standing, []).open;

describe('what a replay shows', () => {
  it('is nothing if nothing was replayed', () => {
    expect(replayCoverage(source(), files, all, null, 'signatures', ['end'])).toEqual({ shown: [], open: [] });
  });

  it.each<[Selection, Partial<Replayed['tokens']>, readonly string[]]>([
    [all, {}, ['2 tokens chosen by the model', '1 forced by the prompt', 'logits', 'tree']],
    [all, { same: 1, forced: 0 }, ['1 token chosen by the model', '0 forced by the prompt', 'logits', 'tree']],
    [
      all,
      { near: 4 },
      ['2 tokens chosen by the model', '4 possible within the band', '1 forced by the prompt', 'logits', 'tree'],
    ],
    [
      { kind: 'position', position: 2 },
      {},
      ['2 tokens chosen by the model', '1 forced by the prompt up to position 2', 'logits', 'path'],
    ],
    [
      { kind: 'sample', count: 1, seed: 1 },
      {},
      ['2 tokens chosen by the model', '1 forced by the prompt up to position 2', 'logits', 'path'],
    ],
  ])('counts tokens, over the tree or its paths: %j %j', (which, tokens, shown) => {
    expect(replayCoverage(source(), files, which, replayed(tokens), 'signatures', []).shown).toEqual(shown);
  });
});

describe('what a replay leaves open', () => {
  it.each<[string, ReplaySource, readonly string[]]>([
    ['nothing', source(), []],
    ['the model', source({ model: { name: 'm', digest: null } }), ['model not disclosed']],
    ['the prompt', source({ prompt: { tokens: null, text: null } }), ['prompt not disclosed']],
    ['a sampler without a word', source({ sampler: other('') }), ['sampler not disclosed']],
    ['a sampler of another engine', source({ sampler: other('beam search') }), ['sampler not run again']],
    [
      'all of them',
      source({
        model: { name: 'm', digest: null },
        prompt: { tokens: null, text: null },
        sampler: other('unspecified'),
      }),
      ['model, prompt and sampler not disclosed'],
    ],
    ['the text of the prompt', source({ prompt: { tokens: [1], text: 'a' } }), ['text of the prompt not compared']],
    ['no text without tokens', source({ prompt: { tokens: null, text: 'a' } }), ['prompt not disclosed']],
    ['gaps', source({}, { entries: [gap(0, 1), gap(1, 4)] }), ['5 positions not recorded']],
    ['a gap of one', source({}, { entries: [gap(0, 1)] }), ['1 position not recorded']],
    ['the prompt in the file', source({}, { promptOf: 'file' }), ['prompt not bound', 'sampler your own']],
    ['a prompt of one’s own', source({}, { promptOf: 'verifier' }), ['prompt and sampler your own']],
    ['what the source leaves open', source({}, { open: ['last token not recorded'] }), ['last token not recorded']],
  ])('%s', (_, of, left) => expect(open(of)).toEqual(left));

  it.each<[Standing, readonly string[]]>([
    ['signatures', []],
    ['given checkpoint', ['signatures not checked']],
    ['given root and size', []],
    ['given root', ['size not bound']],
    ['nothing', ['root self-declared']],
  ])('of a root bound by %s', (standing, left) => expect(open(source(), standing)).toEqual(left));

  it('how tokens that cannot be sampled again were chosen, and the end last of all', () => {
    expect(open(source(), 'signatures', { unknown: 1 })).toEqual(['how 1 token was chosen']);
    expect(open(source(), 'signatures', { unknown: 2 })).toEqual(['how 2 tokens were chosen']);
    expect(replayCoverage(source(), files, all, replayed(), 'nothing', ['end not shown']).open).toEqual([
      'end not shown',
      'root self-declared',
    ]);
  });

  it('no text of the prompt that a tokenizer was given for', () => {
    const tokenizer = {} as ReplayFiles['tokenizer'];
    const of = source({ prompt: { tokens: [1], text: 'a' } });
    expect(replayCoverage(of, { ...files, tokenizer }, all, replayed(), 'signatures', []).open).toEqual([]);
  });

  it('is all there is to say where a question stayed open', () => {
    expect(undecidedCoverage(['end', 'level', 'end'], replayed(), all)).toEqual({
      shown: [],
      open: ['end and level not shown', '2 tokens chosen by the model, 1 forced by the prompt'],
    });
    expect(undecidedCoverage(['end'], null, all)).toEqual({ shown: [], open: ['end not shown'] });
  });
});

describe('the first line of a replay', () => {
  const scope = { steps: 12, gapPositions: 0, engineProfile: 'mine', sampling: null };
  const covers = { shown: ['logits'], open: [] };

  it.each([
    ['verified', 'exact', scope, 'VERIFIED (logits), level exact: 3 of 12 steps compared, by mine'],
    [
      'verified',
      'exact',
      { ...scope, sampling: 'greedy' },
      'VERIFIED (logits), level exact: 3 of 12 steps compared, by mine, greedy',
    ],
    [
      'verified',
      'exact',
      { ...scope, gapPositions: 2 },
      'VERIFIED (logits), level exact: 3 of 12 steps compared, by mine',
    ],
    [
      'failed',
      'float band',
      { ...scope, gapPositions: 2 },
      'FAILED (logits), level float band: 3 of 12 steps compared, by mine; 2 positions not recorded',
    ],
    [
      'failed',
      null,
      { ...scope, gapPositions: 1 },
      'FAILED (logits), level none: 3 of 12 steps compared, by mine; 1 position not recorded',
    ],
  ] as const)('%s at %s', (verdict, level, told, line) => {
    expect(replayHeadline({ verdict, covers, level, scope: told, replayed: replayed() })).toBe(line);
  });

  it('counts no step where there was no replay', () => {
    expect(replayHeadline({ verdict: 'failed', covers, level: null, scope, replayed: null })).toContain(
      '0 of 12 steps',
    );
  });
});

it('positions in gaps are those of gaps alone', () => {
  expect(positionsInGaps(trace.entries)).toBe(0);
  expect(positionsInGaps([...trace.entries, gap(3, 7), gap(10, 1)])).toBe(8);
});

it.each<[Sampler, string | null]>([
  [{ kind: 'greedy' }, 'greedy'],
  [
    { kind: 'top-p', temperature: 0.5, topP: 0.9, seed: '1', generator: 'xorshift64star/1' },
    'temperature 0.5, top-p 0.9',
  ],
  [other('x'), null],
])('sampling of %j', (sampler, text) => expect(samplingText(sampler)).toBe(text));
