/**
 * Generations that the original Rust program and llama2.c made: ../shared/data/llama/README.md.
 *
 * Holds src/trace/engine/engine.ts, src/trace/engine/key-value-cache.ts, src/trace/engine/range.ts.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { generate, type Generation } from '../../../src/trace/engine/generate.ts';
import { createStrictEngine } from '../../../src/trace/engine/strict.ts';
import type { Sampler } from '../../../src/trace/format/trace.ts';
import { hashedSteps, hashOf, logitBytes } from './generations.ts';
import { llamaData, modelOf, tokenizerOf } from '../../support/llama-data.ts';

const present = existsSync(llamaData);
test(`golden generations are ${present ? 'there' : 'absent (../shared/data/llama): nothing is replayed'}`, () => {
  expect(existsSync(llamaData)).toBe(present);
});

interface GoldenTrace {
  readonly sampling: { readonly temperature: number; readonly topp: number; readonly seed: number };
  readonly prompt_tokens: readonly number[];
  readonly final_sampled_token_not_in_trace: number;
  readonly metadata: { readonly prompt: string; readonly steps: number };
  readonly entries: readonly { readonly pos: number; readonly token: number; readonly logits_hash: string }[];
}

interface ReferenceCase {
  readonly name: string;
  readonly prompt: string;
  readonly temperature: number;
  readonly topp: number;
  readonly seed: number;
  readonly steps: number;
  readonly input_tokens: readonly number[];
  readonly logits_sha256_every_position: readonly string[];
}

type Generator = Extract<Sampler, { kind: 'top-p' }>['generator'];

const samplerOf = (temperature: number, topP: number, seed: number, generator: Generator): Sampler =>
  temperature === 0 ? { kind: 'greedy' } : { kind: 'top-p', temperature, topP, seed: `${seed}`, generator };

describe.runIf(present)('stories260K, replayed by the strict engine', () => {
  const engine = present ? createStrictEngine(modelOf(readFileSync(`${llamaData}/stories260K.bin`))) : null;
  const tokenizer = present ? tokenizerOf(readFileSync(`${llamaData}/tok512.bin`), 512) : null;

  function replay(generation: Omit<Generation, 'prompt'>, prompt: readonly number[]) {
    if (!engine) throw new Error('there is no model');
    return hashedSteps(engine, { ...generation, prompt });
  }

  const traces = present ? readdirSync(`${llamaData}/traces`).filter((name) => name.endsWith('.json')) : [];
  test.each(traces)('%s: every input token, every hash of logits, the token after the last', (name) => {
    const golden = JSON.parse(readFileSync(`${llamaData}/traces/${name}`, 'utf8')) as GoldenTrace;
    const prompt = tokenizer?.encode(golden.metadata.prompt) ?? [];
    expect(prompt).toEqual(golden.prompt_tokens);
    const { temperature, topp, seed } = golden.sampling;
    const sampler = samplerOf(temperature, topp, seed, 'llama2-rs/1');
    const steps = replay({ steps: golden.metadata.steps, sampler }, prompt);
    expect(
      steps.map(({ position, inputToken, hash }) => ({ pos: position, token: inputToken, logits_hash: hash })),
    ).toEqual(golden.entries.map(({ pos, token, logits_hash }) => ({ pos, token, logits_hash })));
    expect(steps.at(-1)?.outputToken).toBe(golden.final_sampled_token_not_in_trace);
  });

  const { cases } = (present ? JSON.parse(readFileSync(`${llamaData}/expected.json`, 'utf8')) : { cases: [] }) as {
    readonly cases: readonly ReferenceCase[];
  };
  test.each(cases)('llama2.c, $name: every input token and every hash of logits', (golden) => {
    const { temperature, topp, seed } = golden;
    const steps = replay(
      { steps: golden.steps, sampler: samplerOf(temperature, topp, seed, 'xorshift64star/1') },
      tokenizer?.encode(golden.prompt) ?? [],
    );
    expect(steps.map(({ inputToken }) => inputToken)).toEqual(golden.input_tokens);
    expect(steps.map(({ hash }) => hash)).toEqual(golden.logits_sha256_every_position);
  });

  test('llama2.c, the logits themselves at the first eight positions', () => {
    const golden = readFileSync(`${llamaData}/logits_empty_greedy_pos0-7.f32le`);
    const generation: Generation = { prompt: [1], steps: 8, sampler: { kind: 'greedy' } };
    const logits = engine
      ? Array.from(generate(engine, generation), (step) => (step.ok ? logitBytes(step.value.logits) : new Uint8Array()))
      : [];
    expect(Buffer.concat(logits).equals(golden)).toBe(true);
  });

  test('one gain of the last normalisation, changed by one unit in the last place, changes the first hash', () => {
    const model = modelOf(Uint8Array.from(readFileSync(`${llamaData}/stories260K.bin`)));
    const words = new Uint32Array(model.weights.finalNorm.buffer, model.weights.finalNorm.byteOffset, 1);
    words[0] = (words[0] ?? 0) ^ 1;
    expect(hashOf(createStrictEngine(model).forward(1, 0))).not.toBe(cases[0]?.logits_sha256_every_position[0]);
  });
});
