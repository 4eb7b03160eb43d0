/** A run whose configuration no certificate could contain is refused before its first step. */
import { expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/canonical-json.ts';
import { certificateFile } from '../../../src/training/certificate/files.ts';
import { readCertificate } from '../../../src/training/certificate/read-certificate.ts';
import { custom } from '../../../src/training/invariants/custom.ts';
import { weightNormBound } from '../../../src/training/invariants/weight-norm.ts';
import type { Invariant } from '../../../src/training/invariants/invariant.ts';
import { sgd } from '../../../src/training/optimizer/rules.ts';
import { createVerifiedTrainer } from '../../../src/training/trainer/trainer.ts';
import { isTrainingError } from '../../../src/training/training-error.ts';

const trainerOf = (run: unknown, invariants: readonly Invariant[] = []) =>
  createVerifiedTrainer({
    parameters: { w: Float32Array.of(1) },
    optimizer: sgd({ learningRate: 0.1 }),
    invariants,
    // Callers in JavaScript pass anything.
    run: run as JsonObject,
  });

function refusalOf(make: () => unknown): string {
  try {
    make();
    return 'accepted';
  } catch (error) {
    if (!isTrainingError(error)) throw error;
    return `${error.problem.code} ${error.problem.message}`;
  }
}

const cycle: Record<string, unknown> = {};
cycle['self'] = cycle;
const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

it.each<[string, unknown, string]>([
  ['NaN', { rate: NaN }, 'configuration.run.rate is NaN'],
  ['an infinity in a list', { rates: [1, -Infinity] }, 'configuration.run.rates.1 is -Infinity'],
  ['undefined, which JSON drops', { seed: undefined }, 'configuration.run.seed is of type undefined'],
  ['a function', { f: () => 1 }, 'configuration.run.f is of type function'],
  ['a date, which JSON turns into a text', { at: new Date(0) }, 'configuration.run.at is neither'],
  ['a map', { m: new Map([[1, 2]]) }, 'configuration.run.m is neither'],
  ['a typed array', { a: new Float32Array(2) }, 'configuration.run.a is neither'],
  ['a bigint', { n: 1n }, 'configuration.run.n is of type bigint'],
  ['half a character', { name: '\ud800' }, 'configuration.run.name is not well-formed'],
  ['half a character in a name', { '\ud800': 1 }, 'is not well-formed'],
  ['a cycle', cycle, 'nests more than 100 deep'],
  ['more depth than readers accept', { list: nested(20) }, 'too deep nesting'],
])('refuses %s in what identifies a run', (_, run, message) => {
  expect(refusalOf(() => trainerOf(run))).toMatch(/^PV-8403 /);
  expect(refusalOf(() => trainerOf(run))).toContain(message);
});

it('refuses an infinite setting of an invariant', () => {
  expect(refusalOf(() => trainerOf(null, [weightNormBound({ max: Infinity })]))).toMatch(/^PV-8403 .*max_norm/);
});

it('accepts what a certificate can contain, which then reads back', async () => {
  const run = {
    name: '𝄞',
    nothing: null,
    list: [1, [true], { a: -0.5 }],
    bare: Object.assign(Object.create(null), { x: 1 }),
  };
  const check = custom({ name: 'Always', complexity: 1, phase: 'before', check: () => [] });
  const certificate = await trainerOf(run, [check]).seal();
  expect(readCertificate(certificateFile(certificate))).toMatchObject({ ok: true });
});
