/** What a recorder says to code that calls it wrongly. */
import { ok, type Result } from '../../base/result.ts';
import { wrong } from '../format/wrong.ts';
import type { TraceProblem } from '../problem.ts';
import type { NonFinite } from './kept-logits.ts';

export function checkLength(
  logits: Float32Array,
  vocabSize: number | null,
  position: number,
): Result<void, TraceProblem> {
  const expected = vocabSize === null ? 'a vocabulary size in the manifest' : `a Float32Array of ${vocabSize} numbers`;
  if (logits instanceof Float32Array && logits.length === vocabSize) return ok(undefined);
  return wrong('PV-8048', 'logits length', `The logits of position ${position} do not fit the vocabulary.`, {
    position,
    expected,
    actual: logits instanceof Float32Array ? `${logits.length} numbers` : typeof logits,
  });
}

export const notFinite = (position: number, { index, value }: NonFinite): TraceProblem => ({
  code: 'PV-8049',
  check: 'finite logits',
  message: `The logit of token ${index} at position ${position} is ${value}.`,
  position,
  expected: 'a finite number',
  actual: String(value),
});

export const tokenMissing = (position: number): TraceProblem =>
  misuse(
    'call order',
    `The token chosen from the logits of position ${position} is missing: call token(…) first.`,
    position,
  );

export function misuse(check: string, message: string, position?: number): TraceProblem {
  return { code: 'PV-8048', check, message, ...(position === undefined ? {} : { position }) };
}
