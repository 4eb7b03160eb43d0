/** The text of the tokens of a trace, if the reader has the tokenizer. */
import type { Tokenizer } from '../model/model.ts';

/** A text, and how much of it the prompt forced. */
export interface TokenText {
  readonly forced: string;
  /** After the prompt: a replay shows whether the model chose it. */
  readonly further: string;
  /** Tokens beyond those that are shown. */
  readonly left: number;
}

/** Enough to read, and easy for a page to hold. */
const mostTokens = 20_000;

/** The text of `length` tokens, the first `forced` of which are the prompt's; null is a token that was not recorded. */
export function tokenText(
  tokenAt: (position: number) => number | null,
  length: number,
  forced: number,
  { decode }: Tokenizer,
): TokenText {
  const shown = Math.min(length, mostTokens);
  const part = (from: number, to: number): string => {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    let text = '';
    for (let at = from; at < to; at++) {
      const [before, token] = [at === 0 ? null : tokenAt(at - 1), tokenAt(at)];
      if (token !== null) text += decoder.decode(decode(before ?? -1, token), { stream: true });
      else if (at === from || before !== null) text += `${decoder.decode()}…`;
    }
    return text + decoder.decode();
  };
  // The first token is BOS or takes its place: it adds nothing to the text.
  const first = Math.min(1, shown);
  const end = Math.max(first, Math.min(forced, shown));
  return { forced: part(first, end), further: part(end, shown), left: length - shown };
}
