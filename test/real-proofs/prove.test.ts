/**
 * From a contract and its script to the standing of the proof, with a compiler that says what the test wants.
 *
 * Holds src/real-proofs/prepare.ts.
 */
import { describe, expect, it } from 'vitest';
import { elaborateAll } from '../../src/audit/elaborate-all.ts';
import { readContracts } from '../../src/contract/validate.ts';
import { createMemoryHost } from '../../src/host/memory-host.ts';
import type { ProgramEnd } from '../../src/host/program.ts';
import { exactGoal } from '../../src/real-proofs/exact-goal.ts';
import { asksForProof, prepareProofs, type PreparedProof } from '../../src/real-proofs/prepare.ts';
import { prove, standingOf } from '../../src/real-proofs/prove.ts';
import { ourTrust } from '../evidence/sample-receipt.ts';
import { contractOf, type Claimed } from '../support/rocq.ts';

const path = 'proofs/t-kernel-v1/T-001.v';
const script = 'Theorem witness : some_input.\nProof. exact I. Qed.\nTheorem proof : claim.\nProof. exact I. Qed.\n';
const ended = (output: string, code = 0): ProgramEnd => ({ kind: 'ended', code, isLate: false, output });

async function prepared(
  files: Readonly<Record<string, string>>,
  claimed: Claimed = { formal: 'f(x)_i ≥ 2·x_i' },
  more = '',
  prelude = 'prelude',
): Promise<PreparedProof> {
  const text = `${contractOf(claimed)}\n${more}`;
  const { value } = readContracts([{ path: 't-kernel-v1.yaml', text }], { elsewhere: new Set() });
  const contracts = elaborateAll(value);
  const [one] = await prepareProofs({ host: createMemoryHost(files), contracts, prelude, wants: () => true });
  if (!one) throw new Error('the contract was not read');
  return one;
}

/** A store, and the run of `proof` with a compiler that ends as `end` says on the file that it is asked for. */
function bench(ends: Readonly<Record<string, ProgramEnd>> = { 'Last.v': ended('Closed under the global context\n') }) {
  const host = createMemoryHost();
  const store = { host, root: '.', trust: ourTrust };
  let compiled = 0;
  const workshop = {
    host,
    run: async ({ arguments: given }: { readonly arguments: readonly string[] }) => {
      compiled++;
      return ends[given.at(-1) ?? ''] ?? ended('');
    },
    coqc: 'coqc',
    timeoutMs: 1,
    signal: new AbortController().signal,
    folder: '/shop',
  };
  const signal = new AbortController().signal;
  const request = {
    workshop,
    version: '8.16.1',
    store,
    jobs: 1 as number | null,
    fresh: false,
    signal,
    onProgress: () => undefined,
  };
  const run = async (proof: PreparedProof, changes: Partial<typeof request> = {}) => {
    const [claim] = await prove([proof], { ...request, ...changes });
    if (!claim) throw new Error('one claim was asked for');
    return claim;
  };
  return { store, run, request, compilations: () => compiled };
}

describe('a proof that is requested', () => {
  it('is ready where the claim can be stated and a script is there', async () => {
    const proof = await prepared({ [path]: script });
    expect(proof).toMatchObject({ goal: 't-kernel-v1/T-001', path, script: { path, text: script }, problems: [] });
    expect(proof.inputs).not.toBeNull();
    const other = await prepared({ [path]: `${script}\n` }, undefined, '', 'another prelude');
    expect(other.inputs?.statement).toBe(proof.inputs?.statement);
    expect([other.inputs?.script, other.inputs?.prelude]).not.toContain(proof.inputs?.script);
    expect(other.inputs?.prelude).not.toBe(proof.inputs?.prelude);
  });

  it('has no script where the file is missing, without a problem', async () => {
    const proof = await prepared({});
    expect(proof).toMatchObject({ script: null, inputs: null, problems: [] });
    expect(await standingOf(bench().store, proof)).toMatchObject({
      standing: 'no script',
      reason: `there is no ${path}`,
      scope: 'every n ≥ 1',
      diagnostics: [],
      checker: null,
      axioms: [],
    });
  });

  it.each<[string, Readonly<Record<string, string>>, Claimed | undefined, string, string]>([
    ['its script cannot be read', { [`${path}/x`]: '' }, undefined, 'PV-8002', 'refused'],
    ['its script says what none may', { [path]: `${script}Axiom a : claim.` }, undefined, 'PV-6032', 'refused'],
    ['the claim cannot be elaborated', { [path]: script }, { formal: 'as fast as it can be' }, 'PV-6031', 'not stated'],
    ['Rocq has no word for it', { [path]: script }, { formal: 'is_finite(f(x)_i)' }, 'PV-6031', 'not stated'],
  ])('goes to no compiler where %s', async (_, files, claimed, code, standing) => {
    const proof = await prepared(files, claimed);
    expect(proof.inputs).toBeNull();
    expect(proof.problems.map((problem) => problem.code)).toEqual([code]);
    const { run, compilations } = bench();
    expect(await run(proof)).toMatchObject({
      standing,
      reason: proof.problems[0]?.message,
      diagnostics: proof.problems,
    });
    expect(compilations()).toBe(0);
  });

  it('has its fault at the place in the script', async () => {
    const text = `${script}Axiom a : claim.`;
    const [problem] = (await prepared({ [path]: text })).problems;
    expect(problem?.span).toMatchObject({ source: { path }, range: { start: script.length, end: script.length + 5 } });
  });

  it('is not about data, nor about what many runs do', async () => {
    const { contract, obligation } = await prepared({});
    const without = (changes: Partial<typeof obligation>) =>
      exactGoal(contract, { ...obligation, ...changes }, new Map());
    const refused = (reason: string) => ({ ok: false, error: { reason, diagnostics: [] } });
    expect(without({ about: 'data' })).toEqual(refused('it is a demand on data, which some data do not meet'));
    expect(without({ semantics: 'statistical' })).toEqual(refused('it is about the distribution of many runs'));
  });

  it('is one of those that are wanted', async () => {
    const { value } = readContracts([{ path: 't-kernel-v1.yaml', text: contractOf({ formal: 'f(x)_i ≥ 2·x_i' }) }], {
      elsewhere: new Set(),
    });
    const contracts = elaborateAll(value);
    const wanted = (wants: boolean) =>
      prepareProofs({ host: createMemoryHost({}), contracts, prelude: '', wants: () => wants });
    expect([(await wanted(true)).length, (await wanted(false)).length]).toEqual([1, 0]);
  });

  it('is requested by the contract, and releases inputs that there are', async () => {
    const method = (names: string) => `    methods: { proof: { unbounded: [${names}] } }`;
    const [x, y] = [await prepared({}, undefined, method('x')), await prepared({}, undefined, method('y'))];
    expect([x, y].map(({ obligation }) => asksForProof(obligation))).toEqual([true, true]);
    expect(asksForProof((await prepared({})).obligation)).toBe(false);
    expect(x.problems).toEqual([]);
    expect(x.statement?.text).not.toContain('x i <= 10');
    expect(y.problems).toMatchObject([{ code: 'PV-6031', hint: expect.stringContaining('its inputs are x') }]);
  });
});

