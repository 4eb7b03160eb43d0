/**
 * What a verdict says in words: its first line, its mark, and what binds its root.
 *
 * Holds src/trace/verify/first-line.ts, src/trace/verify/headline.ts.
 */
import { describe, expect, it } from 'vitest';
import { headline, markedHeadline, stateOf, type VerdictWord } from '../../../src/trace/verify/headline.ts';
import { markedFirstLine } from '../../../src/trace/verify/first-line.ts';
import { boundBy, standingWords } from '../../../src/trace/verify/verdict.ts';

const words: readonly [VerdictWord, string, string, string][] = [
  ['verified', 'holds', '✓', 'VERIFIED'],
  ['intact', 'holds', '✓', 'INTACT'],
  ['unanchored', 'open', '?', 'UNANCHORED, so not verified'],
  ['undetermined', 'open', '?', 'UNDETERMINED, so not verified'],
  ['failed', 'fails', '✗', 'FAILED'],
];

describe('the first line', () => {
  it.each(words)('of %s is a state of its own, with its mark', (verdict, state, mark, word) => {
    expect(stateOf[verdict]).toBe(state);
    expect(headline(verdict, { shown: [], open: [] })).toBe(word);
    expect(markedHeadline(verdict, word)).toBe(`${mark} ${word}`);
    expect(markedFirstLine({ verdict, covers: { shown: ['path'], open: [] } })).toBe(`${mark} ${word} (path)`);
  });

  it('is written for every verdict', () => expect(words.map(([word]) => word)).toEqual(Object.keys(stateOf)));

  it('says what was shown before what is open', () => {
    expect(headline('verified', { shown: ['logits', 'path'], open: ['sampler', 'size'] })).toBe(
      'VERIFIED (logits and path; sampler, size)',
    );
    expect(headline('undetermined', { shown: [], open: ['size'] })).toBe('UNDETERMINED, so not verified (size)');
  });
});

describe('what binds a root', () => {
  it.each(Object.entries(standingWords))('%s', (standing, text) => {
    expect(boundBy({ standing: standing as keyof typeof standingWords, verdict: 'verified' }, 'give --root')).toBe(
      text,
    );
  });

  it('is nothing, with advice where nothing has failed', () => {
    const nobody = (verdict: VerdictWord) => boundBy({ standing: 'nothing', verdict }, 'give --root');
    expect(nobody('unanchored')).toBe('nothing: the root is self-declared; give --root');
    expect(nobody('failed')).toBe('nothing, because the verification failed');
  });
});
