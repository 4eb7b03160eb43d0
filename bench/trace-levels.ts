/**
 * What each level of verification can tell apart: `node scripts/run.mjs bench/trace-levels.ts [positions]`.
 *
 * A greedy text of the reference engine is fed to honest engines that compute differently, and to engines that run a
 * model other than they claim; each records a trace with a sketch of eight logits, and pv verifies it at each level. On
 * stories260K if it is there (../shared/data/llama), otherwise on the tiny model. Exits with 1 if a level accepts what
 * the table in docs/trace-verify.md says it catches, or refuses what the table says it accepts.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { Engine } from '../src/trace/engine/engine.ts';
import { generate } from '../src/trace/engine/generate.ts';
import { createStrictEngine } from '../src/trace/engine/strict.ts';
import { readTrace } from '../src/trace/format/read-trace.ts';
import type { TraceFile } from '../src/trace/format/trace.ts';
import { configDigest } from '../src/trace/model/config-digest.ts';
import type { Model } from '../src/trace/model/model.ts';
import { tinyModel } from '../src/trace/model/tiny-model.ts';
import { logSumExp } from '../src/trace/record/log-sum-exp.ts';
import { createRecorder } from '../src/trace/record/recorder.ts';
import { takeSketch } from '../src/trace/record/sketch.ts';
import { levels, type Level } from '../src/trace/verify/level.ts';
import { sourceOf } from '../src/trace/verify/source.ts';
import { verifyTrace } from '../src/trace/verify/verify-trace.ts';
import { modelOf } from '../test/support/llama-data.ts';
import { valueOf } from '../test/notes/signers.ts';
import { createDoubleEngine } from './trace-levels/double-engine.ts';
import {
  quantised,
  toFloat16,
  withBfloat16,
  withFloat16,
  withWeight,
  withoutLastLayer,
} from './trace-levels/edited-models.ts';

interface Row {
  readonly name: string;
  readonly engine: (model: Model) => Engine;
  /** The levels that accept it on stories260K, according to the documentation. */
  readonly passes: readonly Level[];
}

const strict = (edit: (model: Model) => Model) => (model: Model) => createStrictEngine(edit(model));
const rows: readonly Row[] = [
  { name: 'honest: strict float32 again', engine: createStrictEngine, passes: levels },
  {
    name: 'honest: float64 sums, the platform’s exp and sin',
    engine: (model) => createDoubleEngine(model, Math.fround),
    passes: ['float band', 'engine band'],
  },
  {
    name: 'honest: the same, keys and values in float16',
    engine: (model) => createDoubleEngine(model, toFloat16),
    passes: ['engine band'],
  },
  {
    name: 'one weight of the first value matrix + 1e-3',
    engine: strict((model) => withWeight(model, 'value', 5, 1e-3)),
    passes: ['engine band'],
  },
  { name: 'float16 weights', engine: strict(withFloat16), passes: ['engine band'] },
  { name: 'bfloat16 weights', engine: strict(withBfloat16), passes: [] },
  { name: 'int8 weights, groups of 32', engine: strict((model) => quantised(model, 8)), passes: [] },
  { name: 'int4 weights, groups of 32', engine: strict((model) => quantised(model, 4)), passes: [] },
  { name: 'last layer left out', engine: strict(withoutLastLayer), passes: [] },
];

const data = '../shared/data/llama/stories260K.bin';
const isReal = existsSync(data);
const model = modelOf(isReal ? readFileSync(data) : tinyModel(7).checkpoint);
const positions = Number(process.argv[2] ?? 256);
const sketchSize = 8;

const tokens = [1];
const reference: Float32Array[] = [];
for (const step of generate(createStrictEngine(model), {
  prompt: tokens,
  steps: positions,
  sampler: { kind: 'greedy' },
})) {
  const { logits, outputToken } = valueOf(step);
  reference.push(Float32Array.from(logits));
  tokens.push(outputToken);
}

