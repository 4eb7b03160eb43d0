/**
 * How often a band accepts a model other than the one it names: `node scripts/bench.mjs trace-bands`.
 *
 * Two tables of docs/trace-verify.md: stretches of texts by other engines that stay within a band, by logits that a step
 * keeps and steps compared, from which `leastSketch` and `leastSteps` follow; and the largest |Δlogit| of models with one
 * changed weight. On stories260K if it is there (../shared/data/llama), otherwise on the tiny model. Exits with 1 if, at
 * these values, more than one in a hundred with bfloat16 or int8 weights passes, or one of an honest engine fails.
 */
import { existsSync, readFileSync } from 'node:fs';
import { count } from '../src/base/text.ts';
import { streamFor, uniformInteger } from '../src/numeric/xoshiro.ts';
import type { Engine } from '../src/trace/engine/engine.ts';
import { generate } from '../src/trace/engine/generate.ts';
import type { Sampler } from '../src/trace/format/trace.ts';
import type { Model } from '../src/trace/model/model.ts';
import { tinyModel } from '../src/trace/model/tiny-model.ts';
import { takeSketch } from '../src/trace/record/sketch.ts';
import { sketchDifference, type Difference } from '../src/trace/verify/compare-logits.ts';
import { largestDifference, largestMean, leastSketch, leastSteps, type Level } from '../src/trace/verify/level.ts';
import { createFastEngine } from '../src/trace/wasm/fast.ts';
import { modelOf } from '../test/support/llama-data.ts';
import { valueOf } from '../test/notes/signers.ts';
import { createDoubleEngine } from './trace-levels/double-engine.ts';
import { quantised, toFloat16, withBfloat16, withFloat16, withWeight } from './trace-levels/edited-models.ts';

const data = process.argv[2] ?? '../shared/data/llama/stories260K.bin';
const isReal = existsSync(data);
const model = modelOf(isReal ? readFileSync(data) : tinyModel(7).checkpoint);
const positions = 255;
const fast = (of: Model): Engine => createFastEngine(of).engine;

/** One greedy text, and others that are sampled. */
const texts = Array.from({ length: 12 }, (_, text) => {
  const sampler: Sampler =
    text === 0
      ? { kind: 'greedy' }
      : { kind: 'top-p', temperature: 1, topP: 0.9, seed: String(text * 1_000_003), generator: 'xorshift64star/1' };
  const tokens = [1];
  for (const step of generate(fast(model), { prompt: [1], steps: positions, sampler }))
    tokens.push(valueOf(step).outputToken);
  return tokens.slice(0, positions);
});
const along = (engine: Engine, tokens: readonly number[]): readonly Float32Array[] =>
  tokens.map((token, position) => Float32Array.from(engine.forward(token, position)));
const reference = texts.map((tokens) => along(fast(model), tokens));

const within = (level: Level, part: readonly Difference[]): boolean => {
  const [sum, numbers] = part.reduce(([s, n], one) => [s + one.sum, n + one.numbers], [0, 0] as readonly [
    number,
    number,
  ]);
  const near = part.every(({ largest }) => largest <= largestDifference[level]);
  return near && (level === 'float band' || sum / numbers <= largestMean);
};

interface Passed {
  readonly accepted: number;
  readonly of: number;
}

/** Stretches of `steps` positions, each beginning in the middle of the one before it, that stay within the band. */
function passed(
  level: Exclude<Level, 'exact'>,
  theirs: readonly (readonly Float32Array[])[],
  k: number,
  steps: number,
): Passed {
  let [accepted, of] = [0, 0];
  for (const [text, ours] of reference.entries()) {
    const differences = ours.map((logits, position) => {
      const sketch = takeSketch(theirs[text]?.[position] ?? logits, k);
      if (sketch === null) throw new Error('a sketch of one or more');
      return sketchDifference(sketch, logits, level);
    });
    for (let from = 0; from + steps <= differences.length; from += Math.max(1, steps >> 1)) {
      of++;
      if (within(level, differences.slice(from, from + steps))) accepted++;
    }
  }
  return { accepted, of };
}

