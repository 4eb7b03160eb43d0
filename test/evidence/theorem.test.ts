import { describe, expect, it } from 'vitest';
import { loadTheorem, storeTheorem } from '../../src/evidence/theorem-store.ts';
import { readTheorem, writeTheorem, type TheoremRecord } from '../../src/evidence/theorem.ts';
import { sha256 } from '../../src/evidence/digest.ts';
import { createMemoryHost } from '../../src/host/memory-host.ts';
import { ourTrust } from './sample-receipt.ts';
import { standingFrom } from '../../src/prove/standing.ts';

const inputs = { statement: sha256('a'), script: sha256('b'), prelude: sha256('c'), rules: '1' };
const theorem: TheoremRecord = {
  schema: 'pv.theorem/1',
  goal: 't-kernel-v1/T-001',
  ...inputs,
  scope: 'every n ≥ 1',
  verdict: 'proved',
  reason: null,
  axioms: [],
  checker: { name: 'coqc', version: '8.16.1' },
};

describe('the record of a proof', () => {
  it('is read as it was written', async () => {
    const store = { host: createMemoryHost({}), root: '.', trust: ourTrust };
    expect((await loadTheorem(store, theorem.goal)).value).toBeNull();
    expect((await storeTheorem(store, theorem)).value).toBe(true);
    expect(await loadTheorem(store, theorem.goal)).toEqual({ value: theorem, diagnostics: [] });
  });

  it.each([
    ['is no JSON', (text: string) => text.slice(1), 'PV-6002'],
    ['has another member', (text: string) => text.replace('{"axioms"', '{"also":1,"axioms"'), 'PV-6002'],
    ['was changed', (text: string) => text.replace('every n ≥ 1', 'every n'), 'PV-6003'],
  ])('is not used when it %s', (_, change, code) => {
    const read = readTheorem(change(writeTheorem(theorem)), 'p', theorem.goal);
    expect(read.ok ? null : read.error.code).toBe(code);
  });

  it('is not used for another claim', () => {
    const read = readTheorem(writeTheorem(theorem), 'p', 't-kernel-v1/T-002');
    expect(read.ok ? null : read.error.code).toBe('PV-6004');
  });

  it.each(['statement', 'script', 'prelude', 'rules'] as const)('is stale when its %s has changed', (key) => {
    const changed = { ...inputs, [key]: sha256('other') };
    expect(standingFrom(theorem, changed, 'every n ≥ 1')).toMatchObject({ standing: 'stale', axioms: [] });
    expect(standingFrom(theorem, inputs, 'every n ≥ 1')).toMatchObject({ standing: 'proved', reason: null });
    expect(standingFrom(null, inputs, 'every n ≥ 1')).toMatchObject({ standing: 'not checked' });
  });
});
