/**
 * The first line of a verdict. People may read no further, so it states the scope of the verdict: what was shown, and what is
 * left open. The command line, the server and the page use the same words.
 */
import { listOf } from '../../base/text.ts';

/** The scope of a verdict, in a few words each. `shown` is empty if nothing was verified. */
export interface Coverage {
  /** `32 tokens chosen by the model`, `logits`, `path`. */
  readonly shown: readonly string[];
  /** `sampler not disclosed`, `root self-declared`, `nothing replayed`; for an undetermined verdict, what was not shown. */
  readonly open: readonly string[];
}

/** Of a verdict that shows nothing. */
export const nothingCovered: Coverage = { shown: [], open: [] };

const words = {
  verified: 'VERIFIED',
  intact: 'INTACT',
  unanchored: 'UNANCHORED, so not verified',
  undetermined: 'UNDETERMINED, so not verified',
  failed: 'FAILED',
} as const;

/** Every verdict that there is, on whatever. */
export type VerdictWord = keyof typeof words;

/** `VERIFIED (logits and path; sampler not disclosed)`. */
export function headline(verdict: VerdictWord, { shown, open }: Coverage): string {
  const parts = [listOf(shown), open.join(', ')].filter((part) => part !== '');
  return parts.length === 0 ? words[verdict] : `${words[verdict]} (${parts.join('; ')})`;
}

/** Three states: a yes, a no, and neither. */
export type VerdictState = 'holds' | 'open' | 'fails';

/** The state of each verdict. */
export const stateOf: Readonly<Record<VerdictWord, VerdictState>> = {
  verified: 'holds',
  intact: 'holds',
  unanchored: 'open',
  undetermined: 'open',
  failed: 'fails',
};

const marks: Readonly<Record<VerdictState, string>> = { holds: '✓', open: '?', fails: '✗' };

/** The same with the mark that a terminal and a page show before it. */
export function markedHeadline(verdict: VerdictWord, line: string): string {
  return `${marks[stateOf[verdict]]} ${line}`;
}
