/**
 * What saving a checkpoint costs: `node scripts/run.mjs bench/checkpoint.ts [MB] [repeats]`.
 *
 * Wall time, since a save waits for the disk; the baseline writes the same bytes to one file in pieces of 4 MB and syncs it and its
 * folder. Both are measured in turn, each into a new folder, and the fastest of each are compared: other work only adds to wall time.
 * Hashing the same bytes is measured too, since it can run beside the disk only where a core is idle. `state only` is a checkpoint of a few
 * kilobytes, which is all waiting for syncs.
 */
import { closeSync, fsyncSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { sha256Stream } from '../src/merkle/sha256.ts';
import { loadCheckpoint, openCheckpointFolder, type TrainingState } from '../src/checkpoint/index.ts';

const [megabytes = 512, repeats = 7] = process.argv.slice(2).map(Number);

/** At most this much longer than writing and syncing the raw bytes. */
const target = 1.1;

const MB = 1024 * 1024;

const tensorsOf = (bytes: number, name: string) =>
  Array.from({ length: 16 }, (_, i) => {
    const data = new Float32Array(bytes / 4 / 16);
    for (let j = 0; j < data.length; j++) data[j] = ((j * 2_654_435_761 + i) % 1_000_003) / 1_000_003;
    return { name: `${name}.${i}`, shape: [data.length], data };
  });

/** Weights, and two moments of Adam. */
const state = (bytes: number): TrainingState => ({
  position: { step: 1, epoch: 0, nextBatch: 1, accumulated: 0 },
  weights: tensorsOf(bytes / 3, 'weight'),
  optimizer: [...tensorsOf(bytes / 3, 'exp_avg'), ...tensorsOf(bytes / 3, 'exp_avg_sq')],
});

const scratch = mkdtempSync(join(tmpdir(), 'pv-bench-checkpoint-'));

async function seconds(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return (performance.now() - start) / 1000;
}

async function writeRaw(folder: string, { weights, optimizer = [] }: TrainingState): Promise<void> {
  const file = await open(join(folder, 'raw'), 'wx');
  for (const { data } of [...weights, ...optimizer]) {
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    for (let at = 0; at < bytes.length;) at += (await file.write(bytes.subarray(at, at + 4 * MB))).bytesWritten;
  }
  await file.sync();
  await file.close();
  const opened = openSync(folder, 'r');
  fsyncSync(opened);
  closeSync(opened);
}

function hash({ weights, optimizer = [] }: TrainingState): string {
  const stream = sha256Stream();
  for (const { data } of [...weights, ...optimizer])
    stream.update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  return stream.hex();
}

const fastest = (values: readonly number[]): number => Math.min(...values);

async function compare(name: string, bytes: number): Promise<number> {
  const saved = state(bytes);
  const [raw, own, loads, hashes, firsts]: [number[], number[], number[], number[], number[]] = [[], [], [], [], []];
  for (let i = 0; i < repeats; i++) {
    const folder = join(scratch, `${i}`);
    mkdirSync(join(folder, 'raw'), { recursive: true });
    const writer = await openCheckpointFolder(join(folder, 'own'));
    // The first save of a run also gets the memory for its copy from the system.
    firsts.push(await seconds(() => writer.save(saved)));
    const pair = [
      async () => void raw.push(await seconds(() => writeRaw(join(folder, 'raw'), saved))),
      async () => void own.push(await seconds(() => writer.save(saved))),
    ];
    // Either may find the disk busy with what the other left.
    for (const measure of i % 2 === 0 ? pair : pair.toReversed()) await measure();
    hashes.push(await seconds(async () => hash(saved)));
    loads.push(await seconds(() => loadCheckpoint(join(folder, 'own'))));
    await writer.close();
    rmSync(folder, { recursive: true });
  }
  const [a, b] = [fastest(raw), fastest(own)];
  console.log(
    `${name}: raw ${a.toFixed(3)} s, hashing alone ${fastest(hashes).toFixed(3)} s, saved ${b.toFixed(3)} s (${(b / a).toFixed(2)} ×, the first time ${fastest(firsts).toFixed(3)} s), loaded and verified ${fastest(loads).toFixed(3)} s`,
  );
  return b / a;
}

try {
  const ratio = await compare(`${megabytes} MB`, megabytes * MB);
  await compare('state only', 3 * 1024);
  console.log(`target: ${target} × → ${ratio <= target ? 'met' : 'missed'}`);
  if (ratio > target) process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
