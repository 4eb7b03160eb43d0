/** Small traces of llama2-rs's kind, made from numbers. */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { legacyTrace, type LegacyEntry, type LegacyForm, type LegacyTrace } from '../../../src/trace/legacy/trace.ts';
import type { Result } from '../../../src/base/result.ts';
import type { Problem } from '../../../src/base/problem.ts';

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

export const sha256 = (...parts: readonly Uint8Array[]): Uint8Array =>
  new Uint8Array(createHash('sha256').update(Buffer.concat(parts)).digest());

export function value<T>(result: Result<T, Problem>): T {
  if (!result.ok) throw new Error(`${result.error.code} ${result.error.message}`);
  return result.value;
}

export function problem<T>(result: Result<T, Problem>): Problem {
  expect(result.ok).toBe(false);
  if (result.ok) throw new Error('there is no problem');
  return result.error;
}

export function entriesOf(count: number, form: LegacyForm = 'seed'): readonly LegacyEntry[] {
  return Array.from({ length: count }, (_, position) => ({
    position,
    token: position === 0 ? 1 : 300 + position,
    text: form === 'seed' ? null : position === 1 ? '' : ` wörd ${position} 🦙`,
    logitsHash: sha256(Buffer.from(`logits ${position}`)),
  }));
}

export function traceOf(count: number, form: LegacyForm = 'seed', prompt = 'Once upon a time'): LegacyTrace {
  return value(legacyTrace(entriesOf(count, form), { modelPath: 'model.bin', prompt, steps: count }));
}
