/** Our own checkpoints in the commands for any trainer's: `pv checkpoint inspect` and `verify`, `pv resume check` and `diff`. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { saveCheckpoint, type TrainingState } from '../../../src/checkpoint/index.ts';
import { createNodeHost } from '../../../src/host/node-host.ts';
import { runPv } from '../../support/memory-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'pv-own-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const state = (step: number, moments = [1, 2]): TrainingState => ({
  position: { step, epoch: 1, nextBatch: 3, accumulated: 0 },
  weights: [
    { name: 'layer.weight', shape: [2], data: Float32Array.of(step, 1) },
    { name: 'layer.bias', shape: [1], data: Float32Array.of(2) },
  ],
  optimizer: [
    { name: 'layer.weight.exp_avg', shape: [moments.length], data: Float32Array.from(moments) },
    { name: 'exp_avg/layer.bias', shape: [1], data: Float32Array.of(1) },
  ],
  optimizerNumbers: { step },
  scheduler: { last_step: step },
  random: { data: [1, 2] },
  versions: { trainer: '3.1' },
});

const pv = async (...args: readonly string[]) => runPv(args, { host: createNodeHost(folder) });
const [first, second] = ['run/checkpoint-00000001', 'run/checkpoint-00000002'];

beforeAll(async () => {
  for (const step of [10, 20]) await saveCheckpoint(join(folder, 'run'), state(step));
});

it('is read with its position, weights and optimizer', async () => {
  const { stdout } = await pv('checkpoint', 'inspect', second);
  expect(stdout).toContain('checkpoint of provable-contracts, 4 files');
  expect(stdout).toMatch(/position +step 20, epoch 1/);
  expect(stdout).toMatch(/weights +2 tensors, 3 parameters/);
  expect(stdout).toMatch(/optimizer +1 group, 2 states/);
  expect(stdout).toMatch(/versions +trainer 3\.1/);
});

it('passes the checks for a resume, and fails them where step counts or shapes differ', async () => {
  writeFileSync(join(folder, 'empty.yaml'), 'seed: 1\n');
  const check = async (name: string) => (await pv('resume', 'check', name, '--config', 'empty.yaml')).stdout;
  const sound = await check(second);
  expect(sound).not.toMatch(/^(WARN|CRITICAL)/m);
  for (const name of ['required files', 'optimizer alignment', 'finite tensors'])
    expect(sound).toContain(`PASS  ${name}`);
  await saveCheckpoint(join(folder, 'stale'), { ...state(20), optimizerNumbers: { step: 10 } });
  expect(await check('stale/checkpoint-00000001')).toMatch(/^CRITICAL/m);
  await saveCheckpoint(join(folder, 'misfit'), state(20, [1, 2, 3]));
  expect(await check('misfit/checkpoint-00000001')).toMatch(/^CRITICAL +optimizer alignment/m);
});

it('is compared with another', async () => {
  expect((await pv('resume', 'diff', first, second)).stdout).toContain('step: 10 → 20');
});

it('is verified by its own manifest, and no byte of it may change', async () => {
  const whole = await pv('checkpoint', 'verify', second);
  expect([whole.code, whole.stdout.split(':')[0]]).toEqual([0, 'VERIFIED']);
  for (const name of ['manifest.json', 'state.json', 'weights.safetensors', 'optimizer.safetensors']) {
    cpSync(join(folder, second), join(folder, 'copy'), { recursive: true });
    const bytes = readFileSync(join(folder, 'copy', name));
    const last = bytes.length - 3;
    bytes[last] = (bytes[last] ?? 0) ^ 1;
    writeFileSync(join(folder, 'copy', name), bytes);
    const { code, stdout } = await pv('checkpoint', 'verify', 'copy');
    expect([name, code, stdout.split(':')[0]]).toEqual([name, 1, 'FAILED']);
    rmSync(join(folder, 'copy'), { recursive: true });
  }
  cpSync(join(folder, second), join(folder, 'copy'), { recursive: true });
  rmSync(join(folder, 'copy/optimizer.safetensors'));
  expect((await pv('checkpoint', 'verify', 'copy')).stdout).toContain("'optimizer.safetensors' is missing");
  writeFileSync(join(folder, 'copy/extra.bin'), 'x');
  expect((await pv('checkpoint', 'verify', 'copy')).stdout).toContain("'extra.bin' is not in the manifest");
});

it('is one of several in its folder, of which the latest is named', async () => {
  expect((await pv('checkpoint', 'inspect', 'run')).stderr).toContain('latest.json names run/checkpoint-00000002');
});
