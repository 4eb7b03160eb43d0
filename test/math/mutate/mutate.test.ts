import { describe, expect, test } from 'vitest';
import * as b from '../../../src/math/build.ts';
import { loadEquation } from '../../../src/math/compile/load.ts';
import { mutateEquation } from '../../../src/math/mutate.ts';
import { termKey } from '../../../src/math/term-key.ts';
import { FLOAT32, REAL, type Term } from '../../../src/math/term.ts';
import { index, matmul, over, rmsnorm, softmax, x } from '../equations.ts';

describe.each([softmax, matmul, rmsnorm])('mutants of $name', (model) => {
  const mutants = mutateEquation(model);

  test('have different structures and ids, none that of the original', () => {
    const keys = mutants.map((mutant) => termKey(mutant.model.body));
    expect(new Set([...keys, termKey(model.body)]).size).toBe(mutants.length + 1);
    expect(new Set(mutants.map((mutant) => mutant.id)).size).toBe(mutants.length);
    expect(mutants.length).toBeGreaterThan(10);
  });

  test('are the same every time', () => {
    expect(mutateEquation(model).map(({ id, description }) => [id, description])).toEqual(
      mutants.map(({ id, description }) => [id, description]),
    );
  });

  test('all compile and give results of the right shape', async () => {
    const inputs = [Float32Array.from([1, -2, 3, 0.5]), Float32Array.from([0.25, 2, -1, 4]), 0.125].slice(
      0,
      model.parameters.length,
    );
    const sizes = model.name === 'matmul' ? [2, 2, 2] : [4];
    for (const mutant of mutants) {
      const equation = await loadEquation(mutant.model, { arithmetic: 'float64' });
      expect(equation(sizes, inputs), mutant.id).toHaveLength(4);
    }
  });
});

const descriptions = (model: typeof softmax): string[] => mutateEquation(model).map((mutant) => mutant.description);

test('softmax loses its shift, its exponential, its last element', () => {
  expect(descriptions(softmax)).toEqual(
    expect.arrayContaining([
      'equation: x_i - (max_{k<n} x_k) → x_i',
      'equation: exp(x_i - (max_{k<n} x_k)) → x_i - (max_{k<n} x_k)',
      'equation: max_{k<n} x_k → min_{k<n} x_k',
      'equation: x → 0',
    ]),
  );
});

test('matmul reads its factors transposed, within their axes', async () => {
  const transposed = mutateEquation(matmul).filter((mutant) => mutant.id.includes('transpose'));
  expect(transposed).toHaveLength(2);
  const [first] = transposed;
  if (!first) throw new Error('no mutant');
  const equation = await loadEquation(first.model, { arithmetic: 'float64' });
  const values = [Float32Array.from([1, 2, 3, 4, 5, 6]), Float32Array.from([1, 0, 0, 1, 1, 1])];
  expect([...equation([2, 3, 2], values)].every(Number.isFinite)).toBe(true);
});

test('a causal sum may look one step ahead, but not beyond the axis', async () => {
  const body = b.tabulate(
    [over('i')],
    b.reduce('sum', [over('j', b.call('add', index('i'), b.integer(1)))], b.element(x, [index('j')])),
  );
  const ahead = mutateEquation({ ...softmax, body }).find((mutant) => mutant.id.includes('one-more'));
  if (!ahead) throw new Error('no mutant');
  const equation = await loadEquation(ahead.model, { arithmetic: 'float64' });
  expect([...equation([3], [Float32Array.of(1, 10, 100)])]).toEqual([11, 111, 111]);
});

test('branches, masks and constants change', () => {
  const condition = b.call('greater', b.element(x, [index('i')]), b.integer(0));
  const body = b.tabulate([over('i')], b.choose(condition, b.element(x, [index('i')]), b.decimal('0.5'), REAL));
  const ids = mutateEquation({ ...softmax, body }).map((mutant) => mutant.id.replace(/@.*/, ''));
  expect(ids).toEqual(
    expect.arrayContaining([
      'equation/swap-branches',
      'equation/always-then',
      'equation/double',
      'equation/zero',
      'equation/plus-one',
    ]),
  );
  const masked = b.tabulate(
    [over('i')],
    b.reduce('sum', [over('j')], b.element(x, [index('j')]), b.call('less', index('j'), index('i'))),
  );
  expect(mutateEquation({ ...softmax, body: masked }).map((mutant) => mutant.id)).toContain(
    'equation/drop-condition@2',
  );
});

test('a dropped parameter respects names bound inside', async () => {
  const c = b.variable('c', FLOAT32);
  const body = b.letIn(
    'c',
    b.call('add', c, b.integer(1)),
    b.call('multiply', b.variable('c', FLOAT32), b.integer(10)),
  );
  const dropped = mutateEquation({ name: 'f', sizes: [], parameters: [{ name: 'c', type: FLOAT32 }], body }).find(
    (mutant) => mutant.id === 'equation/ignore-c-as-0',
  );
  if (!dropped) throw new Error('no mutant');
  const equation = await loadEquation(dropped.model, { arithmetic: 'float64' });
  expect([...equation([], [7])]).toEqual([10]);
});

test('huge equations give a bounded number of mutants, spread over the whole', () => {
  let body: Term = b.variable('c', FLOAT32);
  for (let k = 0; k < 500; k++) body = b.call('add', body, b.variable('c', FLOAT32));
  const chain = Array.from({ length: 5000 }, (_, k) => `v${k}`).reduceRight(
    (rest, name) => b.letIn(name, b.call('exp', b.variable('c', FLOAT32)), rest),
    body,
  );
  const mutants = mutateEquation(
    { name: 'f', sizes: [], parameters: [{ name: 'c', type: FLOAT32 }], body: chain },
    { limit: 50 },
  );
  expect(mutants.length).toBeGreaterThan(10);
  expect(mutants.length).toBeLessThanOrEqual(50);
});
