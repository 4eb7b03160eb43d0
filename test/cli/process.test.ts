import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { version } from '../../src/base/version.ts';
import { bin, ensureBuilt, repositoryRoot, runBuiltPv, runProcess } from '../support/built.ts';
import { writeManyContracts } from '../support/many-contracts.ts';

/** The built program as a real process: what no test inside this process can show. */
let folder = '';

beforeAll(async () => {
  ensureBuilt();
  folder = await mkdtemp(join(tmpdir(), 'pv-process-'));
  const softmax = await readFile(join(repositoryRoot, 'contracts/softmax-kernel-v1.yaml'), 'utf8');
  await writeFile(join(folder, 'good-kernel-v1.yaml'), softmax);
  await writeFile(join(folder, 'bad-kernel-v1.yaml'), softmax.replace('type: invariant', 'type: invarient'));
  await writeManyContracts(join(repositoryRoot, 'contracts'), join(folder, 'many'), 150);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const pv = (...args: readonly string[]) => runBuiltPv(args, { cwd: folder });

describe('the process', () => {
  it.each([
    [['--version'], 0],
    [['validate', 'good-kernel-v1.yaml'], 0],
    [['validate', 'bad-kernel-v1.yaml'], 1],
    [['validate', 'nowhere.yaml'], 2],
    [['validat'], 2],
    [['validate', '--format', 'xml', 'good-kernel-v1.yaml'], 2],
  ])('pv %j exits with %i', async (args, code) => {
    expect((await pv(...args)).code).toBe(code);
  });

  it('keeps data on stdout and talk on stderr', async () => {
    const ran = await pv('validate', 'good-kernel-v1.yaml', '--format', 'json');
    expect(JSON.parse(ran.stdout).summary.valid).toBe(1);
    expect(ran.stderr).toContain('1 file: 1 valid');
  });

  it('prints the same bytes every time', async () => {
    const [one, two] = [await pv('validate', 'many'), await pv('validate', 'many')];
    expect(one.stdout).toBe(two.stdout);
    expect(one.stdout).toContain('150 files: 150 valid');
  });

  it('writes no colour into a pipe, unless forced', async () => {
    expect((await pv('validate', 'bad-kernel-v1.yaml')).stdout).not.toContain('\u001B');
    const forced = await runBuiltPv(['validate', 'bad-kernel-v1.yaml'], { cwd: folder, env: { FORCE_COLOR: '1' } });
    expect(forced.stdout).toContain('\u001B[');
  });

  it('survives a reader that goes away', async () => {
    const script = `"${process.execPath}" "${bin}" validate many --format json | head -c 10; echo " \${PIPESTATUS[0]}"`;
    const ran = await runProcess('bash', ['-c', script], { cwd: folder });
    expect(ran.stdout.trim()).toMatch(/ 0$/);
    expect(ran.stderr).not.toMatch(/EPIPE|Error/);
  });

  it('ends with 130 on Ctrl-C', async () => {
    const ran = await runBuiltPv(['validate', 'many'], {
      cwd: folder,
      // Before the handler stands, the signal ends the process itself, which is as well: no exit code but the signal.
      onStart: (child) => void setTimeout(() => child.kill('SIGINT'), 400),
    });
    expect(ran.code === 130 || ran.signal === 'SIGINT').toBe(true);
  });

  it('reads a file whatever it is called', async () => {
    await writeFile(join(folder, '--help.yaml'), await readFile(join(folder, 'good-kernel-v1.yaml')));
    expect((await pv('validate', '--', '--help.yaml')).code).toBe(0);
  });

  it('is the version of the package', async () => {
    expect((await pv('--version')).stdout).toBe(`${version}\n`);
  });
});
