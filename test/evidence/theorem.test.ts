/** Holds src/evidence/theorem-store.ts. */
import { describe, expect, it } from 'vitest';
import { err } from '../../src/base/result.ts';
import { theoremPath } from '../../src/evidence/store-path.ts';
import type { Trust } from '../../src/evidence/trust.ts';
import { loadTheorem, storeTheorem } from '../../src/evidence/theorem-store.ts';
import { readTheorem, writeTheorem, type TheoremRecord } from '../../src/evidence/theorem.ts';
import { sha256 } from '../../src/evidence/digest.ts';
import { createMemoryHost } from '../../src/host/memory-host.ts';
import { ourTrust } from './sample-receipt.ts';
import { standingFrom } from '../../src/real-proofs/standing.ts';

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
    expect(read.ok ? null : read.error).toMatchObject({ code, subject: 'p', hint: 'delete the file and run pv prove' });
  });

  it.each<[string, Trust, string]>([
    ['sealed by somebody else', { ...ourTrust, secret: 'a secret of somebody else, as long' }, 'PV-6060'],
    ['under version control', { ...ourTrust, tracked: new Set([theoremPath(theorem.goal)]) }, 'PV-6061'],
  ])('is not used where it is %s', async (_, trust, code) => {
    const host = createMemoryHost({});
    await storeTheorem({ host, root: '.', trust: ourTrust }, theorem);
    const { value, diagnostics } = await loadTheorem({ host, root: '.', trust }, theorem.goal);
    expect([value, diagnostics.map((found) => found.code)]).toEqual([null, [code]]);
  });

  it('is nothing to report where there is none, and is reported where it cannot be used, read or written', async () => {
    const [path, trust] = [theoremPath(theorem.goal), ourTrust];
    const load = (files: Readonly<Record<string, string>>) =>
      loadTheorem({ host: createMemoryHost(files), root: '.', trust }, theorem.goal);
    expect(await load({})).toEqual({ value: null, diagnostics: [] });
    expect(await load({ [path]: '{' })).toMatchObject({
      value: null,
      diagnostics: [{ code: 'PV-6002', subject: path }],
    });
    expect(await load({ [`${path}/x`]: '' })).toMatchObject({
      value: null,
      diagnostics: [{ code: 'PV-6007', subject: path }],
    });
    const writeFileAtomic = async () => err({ kind: 'other' as const, path, message: 'is locked' });
    const host = { ...createMemoryHost({}), writeFileAtomic };
    expect(await storeTheorem({ host, root: '.', trust }, theorem)).toMatchObject({
      value: false,
      diagnostics: [{ code: 'PV-6006', subject: path }],
    });
    expect(await storeTheorem({ host: createMemoryHost({}), root: '.', trust }, theorem)).toEqual({
      value: true,
      diagnostics: [],
    });
  });

  it('is not used for another claim', () => {
    const read = readTheorem(writeTheorem(theorem), 'p', 't-kernel-v1/T-002');
    expect(read.ok ? null : read.error).toMatchObject({
      code: 'PV-6004',
      subject: 'p',
      hint: 'delete the file and run pv prove',
    });
  });

  it.each(['statement', 'script', 'prelude', 'rules'] as const)('is stale when its %s has changed', (key) => {
    const changed = { ...inputs, [key]: sha256('other') };
    expect(standingFrom(theorem, changed, 'every n ≥ 1')).toMatchObject({ standing: 'stale', axioms: [] });
    expect(standingFrom(theorem, inputs, 'every n ≥ 1')).toMatchObject({ standing: 'proved', reason: null });
    expect(standingFrom(null, inputs, 'every n ≥ 1')).toMatchObject({ standing: 'not checked' });
  });
});
