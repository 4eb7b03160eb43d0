/** Errors of a recorder for incorrect calls. */
import { ok, type Result } from '../../base/result.ts';
import { count } from '../../base/text.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import type { Manifest } from '../format/trace.ts';
import type { LogitsThread, NonFinite } from './kept-logits.ts';

export function checkLength(logits: Float32Array, vocabSize: number | null, position: number): Result<void, Problem> {
  const expected =
    vocabSize === null ? 'a vocabulary size in the manifest' : `a Float32Array of ${count(vocabSize, 'number')}`;
  const kind = kindOf(logits);
  if (kind === 'Float32Array' && logits.length === vocabSize) return ok(undefined);
  return wrong('PV-8048', 'logits length', `The logits of position ${position} do not fit the vocabulary.`, {
    position,
    expected,
    actual: ArrayBuffer.isView(logits) ? `a ${kind} of ${count(logits.length, 'number')}` : kind,
  });
}

/**
 * The class of an array, even one from another realm: an iframe, a context of `node:vm`, a test
 * environment.
 */
const kindOf = (value: unknown): string => Object.prototype.toString.call(value).slice('[object '.length, -1);

/** A thread has room for as many logits as it was made for, and takes the sketch that it was made for. */
export function checkThread(
  { length, sketch }: LogitsThread,
  { vocabSize, sketch: asked }: Manifest,
): Result<void, Problem> {
  if (length === vocabSize && sketch === Math.min(asked, length)) return ok(undefined);
  return wrong(
    'PV-8048',
    'thread',
    'The thread was made for another manifest: logitsThreadFor takes the one that is recorded.',
    {
      expected: `${vocabSize ?? 'no'} logits with a sketch of ${asked}`,
      actual: `${length} with a sketch of ${sketch}`,
    },
  );
}

export const notFinite = (position: number, { index, value }: NonFinite): Problem => ({
  code: 'PV-8049',
  check: 'finite logits',
  message: `The logit of token ${index} at position ${position} is ${value}.`,
  position,
  expected: 'a finite number',
  actual: String(value),
});

export const tokenMissing = (position: number): Problem =>
  misuse(
    'call order',
    `The token chosen from the logits of position ${position} is missing: call token(…) first.`,
    position,
  );

export function misuse(check: string, message: string, position?: number): Problem {
  return { code: 'PV-8048', check, message, ...(position === undefined ? {} : { position }) };
}
