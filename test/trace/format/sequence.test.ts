/** What entries must be together: each rule with what it lets pass and what it refuses. */
import { describe, expect, it } from 'vitest';
import { admit, start, type Progress } from '../../../src/trace/format/sequence.ts';
import type { Entry, Manifest, Step } from '../../../src/trace/format/trace.ts';
import { greedyManifest } from '../../support/trace-cases.ts';

const manifest: Manifest = {
  ...greedyManifest,
  vocabSize: 10,
  prompt: { tokens: [1, 4, 6], text: null },
};
const step = (position: number, inputToken: number, outputToken: number | null, more: Partial<Step> = {}): Step => ({
  kind: 'step',
  position,
  inputToken,
  outputToken,
  logitsHash: new Uint8Array(32),
  sketch: null,
  ...more,
});
const gap = (position: number, count: number): Entry => ({ kind: 'gap', position, count });

/** What is wrong with the last of the entries that the others let follow; null where nothing is. */
function faultOf(entries: readonly Entry[], under: Partial<Manifest> = {}): object | null {
  let progress: Progress = start;
  for (const [index, entry] of entries.entries()) {
    const admitted = admit({ ...manifest, ...under }, progress, entry);
    if (admitted.ok) progress = admitted.value;
    else if (index === entries.length - 1) return admitted.error;
    else throw new Error(`entry ${index}: ${admitted.error.message}`);
  }
  return null;
}

const whole = [step(0, 1, 4), step(1, 4, 6), step(2, 6, 9), step(3, 9, 2)];

describe('the entries of a trace', () => {
  it.each<[string, readonly Entry[]]>([
    ['steps through the prompt and on', whole],
    ['a gap, and a step behind it with any token', [step(0, 1, 4), gap(1, 3), step(4, 5, 3)]],
    ['a gap first', [gap(0, 2), step(2, 6, 0)]],
    ['an output that nobody recorded at the end', [step(0, 1, null)]],
    ['an output that nobody recorded before a gap', [step(0, 1, null), gap(1, 1), step(2, 6, 7)]],
    ['the last token of the vocabulary', [gap(0, 3), step(3, 9, 9)]],
  ])('may be %s', (_, entries) => {
    expect(faultOf(entries)).toBeNull();
  });

  it.each<[string, readonly Entry[], object]>([
    ['start behind position 0', [step(1, 4, 6)], { code: 'PV-8038', check: 'position', expected: '0', actual: '1' }],
    ['leave one out', [...whole, step(5, 2, 3)], { code: 'PV-8038', check: 'position', position: 5 }],
    ['stand twice', [...whole, step(3, 9, 2)], { code: 'PV-8038', check: 'position', position: 3 }],
    ['overlap a gap', [gap(0, 3), step(2, 6, 0)], { code: 'PV-8038', check: 'position', expected: '3' }],
    ['have two gaps in a row', [gap(0, 1), gap(1, 1)], { code: 'PV-8038', check: 'gap', position: 1 }],
    [
      'go on with a token that the step before did not choose',
      [...whole, step(4, 3, 3)],
      { code: 'PV-8040', check: 'input token', position: 4, expected: '2', actual: '3' },
    ],
    [
      'go on behind an output that nobody recorded',
      [gap(0, 3), step(3, 9, null), step(4, 2, 3)],
      { code: 'PV-8040', check: 'output token', position: 3 },
    ],
    [
      'begin with another token than the prompt',
      [step(0, 2, 4)],
      { code: 'PV-8040', check: 'prompt token', position: 0, expected: '1', actual: '2' },
    ],
    [
      'go on with another behind a gap',
      [gap(0, 2), step(2, 5, 9)],
      { code: 'PV-8040', check: 'prompt token', position: 2, expected: '6', actual: '5' },
    ],
    [
      'choose another than the prompt forces',
      [step(0, 1, 5)],
      { code: 'PV-8040', check: 'prompt token', position: 1, expected: '4', actual: '5' },
    ],
    ['be fed a stranger', [gap(0, 3), step(3, 10, 9)], { code: 'PV-8039', check: 'token', actual: '10' }],
    ['choose a stranger', [gap(0, 3), step(3, 9, 10)], { code: 'PV-8039', check: 'token', actual: '10' }],
  ])('may not %s', (_, entries, fault) => {
    expect(faultOf(entries)).toMatchObject(fault);
  });

  it('have the sketch that the manifest names, of tokens of the vocabulary', () => {
    const sketch = (...ids: number[]): Partial<Step> => ({
      sketch: { ids, logits: ids.map(() => 1), logSumExp: 2 },
    });
    const one = { sketch: 1 };
    expect(faultOf([step(0, 1, 4, sketch(9))], one)).toBeNull();
    expect(faultOf([step(0, 1, 4, sketch(10))], one)).toMatchObject({ code: 'PV-8039', actual: '10' });
    for (const wrong of [step(0, 1, 4), step(0, 1, 4, sketch(1, 2))]) {
      expect(faultOf([wrong], one)).toMatchObject({ code: 'PV-8041', check: 'sketch size', expected: '1' });
    }
    expect(faultOf([step(0, 1, 4, sketch(1))])).toMatchObject({ code: 'PV-8041', expected: '0', actual: '1' });
  });

  it('may hold any token where the manifest names neither vocabulary nor prompt', () => {
    const open = { vocabSize: null, prompt: { tokens: null, text: null } };
    expect(faultOf([step(0, 7, 4_000_000_000)], open)).toBeNull();
  });
});
