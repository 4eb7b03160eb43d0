/** What Rocq says of a script, and what is made of it: by a compiler that says what the test wants. */
import { describe, expect, it } from 'vitest';
import type { ProgramEnd } from '../../src/host/program.ts';
import { createMemoryHost } from '../../src/host/memory-host.ts';
import { checkProof, coqcVersion, openWorkshop, type Workshop } from '../../src/real-proofs/check-proof.ts';
import type { Statement } from '../../src/real-proofs/statement.ts';

const ended = (output: string, code = 0): ProgramEnd => ({ kind: 'ended', code, isLate: false, output });
const stopped: ProgramEnd = { kind: 'stopped', code: 0, isLate: true, output: 'version 8.16.1' };
const absent: ProgramEnd = { kind: 'missing', code: 0, isLate: false, output: '' };
const closed = ended('Closed under the global context\n');
const statement = { text: 'Definition claim := True.' } as Statement;

/** A workshop whose compiler ends as `ends` says, by file; all others hold. */
function workshop(ends: Readonly<Record<string, ProgramEnd>>) {
  const host = createMemoryHost();
  const ran: string[][] = [];
  const made: Workshop = {
    host,
    run: async ({ arguments: given, folder }) => {
      ran.push([folder, ...given]);
      return ends[given.at(-1) ?? ''] ?? ended('');
    },
    coqc: 'coqc',
    timeoutMs: 1000,
    signal: new AbortController().signal,
    folder: '/shop',
  };
  return { made, ran, host };
}
const checked = (ends: Readonly<Record<string, ProgramEnd>>) =>
  checkProof(workshop(ends).made, 'c', statement, 'Theorem proof : claim.');

