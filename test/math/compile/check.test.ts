/** Holds src/math/compile/emit-check.ts, src/math/compile/load.ts, src/math/compile/support.ts, src/math/term/term.ts. */
import { expect, test, describe } from 'vitest';
import * as b from '../../../src/math/term/build.ts';
import type { CaseValue, CheckReport, CompiledGoal } from '../../../src/math/compile/compiled.ts';
import { emitGoal } from '../../../src/math/compile/emit.ts';
import { loadEquation, loadGoal } from '../../../src/math/compile/load.ts';
import type { GoalMathematics } from '../../../src/math/compile/model.ts';
import { FLOAT32, STRING, type ScalarType, type Term } from '../../../src/math/term/term.ts';
import { index, n, over, softmax, x } from '../equations.ts';

const y = b.variable('out:0', x.type);
const at = (tensor: Term, i = 'i'): Term => b.element(tensor, [index(i)]);
const near = (left: Term, right: Term, allowed: string): Term =>
  b.call('approximately', left, right, b.decimal(allowed));
const each = (body: Term): Term => b.reduce('all', [over('i')], body);

function goalOf(
  predicate: Term,
  parts: Partial<GoalMathematics> & {
    readonly preconditions?: readonly Term[];
    readonly scalars?: Readonly<Record<string, ScalarType>>;
  } = {},
): GoalMathematics {
  const plain = { lower: null, upper: null, choices: null, excluded: [], nonFinite: false, structure: 'none' } as const;
  return {
    id: 'test',
    formal: '',
    domain: {
      sizes: [{ name: 'n', minimum: 0, maximum: 8, multipleOf: 1, definition: null }],
      variables: [
        { name: 'x', element: FLOAT32, shape: [n], ...plain },
        ...Object.entries(parts.scalars ?? {}).map(([name, element]) => ({ name, element, shape: [], ...plain })),
      ],
      preconditions: parts.preconditions ?? [],
    },
    applications: [{ output: 'out:0', arguments: [x], sizes: [n], type: x.type }],
    predicate,
    ...parts,
  };
}

const f32 = (...values: number[]): Float32Array => Float32Array.from(values);

function run(
  goal: CompiledGoal,
  input: Float32Array,
  output: Float32Array | Float64Array,
  ...more: CaseValue[]
): { holds: boolean; report: CheckReport } {
  const report: CheckReport = {
    premise: false,
    ratio: -7,
    error: -7,
    allowed: -7,
    left: -7,
    right: -7,
    comparison: -7,
    at: [],
  };
  return { holds: goal.check([input.length], [input, ...more], [output], report), report };
}

describe('approximate comparisons', () => {
  test('keep the worst error with what was allowed', async () => {
    const goal = await loadGoal(goalOf(each(near(at(y), at(x), '1'))));
    expect(run(goal, f32(0, 0, 0), f32(0.25, -0.5, 0.125))).toEqual({
      holds: true,
      report: {
        premise: true,
        ratio: 0.5,
        error: 0.5,
        allowed: 1,
        left: Number.NaN,
        right: Number.NaN,
        comparison: -1,
        at: [],
      },
    });
  });

  test('report the sides that failed', async () => {
    const goal = await loadGoal(
      goalOf(b.call('and', each(near(at(y), at(x), '1')), each(near(at(y), b.integer(0), '10')))),
    );
    const { holds, report } = run(goal, f32(5, 11), f32(5, 11));
    expect(holds).toBe(false);
    expect(report).toMatchObject({ comparison: 1, left: 11, right: 0, ratio: 1.1, error: 11, allowed: 10, at: [1] });
    expect(goal.comparisons).toHaveLength(2);
  });

  test('exact agreement is a ratio of 0, even where nothing is allowed', async () => {
    const goal = await loadGoal(goalOf(each(near(at(y), at(x), '0'))));
    expect(run(goal, f32(1, Infinity), f32(1, Infinity)).report).toMatchObject({ ratio: 0, error: 0, allowed: 0 });
    expect(run(goal, f32(1), f32(1.5))).toMatchObject({ holds: false, report: { ratio: Infinity, error: 0.5 } });
  });

  test('fail on NaN and on infinite differences, whatever is allowed', async () => {
    for (const allowed of ['1', 'Infinity']) {
      const goal = await loadGoal(goalOf(each(near(at(y), at(x), allowed))));
      expect(run(goal, f32(1), f32(Number.NaN)).holds).toBe(false);
      expect(run(goal, f32(Infinity), f32(3)).holds).toBe(false);
      expect(run(goal, f32(1, 2, Infinity), f32(1.5, 2, -Infinity)).report.ratio).toBe(Infinity);
    }
  });

  test('without any comparison, the ratio is −1', async () => {
    const goal = await loadGoal(goalOf(each(b.call('greater-equal', at(y), b.integer(0)))));
    expect(run(goal, f32(1), f32(1)).report).toMatchObject({ ratio: -1, comparison: -1 });
    expect(run(goal, f32(1), f32(-2))).toMatchObject({ holds: false, report: { left: -2, right: 0, comparison: 0 } });
    expect(run(goal, f32(1), f32(Number.NaN))).toMatchObject({ holds: false, report: { left: Number.NaN } });
  });

  test('in a premise, a negation or the left of ∨ do not count as worst', async () => {
    const far = near(at(y), b.integer(100), '1');
    const close = near(at(y), at(x), '1');
    for (const predicate of [
      b.call('implies', b.call('not', far), close),
      b.call('or', far, close),
      b.call('and', b.call('not', far), close),
    ]) {
      const goal = await loadGoal(goalOf(each(predicate)));
      expect(run(goal, f32(0), f32(0.5)).report).toMatchObject({ ratio: 0.5, allowed: 1 });
    }
  });
});

