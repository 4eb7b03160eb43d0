import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tinyModel } from '../../src/trace/model/tiny-model.ts';
import { ensureBuilt, repositoryRoot, runBuiltPv } from '../support/built.ts';

/** Traces as processes write and read them: real files, real signals. */
let folder = '';

beforeAll(async () => {
  ensureBuilt();
  folder = await mkdtemp(join(tmpdir(), 'pv-trace-'));
  // Large enough that somebody can press Ctrl-C.
  const slow = tinyModel(1, { config: { dim: 256, hiddenDim: 1024, layers: 8, sequenceLength: 4096 } });
  await writeFile(join(folder, 'slow.bin'), slow.checkpoint);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const pv = (...args: readonly string[]) => runBuiltPv(['trace', ...args], { cwd: folder });
const model = ['--model', 'tiny-model.bin', '--tokenizer', 'tiny-tokenizer.bin'];

describe('pv trace as a process', () => {
  it('records, verifies, proves and checks, in the same bytes each time', async () => {
    expect((await pv('tiny-model')).code).toBe(0);
    const first = await pv('record', ...model, '-i', 'Once upon', '-n', '50', '-o', 'a.trace');
    const second = await pv('record', ...model, '-i', 'Once upon', '-n', '50', '-o', 'b.trace');
    expect(first.code).toBe(0);
    expect(first.stdout).toBe(second.stdout);
    expect(await readFile(join(folder, 'a.trace'))).toEqual(await readFile(join(folder, 'b.trace')));
    const root = /root: ([0-9a-f]{64})/.exec(first.stderr)?.[1] ?? '';
    expect((await pv('verify', 'a.trace', ...model, '--root', root)).code).toBe(0);
    expect((await pv('prove', 'a.trace', '--iteration', '31', '-o', 's.proof')).code).toBe(0);
    expect((await pv('check', 's.proof', '--root', root)).code).toBe(0);
    expect((await pv('check', 's.proof')).code).toBe(5);
    expect((await pv('verify', 'a.trace', ...model, '--root', 'f'.repeat(64))).code).toBe(1);
    expect((await pv('verify', 'a.trace')).code).toBe(2);
  });

  it('reads pipes to their end, and refuses what has none', async () => {
    expect((await pv('tiny-model', '--out', 'pipes')).code).toBe(0);
    const files = ['--model', 'pipes/tiny-model.bin', '-z', 'pipes/tiny-tokenizer.bin'];
    const { stderr } = await pv('record', ...files, '-i', 'Once', '-n', '9', '-o', 'pipes/a.trace');
    const root = /root: ([0-9a-f]{64})/.exec(stderr)?.[1] ?? '';
    expect((await pv('prove', 'pipes/a.trace', '--iteration', '4', '-o', 'pipes/s.proof')).code).toBe(0);
    const command = `pv() { "${process.execPath}" "${join(repositoryRoot, 'dist/cli/bin.js')}" trace "$@"; }`;
    const shell = (line: string) => promisify(execFile)('bash', ['-c', `${command}; ${line}`], { cwd: folder });

    const shown = await shell('cat pipes/a.trace | pv show /dev/stdin');
    expect(shown.stdout).toContain(root);
    const checked = await shell(`pv check <(cat pipes/s.proof) --root ${root}`);
    expect(checked.stdout).toContain('✓ VERIFIED (step of position 4 and path');
    for (const [line, message] of [
      ['pv show - < pipes/a.trace', /'-' is not a file: read a pipe from [/]dev[/]stdin/],
      ['true | pv show /dev/stdin', /looks like an empty file/],
      ['pv check <(head -c 200 pipes/s.proof)', /PV-8058/],
      ['pv show /dev/zero', /is not a regular file/],
      ['mkfifo pipes/named; pv show pipes/named', /is not a regular file/],
      ['pv show pipes', /is a directory/],
    ] as const) {
      const ended: unknown = await shell(line).catch((error: unknown) => error);
      expect(ended, line).toMatchObject({ code: expect.toSatisfy((code) => code === 1 || code === 2) });
      const { stdout, stderr: said } = ended as { readonly stdout: string; readonly stderr: string };
      expect(`${stdout}${said}`).toMatch(message);
      expect(said).not.toContain('    at ');
    }
  });

  it('leaves a readable file on Ctrl-C, and exits with 130', async () => {
    const args = ['record', '--model', 'slow.bin', '-z', 'tiny-tokenizer.bin', '-t', '0', '-n', '0', '-o', 'cut.trace'];
    const ran = await runBuiltPv(['trace', ...args], {
      cwd: folder,
      onStart: (child) => void child.stdout?.once('data', () => setTimeout(() => child.kill('SIGINT'), 300)),
    });
    expect(ran.code).toBe(130);
    expect(ran.stderr).toMatch(/cut[.]trace holds \d+ steps and is incomplete/);
    const shown = JSON.parse((await pv('show', 'cut.trace', '--json')).stdout);
    expect(shown.complete).toBe(false);
    expect(shown.entries.length).toBeGreaterThan(0);
    const files = ['--model', 'slow.bin', '-z', 'tiny-tokenizer.bin'];
    expect((await pv('verify', 'cut.trace', ...files)).code).toBe(1);
    expect((await pv('verify', 'cut.trace', ...files, '--incomplete', '--iteration', '0')).code).toBe(0);
  });
});
