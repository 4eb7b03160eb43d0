/**
 * The ten scenarios and seven edge cases of "Training Resume - Bulletproof Verification", end to end: real PyTorch checkpoints and
 * the runs that resume from them (test/e2e/pytorch/seed_scenarios.py), and checkpoints of our own. Each has the outcome that is
 * expected there, or a better one.
 *
 * Holds src/checkpoint/checks/new-vocabulary.ts and src/host/file-system.ts.
 */
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  loadCheckpoint,
  openCheckpointFolder,
  saveCheckpoint,
  withEval,
  type TrainingState,
} from '../../src/checkpoint/index.ts';
import { openCheckpoints } from '../../src/checkpoint/store/writer.ts';
import type { Host } from '../../src/host/host.ts';
import { createMemoryHost } from '../../src/host/memory-host.ts';
import { createNodeHost } from '../../src/host/node-host.ts';
import { runPv } from '../support/memory-cli.ts';
import { absentTorch } from '../support/python-torch.ts';
import { checkResumed, runLoop } from '../support/resume-loop.ts';
import { buildSavingChild } from './store/killed-child.ts';
import { failed, intercepted, type Intercept } from './store/recorded-host.ts';
import { stateOf, textOf } from './store/states.ts';

const folder = mkdtempSync(join(tmpdir(), 'pv-seed-scenarios-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Report = Readonly<Record<'verdict', string>> & {
  readonly findings: readonly Readonly<Record<'check' | 'status' | 'why' | 'expected' | 'actual', string>>[];
};

/** The findings that are not passes, `WARN batch size: why`, and the exit code. */
async function resumed(name: string, checkpoint = 'healthy/checkpoint-20', ...more: readonly string[]) {
  const { code, stdout, stderr } = await checkResumed(folder, checkpoint, name, '--json', ...more);
  expect(stderr).toBe('');
  const { verdict, findings } = JSON.parse(stdout) as Report;
  const raised = findings.filter(({ status }) => status !== 'PASS');
  return { code, verdict, findings, raised: raised.map(({ check, status }) => `${status} ${check}`) };
}

const healthy = { code: 0, verdict: 'passed', raised: [] };

describe.skipIf(absentTorch)('a PyTorch run', { timeout: 120_000 }, () => {
  // The script asserts that resumed runs end with the weights, losses and samples of runs that went on.
  beforeAll(() => runLoop('seed_scenarios.py', folder), 120_000);

  it('scenario 1, a normal resume: every check passes', async () => {
    const report = await resumed('healthy');
    expect(report).toMatchObject(healthy);
    expect(report.findings.length).toBeGreaterThanOrEqual(30);
  });

  it('scenario 2, other hardware with a larger batch: a warning, and the position in samples holds', async () => {
    const report = await resumed('larger-batch');
    expect(report).toMatchObject({ code: 0, verdict: 'warnings', raised: ['WARN batch size'] });
    expect(report.findings.find(({ check }) => check === 'position')).toMatchObject({
      status: 'PASS',
      expected: 'step 20, epoch 1, sample 64',
    });
  });

  it('scenario 2, with the index of the batch taken over: samples that would be left out are found', async () => {
    const report = await resumed('larger-batch-at-the-old-index');
    expect(report).toMatchObject({ code: 1, verdict: 'failed' });
    expect(report.raised).toEqual(['CRITICAL position', 'WARN batch size', 'CRITICAL dataset', 'CRITICAL data order']);
  });

  it('scenario 3, a larger vocabulary with everything but the weights fresh: a restart, with warnings', async () => {
    const report = await resumed('new-vocabulary');
    expect(report).toMatchObject({ code: 0, raised: ['WARN position', 'WARN vocabulary'] });
  });

  it('scenario 3, with a fresh optimizer at the old epoch and batch: critical', async () => {
    const report = await resumed('new-vocabulary-at-the-old-position');
    expect(report).toMatchObject({ code: 1, verdict: 'failed' });
    expect(report.raised).toEqual(expect.arrayContaining(['CRITICAL position', 'CRITICAL optimizer restored']));
    const why = report.findings.find(({ check }) => check === 'position')?.why;
    expect(why).toContain('some of step, epoch and batch were reset or shifted and others were not');
  });

  it('scenario 4, in the middle of an epoch: no sample comes twice, and none is left out', async () => {
    const { findings } = await resumed('healthy');
    expect(findings.find(({ check }) => check === 'position')?.expected).toBe('step 20, epoch 1, batch 16');
    expect(findings.find(({ check }) => check === 'data order')?.status).toBe('PASS');
  });

  it('scenario 5, in the middle of an accumulation: the lost gradients are a warning', async () => {
    const report = await resumed('mid-accumulation', 'mid-accumulation/checkpoint-20');
    expect(report).toMatchObject({ code: 0, verdict: 'warnings', raised: ['WARN accumulation state'] });
    expect(report.findings.find(({ check }) => check === 'accumulation state')?.why).toContain('1 micro-batch');
  });

  it('scenario 6, a validation that fails: training goes on in its mode, and a model that does not is found', async () => {
    expect(await resumed('validation-crash')).toMatchObject(healthy);
    expect(await resumed('validation-crash-in-eval-mode')).toMatchObject({
      code: 1,
      raised: ['CRITICAL training mode'],
    });
  });

  it('scenario 7, a stale scheduler: critical, with ten seconds to abort', async () => {
    const checkpoint = 'stale-scheduler/checkpoint-20';
    const report = await resumed('stale-scheduler', checkpoint);
    expect(report).toMatchObject({ code: 1, raised: ['CRITICAL matched set', 'CRITICAL learning rate'] });
    const control = new AbortController();
    const options = { host: createNodeHost(folder), terminal: true, signal: control.signal };
    const running = runPv(['resume', 'check', checkpoint, '--interactive'], options);
    control.abort();
    const ran = await running;
    expect(ran).toMatchObject({ code: 130, stderr: expect.stringContaining('within 10 seconds to abort') });
  });

  it('scenario 8, gradients that are not masked: critical', async () => {
    expect(await resumed('mask-not-registered')).toMatchObject({ code: 1, raised: ['CRITICAL gradient masking'] });
  });

  it('scenario 9, an epoch boundary: its end is the start of the next epoch, and nothing else is', async () => {
    const at = 'epoch-boundary/checkpoint-24';
    expect(await resumed('epoch-boundary', at)).toMatchObject(healthy);
    const moved = await resumed('start-of-the-next-epoch', at);
    expect(moved).toMatchObject(healthy);
    for (const { findings } of [await resumed('epoch-boundary', at), moved])
      expect(findings.find(({ check }) => check === 'dataset')?.status).toBe('PASS');
    for (const name of ['epoch-repeated', 'epoch-skipped'])
      expect((await resumed(name, at)).raised).toEqual(['CRITICAL position', 'CRITICAL data order']);
  });

  it('edge case 2, all batches of the epoch skipped: the next epoch, whose samples the save does not vouch for', async () => {
    const report = await resumed('start-of-the-next-epoch-with-samples', 'epoch-boundary/checkpoint-24');
    expect(report).toMatchObject({ code: 5, verdict: 'incomplete', raised: ['NOT CHECKED data order'] });
  });

  it('scenario 10, killed in torch.save: the last file is whole, the torn one is refused wherever it is', async () => {
    const pv = (...args: readonly string[]) => runPv(args, { host: createNodeHost(folder) });
    const whole = await pv('resume', 'check', 'killed/latest.pth');
    expect(whole).toMatchObject({ code: 5, stderr: '' });
    expect(whole.stdout).not.toContain('CRITICAL');
    for (const torn of ['killed/latest.pth.tmp', 'killed/in-place.pth'])
      for (const command of [
        ['resume', 'check'],
        ['checkpoint', 'inspect'],
      ]) {
        const ran = await pv(...command, torn);
        expect(ran).toMatchObject({ code: 1, stdout: '' });
        expect(ran.stderr).toMatch(/error\[PV-8501\]: .*The file is cut off[^]*byte {6}20000/u);
      }
  });

  it('edge case 1, fewer data than are skipped: critical, with both numbers', async () => {
    const report = await resumed('nothing-left-after-the-skip');
    expect(report).toMatchObject({ code: 1, raised: ['CRITICAL dataset'] });
    const finding = report.findings.find(({ check }) => check === 'dataset');
    expect(finding?.expected).toContain('64 samples that are skipped');
    expect(finding?.actual).toContain('16 samples');
  });

  it('edge case 3, data of another length: critical', async () => {
    const report = await resumed('dataset-changed');
    expect(report).toMatchObject({ code: 1, raised: ['CRITICAL dataset'] });
    expect(report.findings.find(({ check }) => check === 'dataset')?.why).toContain('another length');
  });

  it('edge case 7, latest.pth is a link: it is read through, and not sealed as if its bytes were here', async () => {
    symlinkSync('latest.pth', join(folder, 'killed/link.pth'));
    const host = createNodeHost(folder);
    expect((await runPv(['resume', 'check', 'killed/link.pth'], { host })).code).toBe(5);
    const sealed = await runPv(['checkpoint', 'seal', 'killed/link.pth'], { host });
    expect(sealed).toMatchObject({ code: 1, stderr: expect.stringContaining("'link.pth' is a link") });
  });
});

const weightsAfter = (batches: number, from?: TrainingState): TrainingState => {
  const every = 4;
  const w = Float32Array.from(from?.weights[0]?.data ?? [1, -2, 3], Number);
  const sum = Float32Array.from(from?.gradients?.[0]?.data ?? [0, 0, 0], Number);
  const begun = from === undefined ? 0 : from.position.nextBatch;
  for (let batch = begun; batch < batches; batch++) {
    for (let i = 0; i < 3; i++) sum[i] = (sum[i] ?? 0) + Math.fround(Math.sin(batch + i) * (w[i] ?? 0)) / every;
    if (batch % every !== every - 1) continue;
    for (let i = 0; i < 3; i++) w[i] = (w[i] ?? 0) - 0.1 * (sum[i] ?? 0);
    sum.fill(0);
  }
  const accumulated = batches % every;
  const gradients = accumulated === 0 ? [] : [{ name: 'w', shape: [3], data: sum }];
  const position = { step: Math.floor(batches / every), epoch: 0, nextBatch: batches, accumulated };
  return { position, weights: [{ name: 'w', shape: [3], data: w }], gradients };
};

describe('a checkpoint of our own', () => {
  const at = (name: string): string => join(folder, name);

  it('scenario 5, in the middle of an accumulation: the gradients are saved, and the run ends with the same bits', async () => {
    await saveCheckpoint(at('accumulating'), weightsAfter(18));
    const { state } = await loadCheckpoint(at('accumulating'));
    expect(state.position).toMatchObject({ nextBatch: 18, accumulated: 2 });
    expect(textOf(weightsAfter(40, state))).toBe(textOf(weightsAfter(40)));
    await expect(saveCheckpoint(at('lossy'), { ...weightsAfter(18), gradients: [] })).rejects.toMatchObject({
      problem: { code: 'PV-8540', message: expect.stringContaining('lose 2 batches') },
    });
  });

  it('scenario 6, a validation that fails: withEval restores the mode of every module', async () => {
    const modules = [{ training: true }, { training: false }];
    const failing = withEval(modules, () => Promise.reject(new Error('out of memory')));
    await expect(failing).rejects.toThrow('out of memory');
    expect(modules).toEqual([{ training: true }, { training: false }]);
  });

  it('scenario 10, killed in a save: a temporary folder is left, and the last checkpoint is loaded', async () => {
    const run = await buildSavingChild(folder);
    const { signal, stdout } = await run(at('killed-store'), 2, 40);
    expect(signal).toBe('SIGKILL');
    expect(stdout.trim()).toBe('1');
    expect(await readdir(at('killed-store'))).toEqual(expect.arrayContaining([expect.stringMatching(/^\.saving-/u)]));
    const { state, passedOver } = await loadCheckpoint(at('killed-store'));
    expect([textOf(state), passedOver]).toEqual([textOf(stateOf(1)), []]);
  });

  it('edge case 4, two processes: the second is kept out, and nothing of the first is lost', async () => {
    const run = await buildSavingChild(folder);
    const first = await openCheckpointFolder(at('shared'));
    await first.save(stateOf(1));
    const second = await run(at('shared'), 1, -1);
    expect(second.stdout).toBe('');
    expect(second.stderr).toContain(`process ${process.pid} of this machine`);
    await first.save(stateOf(2));
    await first.close();
    expect(textOf((await loadCheckpoint(at('shared'))).state)).toBe(textOf(stateOf(2)));
    expect((await run(at('shared'), 1, -1)).stdout).toMatch(/^1\n/u);
  });

  const failing =
    (kind: string, message: string): Intercept =>
    (operation) =>
      operation.kind === kind ? failed(operation, 'other', message) : undefined;

  it.each<readonly [string, Intercept, RegExp]>([
    ['edge case 5, a file system without renames', failing('rename', 'EPERM'), /renaming a folder failed/u],
    [
      'edge case 5, a file system that cannot sync folders',
      failing('sync-folder', 'EINVAL'),
      /syncing a folder failed/u,
    ],
    ['edge case 6, a read-only file system', failing('create', 'the file system is read-only'), /read-only/u],
  ])('%s: refused before training starts', async (_, intercept, message) => {
    const host = createMemoryHost({ 'run/other.txt': '' });
    const opened = await openCheckpoints(intercepted(host, intercept), 'run');
    expect(opened).toMatchObject({ ok: false, error: { code: 'PV-8541', message: expect.stringMatching(message) } });
    expect([...host.files.keys()]).toEqual(['/project/run/other.txt']);
  });

  it.runIf(process.platform === 'linux')('edge case 6, a folder that nobody can write to: refused', async () => {
    await expect(openCheckpointFolder('/proc/checkpoints')).rejects.toMatchObject({ problem: { code: 'PV-8541' } });
  });

  it.each([
    ['NFS', /on NFS, which may lose what was synced/u],
    ['tmpfs', /in memory/u],
  ])('edge case 5, %s: the writer says what may be lost', async (name, caution) => {
    const fileSystem: Host['fileSystem'] = async () => ({ freeBytes: 1e9, unreliable: name });
    const host: Host = { ...createMemoryHost({ 'other.txt': '' }), fileSystem };
    const opened = await openCheckpoints(host, 'run');
    expect(opened.ok && opened.value.caution).toMatch(caution);
  });

  it.runIf(process.platform === 'linux')('edge case 5, real file systems are told apart', async () => {
    const host = createNodeHost();
    expect(await host.fileSystem('/proc')).toMatchObject({ unreliable: null });
    const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
    const inMemory = mounts.find((line) => line.split(' ')[2] === 'tmpfs')?.split(' ')[1];
    if (inMemory !== undefined) expect(await host.fileSystem(inMemory)).toMatchObject({ unreliable: 'tmpfs' });
  });

  it('edge case 7, latest.json is a link: it is replaced, and what it led to is left alone', async () => {
    await mkdir(at('linked'));
    writeFileSync(at('mine'), 'mine');
    symlinkSync(at('mine'), at('linked/latest.json'));
    await saveCheckpoint(at('linked'), stateOf(1));
    await expect(readlink(at('linked/latest.json'))).rejects.toThrow('EINVAL');
    expect(readFileSync(at('mine'), 'utf8')).toBe('mine');
    expect((await loadCheckpoint(at('linked'))).sequence).toBe(1);
  });
});
