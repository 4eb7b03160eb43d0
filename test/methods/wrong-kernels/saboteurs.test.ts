/** Wrong kernels made of right ones (saboteur.ts, saboteurs.ts): each is wrong in the one way that it says. */
import { describe, expect, it } from 'vitest';
import { invariant } from '../../../src/base/invariant.ts';
import type { KernelOutcome, OpenKernel } from '../../../src/backends/backend.ts';
import { ref32 } from '../../../src/backends/ref32.ts';
import type { Saboteur } from '../../../src/methods/wrong-kernels/saboteur.ts';
import { sabotaged, saboteursFor, type Sabotaged } from '../../../src/methods/wrong-kernels/saboteurs.ts';
import type { BoundSubject } from '../../../src/subject/bound-subject.ts';
import type { KernelCall, KernelParameter, KernelProgram } from '../../../src/subject/kernel.ts';
import { shippedKernel } from '../../support/kernels.ts';

async function open(program: KernelProgram): Promise<OpenKernel> {
  const result = await ref32.open(program);
  invariant(result.ok, 'opens');
  return result.kernel;
}

const values = (outcome: KernelOutcome | undefined): readonly number[] => {
  invariant(outcome?.ok, 'an output');
  return Array.from(outcome.output);
};

describe('saboteurs of a matrix product', async () => {
  const program = await shippedKernel('matmul', 'matmul');
  const right = await open(program);
  const saboteurs = saboteursFor({ parameters: program.parameters, outputRank: 2, inputs: ['A', 'B'] });
  // [[1, 2], [3, 4]] · [[5, 6], [7, 8]] = [[19, 22], [43, 50]]
  const call: KernelCall = {
    arguments: [Float32Array.of(1, 2, 3, 4), Float32Array.of(5, 6, 7, 8), 2, 2, 2],
    shapes: [[2, 2], [2, 2], [], [], []],
    outputShape: [2, 2],
  };
  const named = (id: string): Saboteur => {
    const found = saboteurs.find((saboteur) => saboteur.id === `saboteur:${id}`);
    invariant(found, `${id} among ${saboteurs.map((saboteur) => saboteur.id).join(', ')}`);
    return found;
  };

  it.each([
    ['zero', [0, 0, 0, 0]],
    ['one', [1, 1, 1, 1]],
    ['nan', [Number.NaN, Number.NaN, Number.NaN, Number.NaN]],
    ['returns A', [1, 2, 3, 4]],
    ['returns B', [5, 6, 7, 8]],
    ['scaled 2', [38, 44, 86, 100]],
    ['scaled 1.01', [19.19, 22.22, 43.43, 50.5].map(Math.fround)],
    ['negated', [-19, -22, -43, -50]],
    ['shifted', [50, 19, 22, 43]],
    ['reversed', [50, 43, 22, 19]],
    ['last dropped', [19, 22, 43, 0]],
    ['transposed', [19, 43, 22, 50]],
    ['A := 0', [0, 0, 0, 0]],
    ['B := 1', [3, 3, 7, 7]],
    ['A ↔ B', [23, 34, 31, 46]],
  ])('%s answers wrongly as it says', async (id, expected) => {
    const kernel = named(id).wrap(right);
    expect(values(kernel.runSync?.(call))).toEqual(expected);
    expect((await kernel.run([call, call])).map(values)).toEqual([expected, expected]);
    expect(values(right.runSync?.(call)), 'the right kernel is as before').toEqual([19, 22, 43, 50]);
    expect(call.arguments[0]).toEqual(Float32Array.of(1, 2, 3, 4));
  });

  it('have names of their own, spare the sizes and describe themselves', () => {
    expect(new Set(saboteurs.map(({ id }) => id)).size).toBe(saboteurs.length);
    expect(saboteurs.filter(({ id }) => /\b[mkn]\b/u.test(id.replace('saboteur:', '')))).toEqual([]);
    expect(saboteurs.every(({ description }) => description.length > 10)).toBe(true);
  });

  it('transpose what is not square, and pages one by one', () => {
    const kernel = named('transposed').wrap({
      ...right,
      runSync: () => ({ ok: true, output: Float32Array.from({ length: 12 }, (_, i) => i) }),
    });
    expect(values(kernel.runSync?.({ ...call, outputShape: [2, 2, 3] }))).toEqual([
      0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11,
    ]);
  });

  it('exchange only arguments of one shape', () => {
    const narrow: KernelCall = {
      arguments: [Float32Array.of(1, 2), Float32Array.of(3, 4), 1, 2, 1],
      shapes: [[1, 2], [2, 1], [], [], []],
      outputShape: [1, 1],
    };
    expect(values(named('A ↔ B').wrap(right).runSync?.(narrow))).toEqual(values(right.runSync?.(narrow)));
  });

  it('pass failures on and leave the right kernel open', async () => {
    const broken = { ...call, arguments: [] };
    const kernel = named('negated').wrap(right);
    expect(kernel.runSync?.(broken)).toMatchObject({ ok: false });
    await kernel.close();
    expect(values(right.runSync?.(call))).toEqual([19, 22, 43, 50]);
  });

  it('serve kernels that cannot run synchronously', async () => {
    const kernel = named('negated').wrap({ ...right, runSync: null });
    expect(kernel.runSync).toBeNull();
    expect((await kernel.run([call])).map(values)).toEqual([[-19, -22, -43, -50]]);
  });
});