describe('a script', () => {
  it('proves the claim where Rocq takes every file, and the proof rests on nothing strange', async () => {
    expect(await checked({ 'Last.v': closed })).toEqual({ kind: 'proved', axioms: [] });
    const standard = 'Axioms:\nClassical_Prop.classic : forall P : Prop, P \\/ ~ P\n';
    expect(await checked({ 'Last.v': ended(standard) })).toEqual({
      kind: 'proved',
      axioms: ['Classical_Prop.classic'],
    });
  });

  it.each([
    ['Axioms:\nScript.cheat : claim\n', 'it rests on Script.cheat'],
    ['Axioms:\nScript.b : claim\nClassical_Prop.classic : x\nScript.a : claim\n', 'it rests on Script.a, Script.b'],
    ['Axioms:\nloop is assumed to be guarded.\n', 'it rests on more than axioms: loop is assumed to be guarded.'],
    ['', 'it rests on more than axioms: Rocq did not say what the proof rests on'],
  ])('is refused where Rocq prints %j', async (output, reason) => {
    expect(await checked({ 'Last.v': ended(output) })).toEqual({ kind: 'refused', why: 'axiom', reason, line: null });
  });

  it.each([
    ['Statement.v', 'statement', null],
    ['Script.v', 'script', 3],
    ['Last.v', 'claim', null],
  ])('is refused where Rocq refuses %s, at the line of the script', async (file, why, line) => {
    const output = 'File "./x.v", line 7, characters 0-4:\nError: The term "I"\n  has type "True".\n';
    expect(await checked({ 'Last.v': closed, [file]: ended(output, 1) })).toEqual({
      kind: 'refused',
      why,
      reason: 'The term "I" has type "True".',
      line,
    });
  });

  it.each([
    ['File "./Script.v", line 5, characters 0-4:\nError: no.', 1, 'no.'],
    ['File "./Script.v", line 4, characters 0-4:\nError: no.', null, 'no.'],
    ['File "./Script.v", line 123, characters 0-4:\nError: no.', 119, 'no.'],
    ['Error: no.', null, 'no.'],
    ['Error:\n  no Error: at all.', null, 'no Error: at all.'],
    ['Error\nno.', null, 'no.'],
    ['Error:no.', null, 'no.'],
    ['no such Error: at all', null, 'no such Error: at all'],
    ['Warning: Error: this.\nError: no.', null, 'no.'],
    ['Fatal error: exception Stack overflow', null, 'Fatal error: exception Stack overflow'],
    ['something else', null, 'something else'],
    ['', null, 'Rocq gave no reason'],
    [`Error: ${'x'.repeat(700)}`, null, 'x'.repeat(600)],
  ])('is refused in Rocq’s own words: %#', async (output, line, reason) => {
    expect(await checked({ 'Script.v': ended(output, 1) })).toEqual({ kind: 'refused', why: 'script', reason, line });
  });

  it.each([
    [stopped, 'it was stopped: its time was over, or its memory used up'],
    [absent, 'there is no such program'],
  ])('is not decided where Rocq does not end: %#', async (end, reason) => {
    expect(await checked({ 'Script.v': end })).toEqual({ kind: 'refused', why: 'limit', reason, line: null });
  });

  it('is compiled behind the statement and before the file that names both, and nothing goes on after a fault', async () => {
    const { made, ran, host } = workshop({ 'Last.v': closed });
    await checkProof(made, 'c', statement, 'Theorem proof : claim.');
    expect(ran.map(([folder, ...given]) => [folder, given.at(-1)])).toEqual([
      ['/shop/c', 'Statement.v'],
      ['/shop/c', 'Script.v'],
      ['/shop/c', 'Last.v'],
    ]);
    for (const [, ...given] of ran)
      expect(given.slice(0, -1).join(' ')).toBe('-q -w none -R /shop/prelude PV -R . PVClaim');
    const text = (file: string) => new TextDecoder().decode(host.files.get(`/shop/c/${file}`));
    expect(text('Statement.v')).toBe(statement.text);
    expect(text('Script.v')).toMatch(/^From Coq Require .*\n(.*\n){3}Theorem proof : claim\.$/);
    expect(text('Last.v')).toContain('checked : PVClaim.Statement.claim := PVClaim.Script.proof.');
    const failing = workshop({ 'Statement.v': ended('Error: no.', 1) });
    await checkProof(failing.made, 'c', statement, '');
    expect(failing.ran).toHaveLength(1);
  });

  it('is not decided where its files cannot be written', async () => {
    const { made, ran } = workshop({});
    const writeFileAtomic = async () =>
      ({ ok: false, error: { kind: 'no-space', path: 'p', message: 'is full' } }) as const;
    const full = { ...made, host: { ...made.host, writeFileAtomic } };
    expect(await checkProof(full, 'c', statement, '')).toEqual({
      kind: 'refused',
      why: 'limit',
      reason: 'p is full',
      line: null,
    });
    expect(await openWorkshop(full, '')).toBe('p is full');
    expect(ran).toEqual([]);
  });
});

describe('a workshop', () => {
  it('is open where the prelude compiles', async () => {
    const { made, ran, host } = workshop({});
    expect(await openWorkshop(made, 'prelude')).toBeNull();
    expect([...host.files.keys()]).toEqual(['/shop/prelude/Pv.v']);
    expect(ran).toEqual([['/shop/prelude', '-q', '-w', 'none', '-R', '.', 'PV', 'Pv.v']]);
    expect(await openWorkshop(workshop({ 'Pv.v': ended('Error: no.', 1) }).made, '')).toBe('no.');
    expect(await openWorkshop(workshop({ 'Pv.v': stopped }).made, '')).toMatch(/stopped/);
  });

  it.each([
    [ended('The Coq Proof Assistant, version 8.16.1\n'), '8.16.1'],
    [ended('The Rocq Prover, version  9.0\ncompiled'), '9.0'],
    [ended('version'), null],
    [ended('version 8.16.1', 1), null],
    [absent, null],
    [stopped, null],
  ])('has a compiler of some version, or none: %#', async (end, version) => {
    expect(await coqcVersion(async () => end, 'coqc', '/shop')).toBe(version);
  });
});
