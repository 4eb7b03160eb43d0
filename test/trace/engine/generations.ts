import { sha256 } from '../../../src/merkle/sha256.ts';
import type { Engine } from '../../../src/trace/engine/engine.ts';
import { generate, type Generation } from '../../../src/trace/engine/generate.ts';
import type { Sampler } from '../../../src/trace/format/trace.ts';
import type { Problem } from '../../../src/base/problem.ts';

export const greedy: Sampler = { kind: 'greedy' };

/** A sampler of temperature 0.8 and top-p 0.9 but for what is given. */
export const topP = (given: Partial<Extract<Sampler, { kind: 'top-p' }>> = {}): Sampler => ({
  kind: 'top-p',
  temperature: 0.8,
  topP: 0.9,
  seed: '42',
  generator: 'llama2-rs/1',
  ...given,
});

/** Steps with the logits' digest in place of the logits, which do not last; throws where there is a problem. */
export function hashedSteps(engine: Engine, generation: Generation) {
  return Array.from(generate(engine, generation), (step) => {
    if (!step.ok) throw new Error(step.error.message);
    const { logits, ...rest } = step.value;
    return { ...rest, hash: hashOf(logits) };
  });
}

/** The problem that a generation ends with, and how many steps came before it. */
export function problemOf(engine: Engine, generation: Generation): { problem: Problem | null; steps: number } {
  let steps = 0;
  for (const step of generate(engine, generation)) {
    if (!step.ok) return { problem: step.error, steps };
    steps++;
  }
  return { problem: null, steps };
}

export const logitBytes = (logits: Float32Array): Uint8Array => new Uint8Array(logits.slice().buffer);
export const hashOf = (logits: Float32Array): string => Buffer.from(sha256(logitBytes(logits))).toString('hex');
