/**
 * Checkpoints that real PyTorch has just written, in both of its formats, compared value by value with what it says is in them.
 * Holds src/checkpoint/distributed/read-folder.ts, src/checkpoint/distributed/metadata.ts, src/checkpoint/torch/dtypes.ts,
 * src/checkpoint/torch/torch-tensors.ts. Skipped where no Python has torch.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Checkpoint } from '../../src/checkpoint/checkpoint.ts';
import { openCheckpoint } from '../../src/checkpoint/open-checkpoint.ts';
import { createNodeHost } from '../../src/host/node-host.ts';
import { repositoryRoot } from '../support/built.ts';
import { runPv } from '../support/memory-cli.ts';

/** The first Python with torch. In CI, it has to be there. */
const python = ['/usr/bin/python3', 'python3'].find((name) => spawnSync(name, ['-c', 'import torch']).status === 0);
const isAbsent = python === undefined && process.env['CI'] !== 'true';
if (isAbsent) console.info('skipped: no Python here has torch (apt-get install python3-torch)');

const folder = mkdtempSync(join(tmpdir(), 'pv-checkpoint-samples-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const host = createNodeHost(folder);
const pv = (...argv: readonly string[]) => runPv(argv, { host });

interface Expected {
  readonly tensors: Readonly<
    Record<string, { readonly dtype: string; readonly shape: number[]; readonly bytes: string }>
  >;
  readonly steps?: readonly number[];
  readonly rates?: readonly number[];
  readonly last_epoch?: number;
  readonly last_rates?: readonly number[];
  readonly scale?: number;
}

let samples: Readonly<Record<string, Expected>> = {};

beforeAll(() => {
  if (isAbsent) return;
  const script = join(repositoryRoot, 'test/e2e/pytorch/checkpoints.py');
  const ran = spawnSync(python ?? 'python3', [script, folder], { encoding: 'utf8' });
  if (ran.status !== 0) throw new Error(ran.stderr);
  samples = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8'));
});

const dtypes: Readonly<Record<string, string>> = {
  'torch.float64': 'F64',
  'torch.float32': 'F32',
  'torch.float16': 'F16',
  'torch.bfloat16': 'BF16',
  'torch.int64': 'I64',
  'torch.int32': 'I32',
  'torch.int16': 'I16',
  'torch.int8': 'I8',
  'torch.uint8': 'U8',
  'torch.bool': 'BOOL',
  'torch.complex64': 'C64',
};

/** Every tensor, by name: bytes in hexadecimal, read in pieces that end in the middle of rows. */
async function valuesOf({ weights, others, optimizer }: Checkpoint): Promise<Readonly<Record<string, unknown>>> {
  const moments = (optimizer?.states ?? []).flatMap(({ tensors }) => [...tensors.values()]);
  const values: Record<string, unknown> = {};
  for (const { name, dtype, shape, source, offset, bytes } of [...weights, ...moments, ...others]) {
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < bytes; at += 48) {
      const piece = await source.read(offset + at, Math.min(48, bytes - at));
      if (!piece.ok) throw new Error(`${name}: ${piece.error.message}`);
      pieces.push(piece.value);
    }
    values[name] = { dtype, shape, bytes: Buffer.concat(pieces).toString('hex') };
  }
  return values;
}

/** Names as PyTorch has them, as pv shows them. */
const shownAs = (name: string): string =>
  name.replace(/^model_state_dict\./u, '').replace(/^optimizer_state_dict\.state\.(\d+)\./u, 'state[$1].');

describe.skipIf(isAbsent)('what PyTorch wrote', { timeout: 60_000 }, () => {
  const kinds = ['sgd', 'adam', 'adamw', 'adagrad', 'rmsprop', 'adadelta', 'adamax', 'nadam', 'radam', 'rprop'];
  const loops = kinds.map((kind) => `loop-${kind}`);
  const files = [...loops, 'kinds'].flatMap((name) => [`${name}-zip.pt`, `${name}-legacy.pt`]);

  it.each([...files, 'distributed'])('%s has every value', async (name) => {
    const opened = await openCheckpoint(host, name);
    if (!opened.ok) throw new Error(opened.error.message);
    const { checkpoint, close } = opened.value;
    const sample = samples[name] ?? { tensors: {} };
    const values = await valuesOf(checkpoint);
    await close();
    // A step is read as a number.
    const entries = Object.entries(sample.tensors).filter(([key]) => !/\.state\.\d+\.step$/u.test(key));
    expect(entries.length).toBeGreaterThan(5);
    for (const [key, { dtype, shape, bytes }] of entries)
      expect({ key, ...Object(values[shownAs(key)]) }).toEqual({ key, dtype: dtypes[dtype], shape, bytes });
    const { steps = [], rates = [], last_rates: lastRates, last_epoch: lastEpoch, scale } = sample;
    expect(checkpoint.optimizer?.states.flatMap(({ step }) => step ?? []) ?? []).toEqual(steps);
    expect(checkpoint.optimizer?.groups.map(({ learningRate }) => learningRate) ?? []).toEqual(rates);
    expect(checkpoint.scheduler?.learningRates).toEqual(lastRates);
    expect(checkpoint.scheduler?.lastEpoch).toBe(lastEpoch);
    expect(checkpoint.lossScale).toBe(scale ?? null);
  });

  it.each([
    // Its scheduler's own settings give the rate.
    ['loop-adamw-zip.pt', 'PASSED: '],
    ['loop-sgd-legacy.pt', 'NOT FULLY CHECKED: '],
    ['distributed', 'NOT FULLY CHECKED: '],
  ])('%s may be resumed', async (name, verdict) => {
    const ran = await pv('resume', 'check', name);
    expect(ran.stderr).toBe('');
    expect(ran.stdout.slice(0, verdict.length)).toBe(verdict);
    expect(ran.stdout).toMatch(/PASS {2}matched set\n/u);
    expect(ran.stdout).toMatch(/PASS {2}optimizer alignment\n/u);
    expect(ran.stdout).toMatch(/PASS {2}finite tensors\n/u);
  });

  it('chunks by columns are shown, and refused where their numbers are needed', async () => {
    expect(await pv('checkpoint', 'inspect', 'by-columns')).toMatchObject({ code: 0, stderr: '' });
    const ran = await pv('resume', 'check', 'by-columns');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('error[PV-8513]');
    expect(ran.stderr).toContain('are not whole rows');
  });

  it('a distributed checkpoint without a rank is incomplete, and one that is cut is refused', async () => {
    cpSync(join(folder, 'distributed'), join(folder, 'cut'), { recursive: true });
    truncateSync(join(folder, 'cut/__1_0.distcp'), 5000);
    const cut = await pv('checkpoint', 'inspect', 'cut');
    expect(cut).toMatchObject({ code: 1, stdout: '' });
    expect(cut.stderr).toMatch(/error\[PV-8513\]: cut: __1_0\.distcp: The file is cut off.*\n.*\n {4}byte {6}5000\n/u);
    rmSync(join(folder, 'cut/__1_0.distcp'));
    const without = await pv('checkpoint', 'inspect', 'cut');
    expect(without.code).toBe(1);
    expect(without.stdout).toContain('INCOMPLETE: __1_0.distcp missing');
  });

  it.each([
    ['a file elsewhere', '__1_0.distcp', '../_0.distcp', 'not the name of a file in this folder'],
    ['a chunk that is in no file', 'storage_data', 'storage_dato', 'is in no file'],
    ['no tensors', 'state_dict_metadata', 'state_dict_metadato', 'no dict "state_dict_metadata"'],
  ])('metadata with %s are refused', async (_, from, to, words) => {
    cpSync(join(folder, 'distributed'), join(folder, 'changed'), { recursive: true });
    const path = join(folder, 'changed/.metadata');
    const text = readFileSync(path, 'latin1');
    writeFileSync(path, Buffer.from(text.replaceAll(from, to), 'latin1'));
    const ran = await pv('checkpoint', 'inspect', 'changed');
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain('error[PV-8513]');
    expect(ran.stderr).toContain(words);
  });

  it('a part that is another one is refused', async () => {
    cpSync(join(folder, 'distributed'), join(folder, 'swapped'), { recursive: true });
    const [first, second, third] = ['__0_0.distcp', '__1_0.distcp', 'x'].map((name) => join(folder, 'swapped', name));
    renameSync(first ?? '', third ?? '');
    cpSync(second ?? '', first ?? '');
    const ran = await pv('resume', 'check', 'swapped');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/error\[PV-8(?:513|501)\]/u);
  });
});
