/**
 * A kernel that does not answer equal calls alike, and the claims that are about it.
 *
 * Holds src/methods/wrong-kernels/saboteur.ts.
 */
import { describe, expect, it } from 'vitest';
import { invariant } from '../../../src/base/invariant.ts';
import type { KernelOutcome } from '../../../src/backends/backend.ts';
import type { Application } from '../../../src/contract/goal.ts';
import { integer, variable } from '../../../src/math/term/build.ts';
import { FLOAT32, type Type } from '../../../src/math/term/term.ts';
import { runsTwice, unsteady } from '../../../src/methods/wrong-kernels/unsteady-saboteur.ts';
import type { OutputKind } from '../../../src/subject/kernel.ts';
import { name } from '../../runtime/domains.ts';
import { openKernel } from '../softmax-goal.ts';

const vector: Type = { kind: 'tensor', element: FLOAT32, shape: [name('n')] };

describe('a goal runs a kernel on the same input twice', () => {
  const of = (equation: string, argument: string, length = 3): Application => ({
    output: 'o',
    equation,
    arguments: [variable(argument, vector)],
    sizes: [integer(length)],
    type: vector,
  });
  it.each<[string, readonly Application[], boolean]>([
    ['two equal runs', [of('f', 'x'), of('f', 'x')], true],
    ['another input', [of('f', 'x'), of('f', 'y')], false],
    ['another size', [of('f', 'x', 3), of('f', 'x', 4)], false],
    ['another equation', [of('f', 'x'), of('g', 'x')], false],
    ['an equal run of another equation', [of('f', 'x'), of('g', 'x'), of('g', 'x')], false],
    ['a third run', [of('f', 'x'), of('f', 'y'), of('f', 'x')], true],
    ['none', [], false],
  ])('%s', (_, applications, expected) => {
    expect(runsTwice({ applications }, 'f')).toBe(expected);
  });
});

describe('an unsteady kernel', () => {
  const call = { arguments: [], shapes: [], outputShape: [] };

  /** Its outcomes of 40 equal calls on a kernel that always answers `outcome`. */
  function outcomes(kind: OutputKind, outcome: KernelOutcome): readonly KernelOutcome[] {
    const kernel = unsteady(kind).wrap(openKernel(() => outcome));
    return Array.from({ length: 40 }, () => {
      const found = kernel.runSync?.(call);
      invariant(found, 'it answers');
      return found;
    });
  }
  const right = Float32Array.of(3, 5);
  const numbers: KernelOutcome = { ok: true, output: right };

  it('changes about half of its outputs, and nothing else in them', () => {
    const found = outcomes('numbers', numbers);
    const changed = found.filter((outcome) => outcome !== numbers);
    expect(changed.length).toBeGreaterThan(10);
    expect(changed.length).toBeLessThan(30);
    for (const outcome of changed) expect(outcome).toEqual({ ok: true, output: Float32Array.of(3 + 1 + 3, 5) });
    expect(right).toEqual(Float32Array.of(3, 5));
  });

  it.each<[string, OutputKind, KernelOutcome, unknown]>([
    [
      'a negative number',
      'numbers',
      { ok: true, output: Float32Array.of(-3) },
      { output: Float32Array.of(-3 + 1 + 3) },
    ],
    ['what is not finite', 'numbers', { ok: true, output: Float32Array.of(Infinity) }, { output: Float32Array.of(0) }],
    ['a text', 'text', { ok: true, output: right, text: 'yes' }, { text: 'yes ', output: right }],
    ['no text', 'text', { ok: true, output: right }, { text: ' ' }],
    ['a sequence', 'sequence', { ok: true, output: Float64Array.of(1, 2) }, { output: Float64Array.of(1, 2, 0) }],
  ])('changes %s', (_, kind, outcome, expected) => {
    const changed = outcomes(kind, outcome).filter((found) => found !== outcome);
    expect(changed.length).toBeGreaterThan(10);
    for (const found of changed) expect(found).toMatchObject(expected as object);
  });

  it('leaves empty outputs and failures as they are', () => {
    const empty: KernelOutcome = { ok: true, output: new Float32Array(0) };
    for (const found of outcomes('numbers', empty)) expect(found).toEqual(empty);
    const failure: KernelOutcome = { ok: false, failure: { kind: 'threw', message: 'no' } };
    for (const found of outcomes('numbers', failure)) expect(found).toBe(failure);
  });

  it('changes the same calls whenever it is made anew', () => {
    expect(outcomes('numbers', numbers)).toEqual(outcomes('numbers', numbers));
    expect(unsteady('numbers')).toMatchObject({ id: 'saboteur:unsteady', exchanges: null });
  });
});