const largestOf = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.max(a, b), 0);
const meanOf = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0) / numbers.length;
const likeliest = (logits: Float32Array): number | undefined => takeSketch(logits, 1)?.ids[0];

/** The reference’s text, run through another engine and recorded as if this model had produced it. */
async function recordedBy(engine: Engine, logitsOf: Float32Array[]): Promise<TraceFile> {
  const recorder = createRecorder({
    format: 'pv-trace/2',
    tool: { name: 'bench/trace-levels', version: '1' },
    model: { name: 'the model', digest: model.digest },
    tokenizer: { name: 'none', digest: null },
    config: configDigest(model.config),
    vocabSize: model.config.vocabSize,
    prompt: { tokens: [1], text: null },
    steps: null,
    // The tokens are the reference’s: levels are about logits.
    sampler: { kind: 'other', description: 'forced' },
    // With our own profile, any other hash would fail, whatever the band.
    profile: 'unspecified',
    sketch: sketchSize,
  });
  for (const position of reference.keys()) {
    const logits = engine.forward(tokens[position] ?? 0, position);
    logitsOf.push(Float32Array.from(logits));
    recorder.logits(position, tokens[position] ?? 0, logits);
    recorder.token(tokens[position + 1] ?? 0);
  }
  return valueOf(await readTrace((await recorder.finish()).file));
}

async function accepts(trace: TraceFile, level: Level): Promise<boolean> {
  const { verdict } = await verifyTrace({
    source: sourceOf(trace),
    engine: createStrictEngine(model),
    files: { modelDigest: model.digest, config: model.config, tokenizer: null },
    which: { kind: 'all' },
    level,
    anchor: {},
    require: ['logits'],
  });
  return verdict === 'verified';
}

/** |Δ log-probability| of the reference’s eight likeliest tokens, at every position. */
function logProbabilityDifferences(theirs: readonly Float32Array[]): readonly number[] {
  return reference.flatMap((ours, position) => {
    const other = theirs[position] ?? ours;
    const [here, there] = [logSumExp(ours), logSumExp(other)];
    return (takeSketch(ours, sketchSize)?.ids ?? []).map((id) =>
      Math.abs((ours[id] ?? 0) - here - ((other[id] ?? 0) - there)),
    );
  });
}

const name = isReal
  ? 'stories260K'
  : 'the tiny model (stories260K is not there, so nothing is held to the documentation)';
console.log(`${name}, ${reference.length} positions, top ${sketchSize}\n`);
console.log(`| recorded by | max \\|Δlogit\\| | Δlogprob mean / max | top 1 | ${levels.join(' | ')} |`);
console.log(`|---|---|---|---|${levels.map(() => '---|').join('')}`);
for (const { name: row, engine, passes } of rows) {
  const theirs: Float32Array[] = [];
  const trace = await recordedBy(engine(model), theirs);
  const differences = logProbabilityDifferences(theirs);
  const furthest = largestOf(
    reference.map((ours, p) => largestOf([...ours].map((x, id) => Math.abs(x - (theirs[p]?.[id] ?? 0))))),
  );
  const same = reference.filter((ours, p) => likeliest(ours) === likeliest(theirs[p] ?? ours)).length;
  const verdicts: string[] = [];
  for (const level of levels) {
    const accepted = await accepts(trace, level);
    verdicts.push(accepted ? 'accepted' : 'refused');
    if (!isReal || accepted === passes.includes(level)) continue;
    process.exitCode = 1;
    console.error(`${row}: ${level} ${accepted ? 'accepts' : 'refuses'} it, and the documentation says otherwise`);
  }
  const number = (x: number): string => (x === 0 ? '0' : x.toExponential(1));
  console.log(
    `| ${row} | ${number(furthest)} | ${number(meanOf(differences))} / ${number(largestOf(differences))} | ${same} of ${reference.length} | ${verdicts.join(' | ')} |`,
  );
}
