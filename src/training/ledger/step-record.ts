/** The ledger's record of one step. Attestations and the Merkle tree hash its JSON text. */
import type { JsonValue } from '../../base/canonical-json.ts';
import { holds, type Measurement } from '../invariants/invariant.ts';

/**
 * - `committed`: the weights changed, and either every comparison passed or the step was in the warm-up.
 * - `refused`: a comparison failed, and no byte changed.
 * - `overridden`: a comparison failed, but the weights changed anyway, because the configuration allows it.
 */
export type StepVerdict = 'committed' | 'refused' | 'overridden';

/** One comparison of one invariant. */
export interface Measured extends Measurement {
  readonly invariant: string;
}

/** One step, in the key order of its JSON. */
export interface StepRecord {
  /** Counted from 1; refused steps count. */
  readonly step: number;
  readonly verdict: StepVerdict;
  /** Whether failed comparisons were tolerated because the step is in the warm-up. */
  readonly warmup: boolean;
  readonly loss: number;
  /** The learning rate. */
  readonly rate: number;
  /** SHA-256, in hexadecimal, of the weights as safetensors before and after; null where another trainer recorded none. */
  readonly before: string | null;
  readonly after: string | null;
  readonly measured: readonly Measured[];
}

/** The comparisons that failed. */
export const failedOf = ({ measured }: StepRecord): readonly Measured[] => measured.filter((one) => !holds(one));

/** JSON has no NaN or infinities, so they are written as strings. */
const jsonNumber = (value: number): JsonValue => (Number.isFinite(value) ? value : String(value));

const signs = { 'at most': '<=', 'at least': '>=' } as const;

/** One line of JSON; a comparison is `[invariant, what, value, "<=" or ">=", bound]`. */
export function recordText({ step, verdict, warmup, loss, rate, before, after, measured }: StepRecord): string {
  return JSON.stringify({
    step,
    verdict,
    ...(warmup ? { warmup } : {}),
    loss: jsonNumber(loss),
    rate: jsonNumber(rate),
    before,
    after,
    measured: measured.map(({ invariant, what, value, is, bound }) => [
      invariant,
      what,
      jsonNumber(value),
      signs[is],
      jsonNumber(bound),
    ]),
  });
}

/** The record of a text that {@link recordText} wrote; null for any other text, so that each record has exactly one text. */
export function readRecord(text: string): StepRecord | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const record = recordOf(value);
  return record !== null && recordText(record) === text ? record : null;
}

function recordOf(value: unknown): StepRecord | null {
  if (typeof value !== 'object' || value === null) return null;
  const fields: Readonly<Record<string, unknown>> = { ...value };
  const { step, verdict, before, after } = fields;
  const [loss, rate] = [readNumber(fields['loss']), readNumber(fields['rate'])];
  const measured = readMeasured(fields['measured']);
  if (loss === null || rate === null || measured === null) return null;
  if (!(Number.isSafeInteger(step) && typeof step === 'number' && step >= 1)) return null;
  if (verdict !== 'committed' && verdict !== 'refused' && verdict !== 'overridden') return null;
  if (!isDigestOrNull(before) || !isDigestOrNull(after)) return null;
  return { step, verdict, warmup: fields['warmup'] === true, loss, rate, before, after, measured };
}

function readMeasured(value: unknown): readonly Measured[] | null {
  if (!Array.isArray(value)) return null;
  const measured: Measured[] = [];
  for (const one of value) {
    const parts: readonly unknown[] = Array.isArray(one) ? one : [];
    const [invariant, what, first, sign, second, ...more] = parts;
    const [found, bound] = [readNumber(first), readNumber(second)];
    if (typeof invariant !== 'string' || typeof what !== 'string' || found === null || bound === null) return null;
    if ((sign !== '<=' && sign !== '>=') || more.length > 0) return null;
    measured.push({ invariant, what, value: found, is: sign === '<=' ? 'at most' : 'at least', bound });
  }
  return measured;
}

function readNumber(value: unknown): number | null {
  if (typeof value === 'number') return value;
  return value === 'NaN' || value === 'Infinity' || value === '-Infinity' ? Number(value) : null;
}

const isDigestOrNull = (value: unknown): value is string | null =>
  value === null || (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value));
