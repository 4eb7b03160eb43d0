/**
 * What reading checkpoints costs: `node scripts/bench.mjs checkpoint-read`.
 *
 * The time of `pv checkpoint inspect` on sharded weights of a 70B-sized model (723 tensors, 141 GB in 30 sparse files with an index); and
 * the speed of `pv checkpoint verify` on a sealed file, next to `sha256sum` and
 * node's own SHA-256 of the same file in the same run. The file is sparse, so no disk is measured. Arguments: megabytes to hash
 * (1024). Exits with 1 above 300 ms, or below 80 % of the faster of the two.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sealCheckpoint } from '../src/checkpoint/seal/seal.ts';
import { verifyCheckpoint } from '../src/checkpoint/seal/verify.ts';
import { inspectedFiles, inspection } from '../src/checkpoint/inspect.ts';
import { openCheckpoint } from '../src/checkpoint/open-checkpoint.ts';
import { createNodeHost } from '../src/host/node-host.ts';

const megabytes = Number(process.argv[2] ?? 1024);
const rounds = 5;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const folder = mkdtempSync(join(tmpdir(), 'pv-bench-'));
const host = createNodeHost(folder);

/** The least milliseconds of several rounds. */
async function least(work: () => Promise<unknown>): Promise<number> {
  let milliseconds = Infinity;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await work();
    milliseconds = Math.min(milliseconds, performance.now() - start);
  }
  return milliseconds;
}

/** Reads and hashes a file with nothing around it. */
async function hashPlainly(path: string): Promise<string> {
  const hash = createHash('sha256');
  const piece = Buffer.alloc(1024 ** 2);
  const descriptor = openSync(path, 'r');
  for (let read = readSync(descriptor, piece); read > 0; read = readSync(descriptor, piece))
    hash.update(piece.subarray(0, read));
  closeSync(descriptor);
  return hash.digest('hex');
}

/** A safetensors file whose data is a hole. */
function writeSparse(name: string, shapes: ReadonlyMap<string, readonly number[]>): void {
  let end = 0;
  const header: Record<string, unknown> = {};
  for (const [tensor, shape] of shapes) {
    const start = end;
    end += 2 * shape.reduce((product, n) => product * n, 1);
    header[tensor] = { dtype: 'BF16', shape, data_offsets: [start, end] };
  }
  const json = JSON.stringify(header);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  writeFileSync(join(folder, name), Buffer.concat([length, Buffer.from(json)]));
  truncateSync(join(folder, name), 8 + json.length + end);
}

/** The tensors of Llama 3 70B. */
function tensorsOf70B(): readonly (readonly [string, readonly number[]])[] {
  const layer = (i: number): readonly (readonly [string, readonly number[]])[] => [
    [`model.layers.${i}.input_layernorm.weight`, [8192]],
    [`model.layers.${i}.post_attention_layernorm.weight`, [8192]],
    ...['gate', 'up'].map((name) => [`model.layers.${i}.mlp.${name}_proj.weight`, [28672, 8192]] as const),
    [`model.layers.${i}.mlp.down_proj.weight`, [8192, 28672]],
    ...['q', 'o'].map((name) => [`model.layers.${i}.self_attn.${name}_proj.weight`, [8192, 8192]] as const),
    ...['k', 'v'].map((name) => [`model.layers.${i}.self_attn.${name}_proj.weight`, [1024, 8192]] as const),
  ];
  const ends: readonly (readonly [string, readonly number[]])[] = [
    ['model.embed_tokens.weight', [128256, 8192]],
    ['model.norm.weight', [8192]],
    ['lm_head.weight', [128256, 8192]],
  ];
  return [...ends, ...Array.from({ length: 80 }, (_, i) => layer(i)).flat()];
}

try {
  const tensors = tensorsOf70B();
  const shards = 30;
  const weightMap: Record<string, string> = {};
  for (let i = 0; i < shards; i++) {
    const name = `model-${String(i + 1).padStart(5, '0')}-of-000${shards}.safetensors`;
    const own = tensors.filter((_, at) => at % shards === i);
    writeSparse(name, new Map(own));
    for (const [tensor] of own) weightMap[tensor] = name;
  }
  writeFileSync(join(folder, 'model.safetensors.index.json'), JSON.stringify({ weight_map: weightMap }));
  const inspecting = await least(async () => {
    const opened = await openCheckpoint(host, folder);
    if (!opened.ok) throw new Error(opened.error.message);
    const files = await inspectedFiles(opened.value.files, false);
    await opened.value.close();
    if (files.ok && inspection(opened.value.checkpoint, files.value).weights.count !== tensors.length)
      throw new Error('tensors are missing');
  });
  say(`inspect ${tensors.length} tensors in ${shards} shards: ${inspecting.toFixed(0)} ms (target 300)`);

  const file = join(folder, 'weights.safetensors');
  writeSparse('weights.safetensors', new Map([['w', [megabytes * 500_000]]]));
  const sealed = await sealCheckpoint(host, file, { force: false });
  if (!sealed.ok) throw new Error(sealed.error.message);
  const command = await least(async () => spawnSync('sha256sum', [file]));
  const plain = await least(() => hashPlainly(file));
  const native = Math.min(command, plain);
  const ours = await least(() => verifyCheckpoint(host, file));
  const speed = (milliseconds: number): string => `${(megabytes / milliseconds).toFixed(2)} GB/s`;
  say(`sha256sum: ${speed(command)}; node, read and hashed: ${speed(plain)}`);
  say(`verify: ${speed(ours)}, ${((100 * native) / ours).toFixed(0)} % of the faster (target 80)`);
  process.exitCode = inspecting > 300 || native / ours < 0.8 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