describe('saboteurs of other kernels', () => {
  it('replace scalars too and exchange them', async () => {
    const program = await shippedKernel('adamw', 'adamwUpdate');
    const inputs = ['theta', 'm', 'v', 'eta', 'beta1', 'beta2', 'epsilon', 'lambda', 't'];
    const ids = saboteursFor({ parameters: program.parameters, outputRank: 1, inputs }).map(({ id }) => id);
    expect(ids).toEqual(
      expect.arrayContaining([
        'saboteur:lambda := 0',
        'saboteur:beta1 ↔ beta2',
        'saboteur:theta ↔ m',
        'saboteur:t := 1',
        'saboteur:shifted',
      ]),
    );
    expect(ids).not.toContain('saboteur:transposed');
    expect(ids.some((id) => id.includes('_n'))).toBe(false);
  });

  it('move nothing in a scalar output', () => {
    const ids = saboteursFor({
      parameters: [{ name: 'x', rank: 0, integer: false }],
      outputRank: 0,
      inputs: ['x'],
    }).map(({ id }) => id);
    expect(ids).toEqual([
      'saboteur:zero',
      'saboteur:one',
      'saboteur:nan',
      'saboteur:scaled 1.01',
      'saboteur:scaled 2',
      'saboteur:negated',
      'saboteur:x := 0',
      'saboteur:x := 1',
    ]);
  });
});

describe('which saboteurs a kernel has', () => {
  const idsOf = (parameters: readonly KernelParameter[], more: Partial<Sabotaged> = {}): readonly string[] =>
    saboteursFor({ parameters, outputRank: 0, inputs: parameters.map(({ name }) => name), ...more })
      .map(({ id }) => id.slice('saboteur:'.length))
      .filter((id) => /[↔:]|returns/u.test(id));
  const vector = (name: string): KernelParameter => ({ name, rank: 1, integer: false });
  const number = (name: string): KernelParameter => ({ name, rank: 0, integer: false });

  it('exchange inputs of one kind alone', () => {
    const swaps = (...parameters: readonly KernelParameter[]) => idsOf(parameters).filter((id) => id.includes('↔'));
    expect(swaps(vector('a'), vector('b'), vector('c'))).toEqual(['a ↔ b', 'a ↔ c', 'b ↔ c']);
    expect(swaps(vector('a'), number('b'))).toEqual([]);
    expect(swaps(number('a'), { ...number('b'), integer: true })).toEqual([]);
    expect(swaps(number('a'), { ...number('b'), text: true })).toEqual([]);
    expect(
      saboteursFor({ parameters: [number('n'), vector('a'), vector('b')], outputRank: 1, inputs: ['a', 'b'] }).at(-1),
    ).toMatchObject({
      id: 'saboteur:a ↔ b',
      exchanges: [1, 2],
    });
  });

  it('forget inputs, and never sizes', () => {
    expect(idsOf([number('x'), number('n')], { inputs: ['x'] })).toEqual(['x := 0', 'x := 1']);
    expect(idsOf([{ ...number('s'), text: true }], { output: 'text' })).toEqual(['returns s', 's := ""']);
    expect(idsOf([vector('x'), number('c')])).toEqual(['returns x', 'x := 0', 'x := 1', 'c := 0', 'c := 1']);
  });

  it('transpose outputs of two axes and more, and move what has one', () => {
    const moved = (outputRank: Sabotaged['outputRank']): readonly string[] =>
      saboteursFor({ parameters: [], outputRank, inputs: [] })
        .map(({ id }) => id)
        .filter((id) => /shifted|transposed/u.test(id));
    expect([moved(0), moved(1), moved(2), moved(3)]).toEqual([
      [],
      ['saboteur:shifted'],
      ['saboteur:shifted', 'saboteur:transposed'],
      ['saboteur:shifted', 'saboteur:transposed'],
    ]);
  });

  it('give an input in place of the output, cut or filled with zeros', () => {
    const subject: Sabotaged = { parameters: [number('n'), vector('x')], outputRank: 1, inputs: ['x'] };
    const returns = saboteursFor(subject).find(({ id }) => id === 'saboteur:returns x');
    const kernel = returns?.wrap({
      ran: { backend: 'ref32', device: 'test', arithmetic: 'f32' },
      run: () => Promise.resolve([]),
      runSync: null,
      close: () => Promise.resolve(),
    });
    const given = (x: KernelCall['arguments'][number], length: number): readonly number[] =>
      values(kernel?.runSync?.({ arguments: [9, x], shapes: [[], []], outputShape: [length] }));
    expect(given(Float32Array.of(1, 2, 3), 2)).toEqual([1, 2]);
    expect(given(Float32Array.of(1, 2, 3), 5)).toEqual([1, 2, 3, 0, 0]);
    expect(given(7, 2)).toEqual([0, 0]);
  });

  it('of a bound kernel spoil what comes from the equation, and not its sizes', async () => {
    const program = await shippedKernel('matmul', 'matmul');
    const sources = program.parameters.map(({ rank }) => ({ kind: rank > 0 ? 'parameter' : 'size' }));
    // Of the binding these are read.
    const bound = { program, arguments: sources } as unknown as BoundSubject;
    expect(sabotaged(bound)).toEqual({
      parameters: program.parameters,
      outputRank: 2,
      output: undefined,
      inputs: ['A', 'B'],
    });
  });
});
