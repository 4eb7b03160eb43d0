import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/api/exit-code.ts';
import { ensureBuilt, repositoryRoot, runBuiltPv } from '../support/built.ts';
import { contractOf } from '../support/rocq.ts';

/** The built program in a project of its own; what stands for Rocq is a shell script, so that these tests run everywhere. */
let folder = '';
const claimed = contractOf({ formal: 'f(x)_i = x_i + x_i' });
const asking = `${claimed}\n    methods: { proof: {} }\n`;
const script = 'Theorem witness : some_input.\nProof. idtac. Qed.\nTheorem proof : claim.\nProof. idtac. Qed.\n';
const scriptFile = 'proofs/t-kernel-v1/T-001.v';

/** Accepts everything; refuses scripts that say `wrong`, with the words and the place that Rocq would give. */
const obliging = `#!/bin/sh
if [ "$1" = --version ]; then echo "The Coq Proof Assistant, version $PV_VERSION"; exit 0; fi
for last; do :; done
echo "$last" >> "$CALLS"
if grep -q wrong "$last"; then printf 'File "./%s", line 7, characters 1-2:\\nError: No such goal.\\n' "$last"; exit 1; fi
if [ "$last" = Last.v ]; then echo "Closed under the global context"; fi
`;

beforeAll(async () => {
  ensureBuilt();
  folder = await mkdtemp(join(tmpdir(), 'pv-prove-'));
  await writeFile(join(folder, 'package.json'), '{}');
  await writeCompiler('coqc', '8.16.1');
  await writeCompiler('newer', '9.0.0');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function writeCompiler(name: string, version: string): Promise<void> {
  await writeFile(
    join(folder, name),
    obliging.replace('$PV_VERSION', version).replace('$CALLS', join(folder, 'calls')),
  );
  await chmod(join(folder, name), 0o755);
}

const write = async (path: string, text: string): Promise<void> => {
  await mkdir(join(folder, path, '..'), { recursive: true });
  await writeFile(join(folder, path), text);
};
const pv = (...args: readonly string[]) => runBuiltPv(['prove', 't-kernel-v1.yaml', ...args], { cwd: folder });
const rocq = (name = 'coqc'): string[] => ['--coqc', join(folder, name)];

interface Told {
  readonly proofs: readonly { readonly standing: string; readonly checker: string | null; readonly scope: string }[];
}
const told = async (...args: readonly string[]): Promise<Told['proofs'][number] | undefined> => {
  const { stdout } = await pv('--format', 'json', ...args);
  return (JSON.parse(stdout) as Told).proofs[0];
};

describe('pv prove', () => {
  it('says that a contract requires no proof', async () => {
    await write('t-kernel-v1.yaml', claimed);
    const ran = await pv(...rocq());
    expect(ran.code).toBe(exitCodes.findings);
    expect(ran.stderr).toContain('ask for no proof over the reals');
  });

  it('names the script that is missing, and writes its beginning', async () => {
    await write('t-kernel-v1.yaml', asking);
    expect(await told(...rocq())).toMatchObject({ standing: 'no script', checker: null });
    expect((await pv('--write')).code).toBe(exitCodes.ok);
    const written = await readFile(join(folder, scriptFile), 'utf8');
    expect(written).toContain('forall i : Z, (0 <= i < n)%Z -> f n x i = x i + x i.');
    expect(written).toContain('Theorem proof : claim.\nProof.\nQed.');
    expect((await pv('--write')).stderr).toContain('nothing to write');
  });

  it('has Rocq check the script once, and leaves nothing behind', async () => {
    await write(scriptFile, script);
    const ran = await pv(...rocq());
    expect(ran.stdout).toContain('proved over the reals for every n ≥ 1, under no axiom, by coqc 8.16.1');
    expect(ran.stdout).toContain('1 of 1 proof over the reals holds');
    expect(ran.code).toBe(exitCodes.ok);
    expect(await readdir(join(folder, '.pv/rocq'))).toEqual([]);
    const calls = await readFile(join(folder, 'calls'), 'utf8');
    expect(calls).toBe('Pv.v\nStatement.v\nScript.v\nLast.v\n');
    expect((await pv(...rocq())).code).toBe(exitCodes.ok);
    expect(await readFile(join(folder, 'calls'), 'utf8')).toBe(calls);
  });

  it('holds without Rocq as long as nothing has changed', async () => {
    expect((await pv('--coqc', join(folder, 'nowhere'))).code).toBe(exitCodes.ok);
    const fresh = await pv('--coqc', join(folder, 'nowhere'), '--fresh');
    expect(fresh.code).toBe(exitCodes.usage);
    expect(fresh.stderr).toContain('PV-6035');
    await write(scriptFile, `${script}(* another *)\n`);
    const ran = await pv('--coqc', join(folder, 'nowhere'));
    expect(ran.code).toBe(exitCodes.findings);
    expect(ran.stdout).toContain('stale: since it was checked, the script changed');
    expect(ran.stderr).toContain('PV-6035');
  });

  it('asks another version of Rocq again', async () => {
    expect(await told(...rocq())).toMatchObject({ standing: 'proved', checker: 'coqc 8.16.1' });
    expect(await told(...rocq('newer'))).toMatchObject({ standing: 'proved', checker: 'coqc 9.0.0' });
  });

  it('goes stale with the claim', async () => {
    await write('t-kernel-v1.yaml', asking.replace('f(x)_i = x_i + x_i', 'f(x)_i = 2·x_i + 0·x_i'));
    expect(await told('--coqc', join(folder, 'nowhere'))).toMatchObject({ standing: 'stale' });
    await write('t-kernel-v1.yaml', asking);
  });

  it('shows what Rocq says at its place in the script', async () => {
    await write(scriptFile, `${script.slice(0, 30)}\n(* wrong *)${script.slice(30)}`);
    const ran = await pv(...rocq());
    expect(ran.code).toBe(exitCodes.findings);
    expect(ran.stdout).toContain('refused: No such goal.');
    expect(ran.stderr).toContain('PV-6033');
    expect(ran.stderr).toContain(`${scriptFile}:3:1`);
  });

  it('gives Rocq no script that holds more than proofs', async () => {
    await write(scriptFile, `Axiom cheat : False.\n${script}`);
    const ran = await pv(...rocq());
    expect(ran.code).toBe(exitCodes.findings);
    expect(ran.stderr).toContain('PV-6032');
    expect(ran.stderr).toContain(`${scriptFile}:1:1`);
  });

  it('does not state what is not about real numbers', async () => {
    await write('t-kernel-v1.yaml', asking.replace('f(x)_i = x_i + x_i', 'is_finite(f(x)_i)'));
    const ran = await pv(...rocq());
    expect(ran.code).toBe(exitCodes.findings);
    expect(ran.stderr).toContain('PV-6031');
    expect(ran.stderr).toContain('every real number is finite');
    await write('t-kernel-v1.yaml', asking.replace('proof: {}', 'proof: { unbounded: [y] }'));
    expect((await pv(...rocq())).stderr).toContain("it has no input 'y'");
  });

  it('knows the claims of the contracts', async () => {
    const ran = await pv('--claim', 'T-002');
    expect(ran.code).toBe(exitCodes.usage);
    expect(ran.stderr).toContain("did you mean 'T-001'?");
    expect((await runBuiltPv(['prove', 'nowhere.yaml'], { cwd: folder })).code).toBe(exitCodes.usage);
  });
});

describe('pv status', () => {
  it('reports the proofs of a contract next to its verdict, and which do not hold', async () => {
    await write('t-kernel-v1.yaml', asking);
    await write(scriptFile, script);
    await pv(...rocq());
    const stands = await runBuiltPv(['status', 't-kernel-v1.yaml'], { cwd: folder });
    expect(stands.stdout).toContain('1 of 1 proof over ℝ holds');
    // Rocq has said yes, and no kernel has run: the verdict is what it was.
    expect(stands.code).toBe(exitCodes.findings);
    await write(scriptFile, `${script}(* another *)`);
    const stale = await runBuiltPv(['status', 't-kernel-v1.yaml'], { cwd: folder });
    expect(stale.stdout).toContain('0 of 1 proof over ℝ holds');
    expect(stale.stdout).toContain('PV-6030');
    const json = await runBuiltPv(['status', 't-kernel-v1.yaml', '--format', 'json'], { cwd: folder });
    const [contract] = (JSON.parse(json.stdout) as { contracts: { claims: { overReals: object }[] }[] }).contracts;
    expect(contract?.claims[0]?.overReals).toMatchObject({ standing: 'stale', scope: 'every n ≥ 1', axioms: [] });
  });
});

describe('proofs that have not been checked here', () => {
  it('are counted in one line, and not reported as failures', async () => {
    await write('t-kernel-v1.yaml', asking);
    await write(scriptFile, script);
    await rm(join(folder, '.pv'), { recursive: true, force: true });
    const status = await runBuiltPv(['status', 't-kernel-v1.yaml'], { cwd: folder });
    expect(status.stdout).toContain('1 proof over ℝ not checked here');
    expect(status.stdout).not.toContain('0 of 1 proof');
    expect(status.stdout.match(/\[PV-6030\]/g)).toHaveLength(1);
    const ran = await pv('--coqc', join(folder, 'nowhere'));
    expect(ran.code).toBe(exitCodes.findings);
    expect(ran.stdout).toMatch(/– 1 proof not checked here\n\n1 proof over the reals not checked here\n/);
  });
});

describe('the contracts of this project', () => {
  it('require proofs that have a script each, and have no other scripts', async () => {
    const ran = await runBuiltPv(['prove', 'contracts', '--coqc', '/nowhere/coqc', '--format', 'json'], {
      cwd: repositoryRoot,
    });
    const { proofs } = JSON.parse(ran.stdout) as { proofs: { contract: string; claim: string; standing: string }[] };
    expect(proofs.filter(({ standing }) => standing === 'no script' || standing === 'not stated')).toEqual([]);
    const files = await readdir(join(repositoryRoot, 'contracts/proofs'), { recursive: true });
    const scripts = files.filter((name) => name.endsWith('.v')).map((name) => name.replace(/\.v$/, ''));
    expect(proofs.map(({ contract, claim }) => `${contract}/${claim}`).toSorted()).toEqual(scripts.toSorted());
  });
});
