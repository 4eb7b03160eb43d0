import { describe, expect, it } from 'vitest';
import { invariant } from '../../src/base/invariant.ts';
import type { EquationModel } from '../../src/contract/goal.ts';
import { createMemoryHost } from '../../src/host/memory-host.ts';
import { call as term, integer, variable } from '../../src/math/term/build.ts';
import { INTEGER } from '../../src/math/term/term.ts';
import type { BoundSubject } from '../../src/subject/bound-subject.ts';
import { callBuilder, callFor } from '../../src/subject/call.ts';
import { readBindings } from '../../src/subject/read-bindings.ts';
import { resolveBindings } from '../../src/subject/resolve.ts';
import { modelOf } from '../support/models.ts';

async function subjectOf(model: EquationModel, parameters: string, keys = ''): Promise<BoundSubject> {
  const text = `bindings:\n  - { contract: c, equation: ${model.name}, module_path: a.ts, function: f${keys} }\n`;
  const files = {
    'a.ts': `export function f(this: { thread: { x: number } }, ${parameters}): number { return this.thread.x; }`,
  };
  const { value, diagnostics } = await resolveBindings(
    readBindings({ path: 'b.yaml', text }).value.rows,
    new Map([['c', [model]]]),
    createMemoryHost(files),
  );
  const [subject] = value;
  invariant(subject, JSON.stringify(diagnostics.map(({ message }) => message)));
  return subject;
}

const matrix = modelOf('m', ['A: m k', 'ε:', 'y: int m'], 'm k');
const types = 'A: readonly (readonly number[])[], epsilon: number, y: readonly number[]';
const values = [Float32Array.of(1, 2, 3, 4, 5, 6), 0.5, Int32Array.of(7, 8)] as const;

describe('a call of a kernel', () => {
  it('lists the parameters of the equation, then its sizes, with their shapes', async () => {
    const subject = await subjectOf(matrix, `${types}, m: number, k: number`);
    expect(callFor(subject, matrix, [2, 3], values)).toEqual({
      arguments: [...values, 2, 3],
      shapes: [[2, 3], [], [2], [], []],
      outputShape: [2, 3],
    });
  });

  it('hands over the format that the equation declares, whatever a claim computed', async () => {
    const subject = await subjectOf(matrix, types);
    const given = [Int32Array.of(1, 2, 3, 4, 5, 6), 0.5, Float32Array.of(7, 8)] as const;
    expect(callFor(subject, matrix, [2, 3], given).arguments).toEqual([...values]);
    const odd = Float64Array.of(7.5, 8);
    expect(callFor(subject, matrix, [2, 3], [given[0], 0.5, odd]).arguments[2]).toEqual(Float32Array.of(7.5, 8));
  });

  it('leaves out trailing sizes that the kernel does not take', async () => {
    const subject = await subjectOf(matrix, types);
    expect(callFor(subject, matrix, [2, 3], values).arguments).toEqual([...values]);
  });

  it('follows the row: order, arithmetic, shape of the output', async () => {
    const subject = await subjectOf(
      matrix,
      'total: number, y: readonly number[], A: readonly (readonly number[])[], half: number',
      ', arguments: [m·k + 1, y, A, ε^2 - m mod 2], output: [k, m]',
    );
    expect(callFor(subject, matrix, [2, 3], values)).toEqual({
      arguments: [7, values[2], values[0], 0.25],
      shapes: [[], [2], [2, 3], []],
      outputShape: [3, 2],
    });
  });

  it('changes its shapes with the sizes and its values with every call', async () => {
    const build = callBuilder(await subjectOf(matrix, types), matrix);
    build([2, 3], values);
    expect(build([1, 2], [Float32Array.of(1, 2), 1, Int32Array.of(3)])).toEqual({
      arguments: [Float32Array.of(1, 2), 1, Int32Array.of(3)],
      shapes: [[1, 2], [], [1]],
      outputShape: [1, 2],
    });
    expect(build([2, 3], values).outputShape).toEqual([2, 3]);
  });

  it('evaluates sizes that are arithmetic and rounds float64 arrays to float32', async () => {
    const model: EquationModel = {
      ...modelOf('d', ['x: n'], 'n'),
      result: { kind: 'tensor', element: INTEGER, shape: [term('add', variable('n', INTEGER), integer(1))] },
    };
    const subject = await subjectOf(model, 'x: readonly number[]');
    expect(callFor(subject, model, [2], [Float64Array.of(0.1, 0.2)])).toEqual({
      arguments: [Float32Array.of(0.1, 0.2)],
      shapes: [[2]],
      outputShape: [3],
    });
  });
});