describe('premises', () => {
  const positive = b.call('greater', at(x), b.integer(0));

  test('are hit once the implication says something', async () => {
    const goal = await loadGoal(goalOf(each(b.call('implies', positive, b.call('equal', at(y), at(x))))));
    expect(run(goal, f32(-1, -2), f32(9, 9))).toMatchObject({ holds: true, report: { premise: false } });
    expect(run(goal, f32(-1, 2), f32(9, 2))).toMatchObject({ holds: true, report: { premise: true } });
    expect(run(goal, f32(-1, 2), f32(9, 3))).toMatchObject({
      holds: false,
      report: { premise: true, left: 3, right: 2 },
    });
  });

  test('do not matter where nothing is implied', async () => {
    const goal = await loadGoal(goalOf(b.boolean(true)));
    expect(run(goal, f32(), f32())).toMatchObject({ holds: true, report: { premise: true } });
  });
});

describe('connectives', () => {
  const positive = b.call('greater', at(x), b.integer(0));
  const same = b.call('equal', at(y), at(x));
  const table: [string, Term, (p: boolean, q: boolean) => boolean][] = [
    ['and', b.call('and', positive, same), (p, q) => p && q],
    ['or', b.call('or', positive, same), (p, q) => p || q],
    ['implies', b.call('implies', positive, same), (p, q) => !p || q],
    ['iff', b.call('iff', positive, same), (p, q) => p === q],
    ['xor', b.call('xor', positive, same), (p, q) => p !== q],
    ['not or', b.call('not', b.call('or', positive, same)), (p, q) => !p && !q],
    ['not and', b.call('not', b.call('and', positive, same)), (p, q) => !(p && q)],
    ['not implies', b.call('not', b.call('implies', positive, same)), (p, q) => p && !q],
    ['choice', b.choose(positive, same, b.call('not', same)), (p, q) => (p ? q : !q)],
  ];

  test.each(table)('%s', async (_, body, meaning) => {
    const all = await loadGoal(goalOf(each(body)));
    const any = await loadGoal(goalOf(b.reduce('any', [over('i')], body)));
    const none = await loadGoal(goalOf(b.call('not', b.reduce('any', [over('i')], body))));
    for (const p of [true, false]) {
      for (const q of [true, false]) {
        const input = f32(p ? 1 : -1);
        const output = f32(q ? (p ? 1 : -1) : 5);
        expect([run(all, input, output).holds, run(any, input, output).holds, run(none, input, output).holds]).toEqual([
          meaning(p, q),
          meaning(p, q),
          !meaning(p, q),
        ]);
      }
    }
  });
});

test('preconditions decide over inputs and sizes', async () => {
  const goal = await loadGoal(
    goalOf(b.boolean(true), {
      preconditions: [b.call('greater', n, b.integer(1)), each(b.call('less', at(x), b.integer(5)))],
    }),
  );
  expect([
    goal.precondition([2], [f32(1, 2)]),
    goal.precondition([1], [f32(1)]),
    goal.precondition([2], [f32(1, 6)]),
  ]).toEqual([true, false, false]);
});

