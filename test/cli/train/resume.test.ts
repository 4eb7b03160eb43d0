/** `pv train resume`. Holds src/cli/train/run-resume.ts. */
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMemoryHost, type MemoryHost } from '../../../src/host/memory-host.ts';
import { bin, ensureBuilt, runProcess } from '../../support/built.ts';
import { runPv } from '../../support/memory-cli.ts';
import { document } from '../../training/run/small-run.ts';

const small = JSON.stringify(document, null, 1);

async function trained(...flags: readonly string[]): Promise<MemoryHost> {
  const host = createMemoryHost({ 'run.yaml': small });
  await runPv(['train', 'run.yaml', '--out', 'run', '--quiet', ...flags], { host });
  return host;
}

/** The sealed files of a run. */
const sealed = (host: MemoryHost): readonly (readonly [string, string])[] =>
  [...host.files]
    .filter(([path]) => path.startsWith('/project/run/') && !/resume|timing/.test(path))
    .map(([path, bytes]) => [path, Buffer.from(bytes).toString('base64')] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));

/** What a process leaves that was killed while it wrote the line of step `step`. */
async function killedAt(step: number): Promise<MemoryHost> {
  const host = await trained('--checkpoint-every', '5');
  const ledger = Buffer.from(host.files.get('/project/run/ledger.jsonl') ?? []).toString();
  const lines = ledger.split(/(?<=\n)/);
  host.files.set(
    '/project/run/ledger.jsonl',
    Buffer.from(lines.slice(0, step).join('') + (lines[step] ?? '').slice(0, 40)),
  );
  for (const name of ['certificate.json', 'weights.safetensors', 'timing.json'])
    host.files.delete(`/project/run/${name}`);
  return host;
}

describe('pv train resume', () => {
  it('ends a run that was killed with the same files as one that was not, and they verify', async () => {
    const straight = await trained();
    const host = await killedAt(23);
    const resumed = await runPv(['train', 'resume', 'run'], { host });
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(resumed.stderr).toContain('Resuming run after step 20 of 24');
    expect(sealed(host)).toEqual(sealed(straight));
    const verdict = await runPv(['certificate', 'verify', 'run', '--level', 'full'], { host });
    expect(verdict.stdout).toContain('VERIFIED (full): all steps were replayed, bit for bit\n');
  });

  it('goes on from the checkpoint before a damaged one, and says so', async () => {
    const host = await killedAt(23);
    const path = '/project/run/resume/checkpoint-00000004/state.json';
    host.files.set(path, (host.files.get(path) ?? new Uint8Array()).slice(1));
    const resumed = await runPv(['train', 'resume', 'run'], { host });
    expect(resumed.stderr).toContain('checkpoint-00000004 is damaged: state.json has');
    expect(resumed.stderr).toContain('Resuming run after step 15 of 24');
    expect(sealed(host)).toEqual(sealed(await trained()));
  });

  it('goes on after Ctrl-C from the very step, and replaces the certificate of the part', async () => {
    const host = createMemoryHost({ 'run.yaml': small });
    const interrupted = new AbortController();
    interrupted.abort();
    const flags = ['train', 'run.yaml', '--out', 'run', '--checkpoint-every', '100'];
    expect((await runPv(flags, { host, signal: interrupted.signal })).code).toBe(130);
    const resumed = await runPv(['train', 'resume', 'run'], { host });
    expect(resumed.stderr).toContain('Resuming run after step 1 of 24');
    expect(sealed(host)).toEqual(sealed(await trained()));
  });

  it.each<readonly [string, (host: MemoryHost) => void, number, string]>([
    [
      'a run without checkpoints',
      (host) => [...host.files.keys()].filter((one) => one.includes('resume')).forEach((one) => host.files.delete(one)),
      1,
      'no checkpoint',
    ],
    [
      'a run whose ledger lost lines',
      (host) =>
        host.files.set(
          '/project/run/ledger.jsonl',
          (host.files.get('/project/run/ledger.jsonl') ?? new Uint8Array()).slice(0, 3000),
        ),
      1,
      'PV-8546',
    ],
    [
      'a run that another process trains',
      (host) =>
        host.files.set('/project/run/resume/lock-00000007/owner.json', Buffer.from(JSON.stringify(host.self()))),
      1,
      'PV-8542',
    ],
  ])('refuses %s, and changes nothing', async (_, change, code, message) => {
    const host = await killedAt(23);
    change(host);
    const before = sealed(host);
    const resumed = await runPv(['train', 'resume', 'run'], { host });
    expect(resumed.stderr).toContain(message);
    expect(resumed.code).toBe(code);
    expect(sealed(host)).toEqual(before);
  });

  it('refuses a run that is over, one that was never to be resumed, and no folder', async () => {
    const whole = await trained('--checkpoint-every', '5');
    const before = sealed(whole);
    expect((await runPv(['train', 'resume', 'run'], { host: whole })).stderr).toContain('nothing to resume');
    expect(sealed(whole)).toEqual(before);
    const plain = await runPv(['train', 'resume', 'run'], { host: await trained() });
    expect(plain).toMatchObject({ code: 2, stderr: expect.stringContaining('--checkpoint-every') });
    expect((await runPv(['train', 'resume'], { host: whole })).code).toBe(2);
  });
});