describe('what Rocq says of it', () => {
  it('is kept, and asked again where the script has changed, another Rocq is here or all is to be fresh', async () => {
    const { store, run, compilations } = bench();
    const proof = await prepared({ [path]: script });
    expect(await standingOf(store, proof)).toMatchObject({ standing: 'not checked' });
    expect(await run(proof)).toMatchObject({
      standing: 'proved',
      reason: null,
      checker: 'coqc 8.16.1',
      axioms: [],
      diagnostics: [],
    });
    expect(await standingOf(store, proof)).toMatchObject({ standing: 'proved', scope: 'every n ≥ 1' });
    const counted = async (changes: Parameters<typeof run>[1], of = proof) => {
      const before = compilations();
      await run(of, changes);
      return compilations() - before;
    };
    expect(await counted({})).toBe(0);
    expect(await counted({ fresh: true })).toBe(3);
    expect(await counted({ version: '9.0' })).toBe(3);
    const changed = await prepared({ [path]: `${script}\n` });
    expect(await standingOf(store, changed)).toMatchObject({ standing: 'stale' });
    expect(await counted({ version: '9.0' }, changed)).toBe(3);
  });

  it.each<[string, string, string, number]>([
    ['Statement.v', 'PV-6033', 'Rocq does not read the statement: no.', -1],
    ['Script.v', 'PV-6033', 'Rocq refuses the script: no.', 2],
    ['Last.v', 'PV-6033', 'what the script proves is not the claim: no.', 1],
  ])('is refused at its place, where %s is', async (file, code, message, line) => {
    const proof = await prepared({ [path]: script });
    const { store, run } = bench({ [file]: ended('File "./x.v", line 6, characters 0-1:\nError: no.\n', 1) });
    const found = await run(proof);
    expect(found).toMatchObject({ standing: 'refused', reason: 'no.', axioms: [], diagnostics: [{ code, message }] });
    const span = found.diagnostics[0]?.span;
    const start =
      script
        .split('\n')
        .slice(0, line - 1)
        .join('\n').length + (line > 1 ? 1 : 0);
    if (line > 0) expect([span?.source.path, span?.range.start]).toEqual([path, start]);
    else expect(span).toBe(proof.obligation.span);
    expect(await standingOf(store, proof)).toMatchObject({ standing: 'refused' });
  });

  it('is refused where the proof rests on something strange', async () => {
    const { run } = bench({ 'Last.v': ended('Axioms:\nScript.cheat : claim\n') });
    expect(await run(await prepared({ [path]: script }))).toMatchObject({
      standing: 'refused',
      diagnostics: [{ code: 'PV-6034' }],
    });
  });

  it('is asked of as many at once as there are jobs, in the order of the proofs', async () => {
    const proof = await prepared({ [path]: script });
    const at = async (jobs: number | null) => {
      const { request } = bench();
      let [running, most] = [0, 0];
      const run = async () => {
        most = Math.max(most, ++running);
        await new Promise((done) => setTimeout(done, 2));
        running--;
        return ended('Closed under the global context\n');
      };
      const workshop = { ...request.workshop, run };
      const found = await prove([proof, proof, proof], { ...request, workshop, jobs, fresh: true });
      expect(found.map(({ standing }) => standing)).toEqual(['proved', 'proved', 'proved']);
      return most;
    };
    expect([await at(1), await at(2), await at(9)]).toEqual([1, 2, 3]);
    expect(await at(null)).toBeGreaterThan(0);
  });

  it('is asked of none after the run was stopped', async () => {
    const { request, compilations } = bench();
    const signal = AbortSignal.abort();
    expect(await prove([await prepared({ [path]: script })], { ...request, signal })).toEqual([]);
    expect(compilations()).toBe(0);
  });
});
