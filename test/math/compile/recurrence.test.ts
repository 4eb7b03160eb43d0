/** Recurrences compiled: the same numbers as the interpreter, whatever stands beside them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { float32, float64 } from '../../../src/math/evaluate/floats.ts';
import { interpret, type Binding } from '../../../src/math/evaluate/interpret.ts';
import { loadEquation } from '../../../src/math/compile/load.ts';
import { call, element, integer, recurrence, tabulate, variable } from '../../../src/math/term/build.ts';
import { FLOAT32, INTEGER, REAL, type IndexBinder, type Term, type Type } from '../../../src/math/term/term.ts';
import { model } from '../../contract/elaborate/support.ts';

const x: Type = { kind: 'tensor', element: FLOAT32, shape: [variable('n', INTEGER)] };
const binder = (name: string): IndexBinder => ({ name, from: integer(0), to: variable('n', INTEGER) });
const own: Type = { kind: 'tensor', element: REAL, shape: x.shape };

async function bothWays(body: Term, data: readonly number[], arithmetic: 'float32' | 'float64'): Promise<number[][]> {
  const equation = await loadEquation(
    { name: 'sequence', parameters: [{ name: 'x', type: x }], sizes: ['n'], body },
    { arithmetic },
  );
  // What a call leaves behind must not be read by the next.
  equation([40], [Float32Array.from({ length: 40 }, () => 7)]);
  const environment = new Map<string, Binding>([
    ['x', { shape: [data.length], data }],
    ['n', data.length],
  ]);
  const walked = interpret(body, environment, arithmetic === 'float32' ? float32 : float64);
  if (!walked.ok || typeof walked.value !== 'object') throw new Error('the sequence has no value');
  return [[...equation([data.length], [Float32Array.from(data)])], walked.value.data.map(Number)];
}

describe.each(['float64', 'float32'] as const)('in %s', (arithmetic) => {
  it.each([
    's_t = s_{t-1}/3 + x_t, s_0 = x_0',
    's_t = m_t + s_{t-1}/2, s_{-1} = 1 where m_t = m_{t-1}/3 + x_t, m_{-1} = 2, v_t = v_{t-1} + m_t, v_{-1} = 0',
    's_t = v_t - m_t + s_{t-1}/2, s_0 = 0 where m_t = m_{t-1}/3 + x_t, m_0 = 2, v_t = v_{t-1}/5 + x_t, v_0 = 3',
    's_t = s_{t-2} + s_0·x_t, s_0 = x_0, s_1 = 1',
    's_t = Σ_j (x_j·s_{t-1})/4, s_0 = 1',
  ])('%s is the same compiled and interpreted', async (formula) => {
    const { body } = model(formula, 'x ∈ F32^n, n ≤ 40', 's ∈ F32^n');
    const number = fc.float({ noNaN: true, min: -4, max: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(number, { minLength: 1, maxLength: 8 }), async (data) => {
        const [compiled, walked] = await bothWays(body, data, arithmetic);
        expect(compiled).toEqual(walked);
      }),
      { numRuns: 20, seed: 11 },
    );
  });
});

describe('an element that is not computed yet', () => {
  it('is not there, however often the sequence was computed before', async () => {
    const t = variable('t', INTEGER);
    const later = recurrence('s', [binder('t')], element(variable('s', own), [call('add', t, integer(0))]));
    const [compiled, walked] = await bothWays(later, [1, 2], 'float64');
    expect([compiled, walked]).toEqual([
      [NaN, NaN],
      [NaN, NaN],
    ]);
  });
});

describe('a sequence inside of another loop', () => {
  it('is computed anew for each', async () => {
    const inner = recurrence(
      's',
      [binder('t')],
      call('add', element(variable('x', x), [variable('i', INTEGER)]), variable('t', INTEGER)),
    );
    const body = tabulate([binder('i')], element(inner, [variable('i', INTEGER)]));
    const [compiled, walked] = await bothWays(body, [5, 6, 7], 'float64');
    expect(compiled).toEqual([5, 7, 9]);
    expect(walked).toEqual(compiled);
  });
});