describe('a real process', () => {
  let folder = '';
  beforeAll(async () => {
    ensureBuilt();
    folder = await mkdtemp(join(tmpdir(), 'pv-resume-'));
    await writeFile(join(folder, 'run.json'), JSON.stringify({ ...document, steps: 400 }));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const pv = (...args: readonly string[]) => runProcess(process.execPath, [bin, ...args], { cwd: folder });

  it('does not write through a link in the folder of a run', async () => {
    await pv('train', 'run.json', '--out', 'linked', '--quiet', '--checkpoint-every', '100');
    await rename(join(folder, 'linked/resume'), join(folder, 'elsewhere'));
    await symlink(join(folder, 'elsewhere'), join(folder, 'linked/resume'));
    const before = await readdir(join(folder, 'elsewhere'));
    expect(await pv('train', 'resume', 'linked')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('linked/resume is a link'),
    });
    expect(await readdir(join(folder, 'elsewhere'))).toEqual(before);
  });

  it('that is killed again and again ends with the bytes of one that was not', async () => {
    await pv('train', 'run.json', '--out', 'straight', '--quiet');
    const kill = async (after: number, ...args: readonly string[]): Promise<void> => {
      const child = spawn(process.execPath, [bin, ...args], { cwd: folder, stdio: 'ignore' });
      const ended = new Promise((resolve) => child.once('exit', resolve));
      const lines = async (): Promise<number> =>
        (await readFile(join(folder, 'run/ledger.jsonl'), 'utf8').catch(() => '')).split('\n').length;
      while (child.exitCode === null && (await lines()) < after) await pause(2);
      child.kill('SIGKILL');
      await ended;
    };
    await kill(40, 'train', 'run.json', '--out', 'run', '--quiet', '--checkpoint-every', '13');
    await kill(150, 'train', 'resume', 'run', '--quiet');
    const resumed = await pv('train', 'resume', 'run', '--quiet');
    expect(resumed.code, resumed.stderr).toBe(0);
    const files = ['ledger.jsonl', 'weights.safetensors', 'certificate.json'];
    const checkpoints = (await readdir(join(folder, 'straight/checkpoints'))).map((name) => `checkpoints/${name}`);
    for (const name of [...files, ...checkpoints])
      expect(await readFile(join(folder, 'run', name)), name).toEqual(await readFile(join(folder, 'straight', name)));
    expect((await pv('certificate', 'verify', 'run', '--level', 'full')).stdout).toContain('VERIFIED (full)');
  });
});
