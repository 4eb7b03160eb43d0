/**
 * What verifiable traces cost: `node scripts/run.mjs bench/trace.ts [rounds]`.
 *
 * Tokens per second of processor time of greedy generation, the minimum of the rounds, on the engine in WebAssembly
 * compared with the strict engine (plain loops of Math.fround) and, if gcc is installed, the same loops in C, and of a
 * replay in blocks; then recording, finishing, checking and the size of a file. Needs a fresh dist/. Exits with 1 when a
 * target is missed.
 *
 * 60 MB of weights do not fit into most caches: other work on the machine costs memory bandwidth, so that the figures
 * of the larger model are too small there.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { invariant } from '../src/base/invariant.ts';
import { createStrictEngine } from '../src/trace/engine/strict.ts';
import { hashLogits } from '../src/trace/verify/compare-logits.ts';
import { readModel } from '../src/trace/model/checkpoint.ts';
import type { Model } from '../src/trace/model/model.ts';
import { createFastEngine } from '../src/trace/wasm/fast.ts';
import { replaySpeed, speedInC, speedOf, type Speed } from './trace/generation.ts';
import { least } from './trace/processor-time.ts';
import { bareSignatureCheck, bytesPerStep, finishing, proofCheck, recordingStep } from './trace/recording.ts';
import { hasThreadTime } from './trace/thread-time.ts';
import { checkpointOf, shape15M, shape260K, syntheticModel } from './trace/synthetic-model.ts';

const rounds = Number(process.argv[2] ?? 9);
const real260K = '../shared/data/llama/stories260K.bin';

function smallModel(): Model {
  if (!existsSync(real260K)) return syntheticModel(shape260K, 1);
  const read = readModel(readFileSync(real260K));
  invariant(read.ok, 'stories260K.bin is a checkpoint');
  return read.value;
}

const row = (...cells: readonly string[]): void => console.log(`| ${cells.join(' | ')} |`);
let missed = 0;
function verdict(met: boolean): string {
  if (!met) missed += 1;
  return met ? 'met' : '**missed**';
}

interface Work {
  readonly name: string;
  readonly model: Model;
  readonly positions: number;
  /** The strict engine takes seconds for the larger model. */
  readonly strictRounds: number;
  /** Tokens per second. */
  readonly target: number;
  /** The gain of replay in blocks over one position at a time; null if there is no target. */
  readonly leastGain: number | null;
}

/** Rows for each engine; the logits of the last position, and the microseconds of a position in WebAssembly. */
function compareEngines({ name, model, positions, strictRounds, target, leastGain }: Work): Speed {
  const { engine, fallback } = createFastEngine(model);
  invariant(!fallback, fallback?.message ?? '');
  const fast = speedOf(engine, positions, 2 * rounds);
  const perSecond = ({ microseconds }: Speed): string => Math.round(1e6 / microseconds).toLocaleString('en');
  const sameBits = ({ lastLogits }: Speed): string =>
    lastLogits.every((logit, i) => Object.is(logit, fast.lastLogits[i])) ? 'equal' : 'different';
  row(
    name,
    'WebAssembly',
    perSecond(fast),
    '',
    `${target.toLocaleString('en')} tok/s: ${verdict(1e6 / fast.microseconds >= target)}`,
  );
  const others: readonly (readonly [string, Speed | null])[] = [
    ['strict (Math.fround)', speedOf(createStrictEngine(model), positions, strictRounds)],
    ['gcc -O3 -ffp-contract=off', speedInC(checkpointOf(model), positions, rounds, ['-O3', '-ffp-contract=off'])],
    ['gcc -Ofast -march=native', speedInC(checkpointOf(model), positions, rounds, ['-Ofast', '-march=native'])],
  ];
  const { blocks, single } = replaySpeed(engine, positions, rounds);
  const times = single / blocks;
  row(
    name,
    `replay, ${engine.block?.positions ?? 1} positions at a time`,
    perSecond({ ...fast, microseconds: blocks }),
    'equal',
    `${times.toFixed(2)} × one at a time${leastGain === null ? '' : `; ${leastGain} ×: ${verdict(times >= leastGain)}`}`,
  );
  for (const [engine, speed] of others) {
    if (speed)
      row(
        name,
        engine,
        perSecond(speed),
        sameBits(speed),
        `${(speed.microseconds / fast.microseconds).toFixed(2)} × as long`,
      );
    else row(name, engine, 'no gcc', '', '');
  }
  return fast;
}

row('model', 'engine', 'tokens per second', 'last logits', '');
row('---', '---', '---:', '---', '---');
compareEngines({
  name: 'stories260K',
  model: smallModel(),
  positions: 256,
  strictRounds: 3,
  target: 2500,
  leastGain: null,
});
const large = syntheticModel(shape15M, 1);
const step = compareEngines({
  name: '15M shape',
  model: large,
  positions: 64,
  strictRounds: 1,
  target: 100,
  leastGain: 1.5,
});
const loading = least(rounds, () => void createFastEngine(large));

console.log();
row('what', 'seen', 'target', '');
row('---', '---', '---', '---');
const us = (microseconds: number): string => `${microseconds.toFixed(1)} µs`;
row('an engine from 60 MB of weights', `${(loading / 1000).toFixed(0)} ms`, '', '');
if (hasThreadTime) {
  const folder = mkdtempSync(join(tmpdir(), 'pv-trace-'));
  const ways = [
    { name: 'hashed by the generating thread', beside: false, file: null },
    { name: 'hashed by another thread', beside: true, file: null },
    { name: 'hashed and written to a file by the generating thread', beside: false, file: join(folder, 'here.trace') },
    { name: 'hashed and written to a file by another thread', beside: true, file: join(folder, 'run.trace') },
  ] as const;
  for (const { name, ...way } of ways) {
    const recording = await recordingStep(step.lastLogits, way, rounds);
    const share = (100 * recording) / step.microseconds;
    const seen = `${us(recording)} of that thread, ${share.toFixed(2)} % of generating it`;
    row(
      `recording a step of 32,000 logits, ${name}`,
      seen,
      way.beside ? '1 %' : '',
      way.beside ? verdict(share < 1) : '',
    );
  }
  rmSync(folder, { recursive: true });
} else
  row('recording a step of 32,000 logits', 'not measured: this system does not report the time of a thread', '', '');
row('  SHA-256 of them', us(least(2 * rounds, () => void hashLogits(step.lastLogits))), '', '');
const { root, file } = await finishing(step.lastLogits, 100, 5 * rounds);
row('the root after 100 steps', us(root), '1 ms', verdict(root < 1000));
row('the whole file of 100 steps, in memory', us(file), '1 ms', verdict(file < 1000));
for (const steps of [100, 10_000]) {
  const check = await proofCheck(steps, 2 * rounds);
  row(`checking the proof of one of ${steps.toLocaleString('en')} steps`, us(check), '100 µs', verdict(check < 100));
}
row('  with a signature, its key read from text', us(await proofCheck(100, 2 * rounds, 'a new signature')), '', '');
row('    of which Node’s own Ed25519 takes', us(bareSignatureCheck(2 * rounds)), '', '');
const known = await proofCheck(100, 2 * rounds, 'a known signature');
row('  further proofs of that checkpoint', us(known), '100 µs', verdict(known < 100));
const { plain, file: bytes } = await bytesPerStep(1000);
row('bytes a step before compression, 32,000 tokens', plain.toFixed(1), '40', verdict(plain <= 40));
row('bytes a step of the file', bytes.toFixed(1), '', '');
if (missed > 0) process.exitCode = 1;