test('arguments are rounded to what kernels receive, one array per call', async () => {
  const c = b.variable('c', FLOAT32);
  const shifted = b.tabulate([over('i')], b.call('add', at(x), c));
  const twice = b.call('multiply', n, b.integer(2));
  const goal = await loadGoal(
    goalOf(b.boolean(true), {
      scalars: { c: FLOAT32 },
      applications: [
        {
          output: 'out:0',
          arguments: [shifted, b.call('divide', c, b.integer(3)), n],
          sizes: [n, twice],
          type: x.type,
        },
        { output: 'out:1', arguments: [y], sizes: [n], type: x.type },
      ],
    }),
  );
  const [first, second] = goal.applications;
  if (!first || !second) throw new Error('two applications');
  const values = [f32(16777216, 1), 1];
  const made = first.arguments([2], values, []);
  expect(made).toEqual([f32(16777216, 2), Math.fround(1 / 3), 2]);
  expect(first.arguments([2], values, [])[0]).not.toBe(made[0]);
  expect(first.sizes([2], values, [])).toEqual([2, 4]);
  const output = Float64Array.of(0.1, 1);
  expect(second.arguments([2], values, [output])).toEqual([f32(0.1, 1)]);
});

test('strings reach the mathematics as they are', async () => {
  const name = b.variable('name', STRING);
  const hostile = '"; throw new Error("no"); `${x}` \u2028 </script>';
  const goal = await loadGoal(
    goalOf(b.call('equal', name, b.string(hostile)), { scalars: { name: STRING }, applications: [] }),
  );
  expect(run(goal, f32(), f32(), hostile).holds).toBe(true);
  expect(run(goal, f32(), f32(), 'x').holds).toBe(false);
});

test('no name of the author enters the code', () => {
  const evil = 'x; process.exit(1) //';
  const goal = goalOf(b.call('less', b.variable(evil, FLOAT32), b.integer(1)), {
    scalars: { [evil]: FLOAT32 },
    applications: [],
  });
  const [code = ''] = emitGoal(goal, { language: 'js' }).split('return { comparisons');
  expect(code).not.toContain('process');
});

test('comparisons are quoted as the author wrote them', async () => {
  const formal = 'σ(x)_i ≥ 0';
  const compared = b.withOrigin(b.call('greater-equal', at(y), b.integer(0)), { start: 0, end: formal.length });
  expect((await loadGoal({ ...goalOf(each(compared)), formal })).comparisons).toEqual([formal]);
});

test('loops that inputs bound stop with an error instead of never', async () => {
  const c = b.variable('c', FLOAT32);
  const equation = await loadEquation(
    {
      name: 'f',
      sizes: [],
      parameters: [{ name: 'c', type: FLOAT32 }],
      body: b.reduce('sum', [over('i', b.call('floor', c))], b.integer(1)),
    },
    { arithmetic: 'float64' },
  );
  expect([...equation([], [3.5])]).toEqual([3]);
  expect(() => equation([], [1e30])).toThrow(RangeError);
  expect(() => equation([], [Infinity])).toThrow(RangeError);
});

test('terms that are too large are refused, large ones compile', async () => {
  const chain = (length: number): Term =>
    Array.from({ length }).reduce<Term>(
      (term) => b.call('add', term, b.call('exp', b.variable('c', FLOAT32))),
      b.variable('c', FLOAT32),
    );
  const model = (body: Term): Parameters<typeof loadEquation>[0] => ({
    name: 'f',
    sizes: [],
    parameters: [{ name: 'c', type: FLOAT32 }],
    body,
  });
  await expect(loadEquation(model(chain(5000)), { arithmetic: 'float64' })).rejects.toThrow(RangeError);
  const equation = await loadEquation(model(chain(590)), { arithmetic: 'float64' });
  expect(equation([], [0])[0]).toBe(590);
  const sharing = (levels: number): Term =>
    Array.from({ length: levels }).reduce<Term>((term) => b.call('add', term, term), b.variable('c', FLOAT32));
  const doubled = await loadEquation(model(sharing(10)), { arithmetic: 'float64' });
  expect(doubled([], [3])[0]).toBe(3 * 1024);
  await expect(loadEquation(model(sharing(290)), { arithmetic: 'float64' })).rejects.toThrow(/written out/);
});

test('an equation that returns an input returns a copy', async () => {
  const equation = await loadEquation({ ...softmax, body: x }, { arithmetic: 'float32' });
  const input = f32(1, 2);
  expect(equation([2], [input])).toEqual(input);
  expect(equation([2], [input])).not.toBe(input);
});

test('sizes are integers, results of integer equations too', async () => {
  const largest = b.reduce('argmax', [over('i')], at(x));
  const equation = await loadEquation({ ...softmax, body: largest }, { arithmetic: 'float32' });
  expect([...equation([3], [f32(1, 9, 3)])]).toEqual([1]);
});
