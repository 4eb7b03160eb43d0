/** What a trace of llama2-rs can hold: every bound from both of its sides. */
import { describe, expect, it } from 'vitest';
import { legacyTrace, type LegacyEntry, type LegacyMetadata } from '../../../src/trace/legacy/trace.ts';
import { entriesOf } from './traces.ts';

const metadata: LegacyMetadata = { modelPath: 'model.bin', prompt: 'Once', steps: 3 };
const faultOf = (entries: readonly LegacyEntry[], more: Partial<LegacyMetadata> = {}): string | null => {
  const made = legacyTrace(entries, { ...metadata, ...more });
  return made.ok ? null : `${made.error.code} ${made.error.check}`;
};
const edited = (edit: Partial<LegacyEntry>, form: 'seed' | 'head' = 'seed'): readonly LegacyEntry[] =>
  entriesOf(3, form).map((entry, at) => (at === 1 ? { ...entry, ...edit } : entry));

describe('an entry of llama2-rs', () => {
  it('has a token of 31 bits', () => {
    for (const token of [0, 1, 2 ** 31 - 1]) expect(faultOf(edited({ token }))).toBeNull();
    for (const token of [-1, 0.5, Number.NaN, 2 ** 31]) expect(faultOf(edited({ token }))).toBe('PV-8028 token');
  });

  it('is at its place, with a hash of 32 bytes', () => {
    for (const position of [0, 2, -1]) expect(faultOf(edited({ position }))).toBe('PV-8028 position');
    for (const length of [0, 31, 33]) {
      expect(faultOf(edited({ logitsHash: new Uint8Array(length) }))).toBe('PV-8015 logits hash');
    }
  });

  it('has a text as all of them have one, of whole characters', () => {
    expect(faultOf(entriesOf(3, 'head'))).toBeNull();
    expect(faultOf(edited({ text: 'a' }))).toBe('PV-8028 text');
    expect(faultOf(edited({ text: null }, 'head'))).toBe('PV-8028 text');
    expect(faultOf(edited({ text: '\ud83e' }, 'head'))).toBe('PV-8028 text');
    expect(faultOf(edited({ text: '' }, 'head'))).toBeNull();
  });
});

describe('what precedes the entries', () => {
  it('are steps that a number holds, and texts of whole characters', () => {
    for (const steps of [0, 1, Number.MAX_SAFE_INTEGER]) expect(faultOf(entriesOf(2), { steps })).toBeNull();
    for (const steps of [-1, 0.5, 2 ** 53]) expect(faultOf(entriesOf(2), { steps })).toBe('PV-8028 steps');
    for (const wrong of [{ modelPath: '\ud83e' }, { prompt: 'a\udd99' }]) {
      expect(faultOf(entriesOf(2), wrong)).toBe('PV-8028 metadata');
    }
    const fault = legacyTrace(entriesOf(2), { ...metadata, steps: -1 });
    expect(fault).toMatchObject({ error: { message: expect.stringContaining('The number of steps is -1') } });
  });
});