const engines: readonly (readonly [string, 'honest' | 'coarse' | 'near', () => Engine])[] = [
  ['honest: float64 sums', 'honest', () => createDoubleEngine(model, Math.fround)],
  ['honest: the same, keys and values in float16', 'near', () => createDoubleEngine(model, toFloat16)],
  ['float16 weights', 'near', () => fast(withFloat16(model))],
  ['bfloat16 weights', 'coarse', () => fast(withBfloat16(model))],
  ['int8 weights, groups of 32', 'coarse', () => fast(quantised(model, 8))],
];
const sizes = [
  [1, 8],
  [2, 8],
  [4, 8],
  [8, 8],
  [8, 16],
  [1, 128],
] as const;

const name = isReal ? 'stories260K' : 'the tiny model (stories260K is not there)';
console.log(`${name}, ${texts.length} texts of ${positions} positions: stretches within a band\n`);
console.log(`| recorded by | band | ${sizes.map(([k, steps]) => `${k} × ${steps}`).join(' | ')} |`);
console.log(`|---|---|${sizes.map(() => '---|').join('')}`);
for (const [row, kind, engine] of engines) {
  const theirs = texts.map((tokens) => along(engine(), tokens));
  for (const level of ['float band', 'engine band'] as const) {
    const found = sizes.map(([k, steps]) => passed(level, theirs, k, steps));
    console.log(`| ${row} | ${level} | ${found.map(({ accepted, of }) => `${accepted} of ${of}`).join(' | ')} |`);
    const { accepted, of } = passed(level, theirs, leastSketch[level], leastSteps);
    const wrong = (kind === 'coarse' && accepted > of / 100) || (kind === 'honest' && accepted < of);
    if (!wrong) continue;
    process.exitCode = 1;
    console.error(`${row}: ${accepted} of ${of} stretches are within the ${level} at its least size`);
  }
}

const edits = 60;
const stream = streamFor(1, 'one weight');
const tensors = ['tokenEmbedding', 'query', 'key', 'value', 'output', 'gate', 'down', 'up'] as const;
console.log(
  `\n| one weight, ${edits} drawn at random | greedy text: accepted by exact | float band | engine band | largest \\|Δlogit\\|: least, median, most |`,
);
console.log('|---|---|---|---|---|');
for (const change of [1e-3, 1e-2, 1e-1]) {
  const largest: number[] = [];
  const accepted = { exact: 0, 'float band': 0, 'engine band': 0 };
  const [tokens = [], ours = []] = [texts[0], reference[0]];
  for (let edit = 0; edit < edits; edit++) {
    const tensor = tensors[uniformInteger(stream, 0, tensors.length - 1)] ?? 'value';
    const theirs = along(
      fast(withWeight(model, tensor, uniformInteger(stream, 0, model.weights[tensor].length - 1), change)),
      tokens,
    );
    const all = theirs.flatMap((logits, p) => [...logits].map((x, id) => Math.abs(x - (ours[p]?.[id] ?? 0))));
    largest.push(all.reduce((a, b) => Math.max(a, b), 0));
    if (largest.at(-1) === 0) accepted.exact++;
    for (const level of ['float band', 'engine band'] as const) {
      const differences = theirs.flatMap((logits, p) => {
        const sketch = takeSketch(logits, 8);
        const mine = ours[p];
        return sketch === null || mine === undefined ? [] : [sketchDifference(sketch, mine, level)];
      });
      if (within(level, differences)) accepted[level]++;
    }
  }
  largest.sort((a, b) => a - b);
  const spread = [largest[0], largest[edits >> 1], largest.at(-1)].map((x = 0) => (x === 0 ? '0' : x.toExponential(1)));
  const shares = (['exact', 'float band', 'engine band'] as const).map((level) => `${accepted[level]} of ${edits}`);
  console.log(`| + ${change} | ${shares.join(' | ')} | ${spread.join(', ')} |`);
}
console.log(`\n${count(texts.length, 'text')}, sketches of eight in the second table`);
