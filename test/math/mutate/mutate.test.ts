/**
 * Holds src/math/mutate.ts, src/math/mutate/drop-parameter.ts, src/math/mutate/edit-text.ts, src/math/mutate/edits.ts,
 * src/math/mutate/extent.ts, src/math/mutate/order-free.ts, src/math/mutate/path.ts, src/math/mutate/site.ts,
 * src/math/term/print-term.ts.
 */
import { describe, expect, test } from 'vitest';
import * as b from '../../../src/math/term/build.ts';
import { loadEquation } from '../../../src/math/compile/load.ts';
import { mutateEquation } from '../../../src/math/mutate.ts';
import { termKey } from '../../../src/math/term/term-key.ts';
import { FLOAT32, REAL, type Term } from '../../../src/math/term/term.ts';
import { index, matmul, n, over, rmsnorm, softmax, x } from '../equations.ts';

describe.each([softmax, matmul, rmsnorm])('mutants of $name', (model) => {
  const mutants = mutateEquation(model);

  test('have different structures and ids, none that of the original', () => {
    const keys = mutants.map((mutant) => termKey(mutant.model.body));
    expect(new Set([...keys, termKey(model.body)]).size).toBe(mutants.length + 1);
    expect(new Set(mutants.map((mutant) => mutant.id)).size).toBe(mutants.length);
    expect(mutants.length).toBeGreaterThan(10);
  });

  test('are the same every time', () => {
    expect(mutateEquation(model).map(({ id }) => id)).toEqual(mutants.map(({ id }) => id));
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

const idsOf = (model: typeof softmax): string[] => mutateEquation(model).map((mutant) => mutant.id);

test('softmax loses its shift, its exponential, its last element', () => {
  expect(idsOf(softmax)).toEqual(
    expect.arrayContaining([
      'equation:x_i - (max_{k<n} x_k) → x_i',
      'equation:exp(x_i - (max_{k<n} x_k)) → x_i - (max_{k<n} x_k)',
      'equation:max_{k<n} x_k → min_{k<n} x_k',
      'equation:x → 0',
    ]),
  );
});

test('matmul reads its factors transposed, within their axes', async () => {
  const transposed = mutateEquation(matmul).filter(({ id }) =>
    ['equation:A_{i, l} → A_{l mod m, i mod k}', 'equation:B_{l, j} → B_{j mod k, l mod n}'].includes(id),
  );
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
  const ahead = mutateEquation({ ...softmax, body }).find(
    ({ id }) => id === 'equation:Σ_{j<i + 1} x_j → Σ_{j<min(i + 1 + 1, n)} x_j',
  );
  if (!ahead) throw new Error('no mutant');
  const equation = await loadEquation(ahead.model, { arithmetic: 'float64' });
  expect([...equation([3], [Float32Array.of(1, 10, 100)])]).toEqual([11, 111, 111]);
});

test('a sum over a whole axis cannot look further, however its end is written', () => {
  const one = b.integer(1);
  const further = (to: Term): string[] => {
    const body = b.reduce('sum', [over('j', to)], b.element(x, [index('j')]));
    return idsOf({ ...softmax, body }).filter((id) => id.includes('min('));
  };
  expect(further(b.call('add', b.call('subtract', n, one), one))).toEqual([]);
  expect(further(b.call('subtract', b.call('add', one, n), one))).toEqual([]);
  expect(further(b.call('subtract', n, one))).toEqual(['equation:Σ_{j<n - 1} x_j → Σ_{j<min(n - 1 + 1, n)} x_j']);
});

test('branches, masks and constants change', () => {
  const condition = b.call('greater', b.element(x, [index('i')]), b.integer(0));
  const body = b.tabulate([over('i')], b.choose(condition, b.element(x, [index('i')]), b.decimal('0.5'), REAL));
  expect(idsOf({ ...softmax, body })).toEqual(
    expect.arrayContaining([
      'equation:{ x_i if x_i > 0; 0.5 otherwise } → { 0.5 if x_i > 0; x_i otherwise }',
      'equation:{ x_i if x_i > 0; 0.5 otherwise } → x_i',
      'equation:{ x_i if x_i > 0; 0.5 otherwise } → 0.5',
      'equation:0.5 → 1',
      'equation:0.5 → 0',
      'equation:0.5 → 1.5',
      'equation:x_i > 0 → x_i > 1',
    ]),
  );
  const masked = b.tabulate(
    [over('i')],
    b.reduce('sum', [over('j')], b.element(x, [index('j')]), b.call('less', index('j'), index('i'))),
  );
  expect(idsOf({ ...softmax, body: masked })).toContain('equation:Σ_{j<n, j < i} x_j → Σ_{j<n} x_j');
});

describe('ids', () => {
  const sumOf = (body: Term): typeof softmax => ({ ...softmax, body: b.tabulate([over('i')], body) });
  const twice = b.call('multiply', b.element(x, [index('i')]), b.element(x, [index('i')]));

  test('count the places where the same edit is possible', () => {
    expect(idsOf(sumOf(twice)).filter((id) => id.startsWith('equation:x_i →'))).toEqual([
      'equation:x_i → x_{(i + 1) mod n}',
      'equation:x_i → x_{(i + 1) mod n} #2',
    ]);
  });

  test('do not change when another part of the formula does', () => {
    const shift = (constant: string): Term => b.call('add', twice, b.decimal(constant));
    const [before, after] = [idsOf(sumOf(shift('0.25'))), idsOf(sumOf(b.call('exp', shift('0.75'))))];
    const aboutSquare = (ids: readonly string[]): string[] => ids.filter((id) => id.startsWith('equation:x_i · x_i →'));
    expect(aboutSquare(before)).toHaveLength(2);
    expect(aboutSquare(after)).toEqual(aboutSquare(before));
  });

  test('show names as the author wrote them, and distinguish equal ones', () => {
    const inner = b.reduce('sum', [over('i~2')], b.element(x, [index('i~2')]));
    expect(idsOf(sumOf(inner))).toContain('equation:Σ_{i<n} x_i → max_{i<n} x_i');
    const both = b.call('multiply', b.element(x, [index('i~3')]), b.element(x, [index('i~2')]));
    const nested = b.tabulate([over('i~3')], b.reduce('sum', [over('i~2')], both));
    expect(idsOf({ ...softmax, body: nested })).toContain('equation:x_i · x_i′ → x_i / x_i′');
  });

  test('keep the change in sight where the formula is long', () => {
    const long = ['p', 'q', 'r'].reduce<Term>(
      (rest, name) => b.call('multiply', rest, b.call('exp', b.call('add', rest, b.variable(name, FLOAT32)))),
      b.element(x, [index('i')]),
    );
    const [change] = idsOf(sumOf(b.call('add', long, long))).filter((id) => id.includes('+ ('));
    expect(change).toBe('equation:(… · …) + (… · …) → (… · …) - (… · …)');
  });
});

describe('a shift by one', () => {
  const at = (name: string): Term => b.element(x, [index(name)]);
  const shifts = (body: Term): string[] =>
    idsOf({ ...softmax, body: b.tabulate([over('i')], body) }).filter((id) =>
      / → x_\{\((i|j)( - 1)? \+ 1\) mod n\}/u.test(id),
    );
  const oneBased = (from: number, to: Term): Term => {
    const before = b.element(x, [b.call('subtract', index('j'), b.integer(1))]);
    return b.reduce('sum', [{ name: 'j', from: b.integer(from), to }], before);
  };
  const beyond = b.call('add', n, b.integer(1));

  test.each([
    ['a whole sum', b.reduce('sum', [over('j')], b.call('exp', at('j')))],
    ['a whole maximum', b.reduce('max', [over('j')], at('j'))],
    ['a whole sum that counts from 1', oneBased(1, beyond)],
    [
      'a named element of a whole sum',
      b.reduce('sum', [over('j')], b.letIn('t', at('j'), b.call('exp', b.variable('t', FLOAT32)))),
    ],
  ])('only reorders %s, and is no mistake', (_, body) => {
    expect(shifts(body)).toEqual([]);
  });

  test.each([
    ['a partial sum', b.reduce('sum', [over('j', index('i'))], at('j'))],
    ['a sum that starts later', b.reduce('sum', [{ name: 'j', from: b.integer(1), to: n }], at('j'))],
    ['a sum that counts from 1 and ends earlier', oneBased(1, n)],
    ['a sum that counts from 1 and starts later', oneBased(2, beyond)],
    ['the place of a maximum', b.reduce('argmax', [over('j')], at('j'))],
    ['a weighted sum', b.reduce('sum', [over('j')], b.call('multiply', at('j'), index('j')))],
    ['a masked sum', b.reduce('sum', [over('j')], at('j'), b.call('less', index('j'), index('i')))],
    ['one factor of a sum of products', b.reduce('sum', [over('j')], b.call('multiply', at('j'), at('j')))],
    ['an output', at('i')],
  ])('changes %s', (_, body) => {
    expect(shifts(body).length).toBeGreaterThan(0);
  });

  test('left out computes the same', async () => {
    const sum = (of: Term): typeof softmax => ({
      ...softmax,
      body: b.tabulate([over('i')], b.reduce('sum', [over('j')], of)),
    });
    const moved = b.element(x, [b.call('modulo', b.call('add', index('j'), b.integer(1)), n)]);
    const [plain, shifted] = await Promise.all(
      [sum(at('j')), sum(moved)].map((model) => loadEquation(model, { arithmetic: 'float64' })),
    );
    const input = [Float32Array.of(1, 2, 4)];
    expect(shifted?.([3], input)).toEqual(plain?.([3], input));
  });
});

test('a dropped parameter respects names bound inside', async () => {
  const c = b.variable('c', FLOAT32);
  const body = b.letIn(
    'c',
    b.call('add', c, b.integer(1)),
    b.call('multiply', b.variable('c', FLOAT32), b.integer(10)),
  );
  const dropped = mutateEquation({ name: 'f', sizes: [], parameters: [{ name: 'c', type: FLOAT32 }], body }).find(
    (mutant) => mutant.id === 'equation:c → 0',
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
