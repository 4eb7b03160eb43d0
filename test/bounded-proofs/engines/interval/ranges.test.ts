/**
 * Intervals around what numbers can be: both ends, and what they rest on. Terms of which one attains a maximum (`attained.ts`),
 * tangents (`tangent.ts`), what a maximum chooses from (`selection.ts`) and the truth of statements (`truth-of.ts`) are held here.
 *
 * Holds src/bounded-proofs/engines/interval/attained.ts, src/bounded-proofs/engines/interval/selection.ts,
 * src/bounded-proofs/engines/interval/tangent.ts, src/bounded-proofs/engines/interval/truth-of.ts.
 */
import { describe, expect, it } from 'vitest';
import { boxOf, createRanges } from '../../../../src/bounded-proofs/engines/interval/ranges.ts';
import { Graph } from '../../../../src/bounded-proofs/expression.ts';
import { number, problem, problemIn, type Domain } from '../../notation.ts';

type Over = Readonly<Record<string, Domain>>;
type Found = readonly [low: number, high: number, axioms: readonly string[]];

function rangeOf(text: string, over: Over, premises: readonly string[] = []): Found {
  const graph = new Graph();
  const posed = problemIn(graph, `${text} = 0 ∨ ${text} = 1`, { over, premises });
  const ranges = createRanges(boxOf(posed), posed.premises);
  const { low, high } = ranges.range(number(graph, text));
  return [low, high, ranges.axioms()];
}

describe('the range of', () => {
  it.each<readonly [text: string, over: Over, found: Found]>([
    ['a', {}, [-10, 10, []]],
    ['a', { a: [0, null] }, [0, Infinity, []]],
    ['a', { a: [null, 0] }, [-Infinity, 0, []]],
    ['0.1', {}, [0.09999999999999999, 0.1, []]],
    ['a + b', { a: [1, 2], b: [3, 5] }, [4, 7, []]],
    ['a − b', { a: [1, 2], b: [3, 5] }, [-4, -1, []]],
    ['a · b', { a: [-1, 2], b: [-3, 5] }, [-6, 10, []]],
    ['a · a', { a: [-1, 2] }, [0, 4, []]],
    ['a / b', { a: [-1, 2], b: [2, 4] }, [-0.5, 1, []]],
    ['a / b', { b: [0, 1] }, [-Infinity, Infinity, []]],
    ['−a', { a: [1, 2] }, [-2, -1, []]],
    ['|a|', { a: [-3, 2] }, [0, 3, []]],
    ['min(a, b)', { a: [1, 4], b: [2, 3] }, [1, 3, []]],
    ['max(a, b)', { a: [1, 4], b: [2, 3] }, [2, 4, []]],
    ['√(a)', { a: [4, 9] }, [2, 3, []]],
    ['fl(a)', { a: [0.1, 0.3, 'f64'] }, [0.10000000149011612, 0.30000001192092896, ['rounding-monotone']]],
    ['fl(a + b)', { a: [1, 2], b: [3, 5] }, [4, 7, ['rounding-exact', 'rounding-monotone']]],
    ['floor(a)', { a: [-1.5, 1.5] }, [-2, 1, []]],
    ['ceiling(a)', { a: [-1.5, 1.5] }, [-1, 2, []]],
    ['truncate(a)', { a: [-1.5, 1.5] }, [-1, 1, []]],
    ['round-half-even(a)', { a: [0.25, 1.5] }, [0, 2, []]],
    ['round-half-up(a)', { a: [-0.5, 1.5] }, [-1, 2, []]],
    ['exp(a)', { a: [0, 1] }, [1, 2.718281828459046, ['function-envelope']]],
    ['exp₃₂(a)', { a: [0, 1] }, [1, 2.7182817459106445, ['function-envelope', 'rounding-monotone']]],
    ['tanh₃₂(a)', {}, [-1, 1, ['function-envelope', 'rounding-monotone']]],
    ['log(a)', { a: [0, 1] }, [-Infinity, 0, ['function-envelope']]],
    ['pow(a, 2)', { a: [-1, 2] }, [0, 4, ['function-envelope']]],
    ['pow(a, −1)', { a: [1, 2] }, [0.5, 1, ['function-envelope']]],
    ['pow(a, −2)', { a: [2, 4] }, [0.0625, 0.25, ['function-envelope']]],
    ['pow(a, 3)', { a: [-1, 2] }, [-1, 8, ['function-envelope']]],
    ['pow(a, b)', { a: [1, 2], b: [0, 2] }, [1, 4.000000000000002, ['function-envelope']]],
    ['pow(a, 1/2)', { a: [4, 9] }, [1.9999999999999991, 3.000000000000001, ['function-envelope']]],
    ['pow₃₂(a, 2)', { a: [1, 2] }, [1, 4, ['function-envelope', 'rounding-monotone']]],
    ['pow(a, 2000)', { a: [0, 1] }, [0, 1, ['function-envelope']]],
    ['a mod b', { b: [1, 3] }, [0, 3, []]],
    ['a mod b', { b: [-2, 3] }, [-2, 3, []]],
    ['a mod b', { b: [-3, -1] }, [-3, 0, []]],
    ['a % b', { a: [1, 9], b: [1, 3] }, [0, 3, []]],
    ['a % b', { a: [-9, -1], b: [1, 3] }, [-3, 0, []]],
    ['a % b', { a: [-1, 2], b: [-4, 3] }, [-2, 2, []]],
    ['(a < b ? a : b)', { a: [1, 4], b: [2, 5] }, [1, 5, []]],
    ['(a < b ? a : b)', { a: [1, 2], b: [3, 5] }, [1, 2, []]],
    ['(b < a ? a : b)', { a: [1, 2], b: [3, 5] }, [3, 5, []]],
    ['a − max(a, b)', {}, [-20, 0, []]],
    ['max(a, b) − a', {}, [0, 20, []]],
    ['a − max(b, max(c, a))', {}, [-20, 0, []]],
    ['a − min(a, b)', {}, [0, 20, []]],
    ['min(a, b) − a', {}, [-20, 0, []]],
    ['−max(a, b) + a', {}, [-20, 0, []]],
    ['(c < 0 ? a : b) − max(a, b)', {}, [-20, 0, []]],
    ['max(a, b) − (c < 0 ? a : b)', {}, [0, 20, []]],
    ['(c < 0 ? a : c) − max(a, b)', {}, [-20, 20, []]],
    ['min(a, b) − max(a, b)', {}, [-20, 20, []]],
    ['a − max(b, c)', {}, [-20, 20, []]],
    ['a / (a + b)', { a: [0, 2], b: [0, 2] }, [0, 1, []]],
    ['a / (b + a + c)', { a: [0, 2], b: [0, 2], c: [0, 2] }, [0, 1, []]],
    ['a / (a + b)', { a: [0, 2], b: [-1, 2] }, [-Infinity, Infinity, []]],
    ['a / (b + c)', { a: [0, 2], b: [0, 2], c: [0, 2] }, [0, Infinity, []]],
    ['a / (a + b)', { a: [1, 2], b: [2, 4] }, [0.16666666666666666, 0.6666666666666667, []]],
    ['a / (a + b)', { a: [1, 2], b: [8, 8] }, [0.09999999999999999, 0.22222222222222224, []]],
    ['exp(a − max(a, b)) + exp(b − max(a, b))', {}, [1.0000000020611535, 2, ['function-envelope']]],
    [
      'exp₃₂(fl(a − max(a, b))) + exp₃₂(fl(b − max(a, b)))',
      {},
      [1.0000000020611537, 2, ['function-envelope', 'rounding-exact', 'rounding-monotone']],
    ],
    [
      'fl(exp₃₂(fl(a − max(a, b))) + exp₃₂(fl(b − max(a, b))))',
      {},
      [1, 2, ['function-envelope', 'rounding-exact', 'rounding-monotone']],
    ],
    [
      'fl(fl(exp₃₂(fl(a − max(a, max(b, c)))) + exp₃₂(fl(b − max(a, max(b, c))))) + exp₃₂(fl(c − max(a, max(b, c)))))',
      {},
      [1, 3, ['function-envelope', 'rounding-exact', 'rounding-monotone']],
    ],
    ['exp(a − max(a, b)) + b · b', {}, [2.061153622438557e-9, 101, ['function-envelope']]],
    ['exp(a − max(a, max(b, c))) + exp(b − max(a, max(b, c)))', {}, [4.122307244877114e-9, 2, ['function-envelope']]],
    [
      'fl(exp₃₂(a) + exp₃₂(fl(b − max(a, b))))',
      {},
      [0.00004540199370239861, 22027.46484375, ['function-envelope', 'rounding-exact', 'rounding-monotone']],
    ],
    [
      'fl((a − max(a, b)) + exp₃₂(fl(b − max(a, b))))',
      {},
      [-20, 1, ['function-envelope', 'rounding-exact', 'rounding-monotone']],
    ],
    ['exp(−max(a, b) + a) + exp(−max(a, b) + b)', {}, [1.0000000020611535, 2, ['function-envelope']]],
    [
      'fl(exp(a − max(a, b)) · 0.7 + exp(b − max(a, b)) · 0.7)',
      {},
      [0.699999988079071, 1.399999976158142, ['function-envelope', 'rounding-exact', 'rounding-monotone']],
    ],
    [
      'fl(fl(exp(a − max(a, max(b, c))) · 0.7 + exp(b − max(a, max(b, c))) · 0.7) + exp(c − max(a, max(b, c))) · 0.7)',
      {},
      [4.328422509303209e-9, 2.0999999046325684, ['function-envelope', 'rounding-exact', 'rounding-monotone']],
    ],
    [
      'fl(fl(fl(exp₃₂(fl(a − max(a, max(b, c)))) · d) + fl(exp₃₂(fl(b − max(a, max(b, c)))) · d)) + fl(exp₃₂(fl(c − max(a, max(b, c)))) · d))',
      { d: [1, 2] },
      [1, 6, ['function-envelope', 'rounding-exact', 'rounding-monotone']],
    ],
    [
      'exp(a) − exp(b) − exp(b) · (a − b)',
      { a: [0, 1], b: [0, 1] },
      [0, 4.436563656918092, ['function-envelope', 'real-convex']],
    ],
    [
      'exp(a) − exp(b) − (a − b) · exp(b)',
      { a: [0, 1], b: [0, 1] },
      [0, 4.436563656918092, ['function-envelope', 'real-convex']],
    ],
    [
      'exp(a) − exp(b) − exp(b) · (b − a)',
      { a: [0, 1], b: [0, 1] },
      [-4.436563656918092, 4.436563656918092, ['function-envelope']],
    ],
    [
      'exp(a) − exp(b) − exp(a) · (a − b)',
      { a: [0, 1], b: [0, 1] },
      [-4.436563656918092, 4.436563656918092, ['function-envelope']],
    ],
    [
      'exp(a) + exp(b) − exp(b) · (a − b)',
      { a: [0, 1], b: [0, 1] },
      [-0.718281828459046, 8.15484548537714, ['function-envelope']],
    ],
    [
      'exp(a) − exp(b) + exp(b) · (a − b)',
      { a: [0, 1], b: [0, 1] },
      [-4.436563656918092, 4.436563656918092, ['function-envelope']],
    ],
    [
      'sinh(a) − sinh(b) − sinh(b) · (a − b)',
      { a: [0, 1], b: [0, 1] },
      [-2.3504023872876045, 2.3504023872876045, ['function-envelope']],
    ],
    [
      'exp(a) − exp(b) − exp(b) · (a + b)',
      { a: [0, 1], b: [0, 1] },
      [-7.154845485377138, 1.718281828459046, ['function-envelope']],
    ],
  ])('%s over %o is %o', (text, over, found) => {
    expect(rangeOf(text, over)).toEqual(found);
  });
});

describe('what premises say', () => {
  it.each<readonly [text: string, premises: readonly string[], found: Found]>([
    ['a', ['a ≤ 3'], [-10, 3, []]],
    ['a', ['3 < a'], [3, 10, []]],
    ['a', ['a < 3'], [-10, 3, []]],
    ['a', ['a = 3'], [3, 3, []]],
    ['b', ['3 = b'], [3, 3, []]],
    ['a', ['¬(a < 3)'], [3, 10, []]],
    ['b', ['¬(3 < b)'], [-10, 3, []]],
    ['b', ['¬(3 ≤ b)'], [-10, 3, []]],
    ['b', ['¬(b ≤ 3)'], [3, 10, []]],
    ['a', ['¬(a = 3)'], [-10, 10, []]],
    ['a', ['a ≤ 3 ∧ 2 ≤ a'], [2, 3, []]],
    ['a', ['a ≤ 3 ∨ a ≤ 4'], [-10, 10, []]],
    ['a', ['−a ≤ 3'], [-3, 10, []]],
    ['a', ['|a| ≤ 3'], [-3, 3, []]],
    ['a', ['|a| ≤ −3'], [-10, 10, []]],
    ['a', ['a + b ≤ −15'], [-10, -5, []]],
    ['b', ['a + b ≤ −15'], [-10, -5, []]],
    ['a', ['15 ≤ a + b'], [5, 10, []]],
    ['b − a', ['a − b ≤ 3'], [-3, 20, []]],
    ['a − b', ['a − b ≤ 3'], [-20, 3, []]],
    ['b − a', ['a − b ≤ 3', 'b − a ≤ 1'], [-3, 1, []]],
    ['a', ['a ≤ b', 'b ≤ 2'], [-10, 2, []]],
    ['a', ['b ≤ 2', 'a ≤ b'], [-10, 2, []]],
    ['a', ['a ≤ b', 'b ≤ c', 'c ≤ 2'], [-10, 10, []]],
    ['a', ['a ≤ −20'], [-10, 10, []]],
    ['exp(a)', ['exp(a) ≤ 1'], [0.000045399929762484834, 1, ['function-envelope']]],
    ['max(a, b) − a', ['max(a, b) − a ≤ 3'], [0, 3, []]],
    ['a − max(a, b)', ['max(a, b) − a ≤ 3'], [-3, 0, []]],
  ])('%s where %o is %o', (text, premises, found) => {
    expect(rangeOf(text, {}, premises)).toEqual(found);
  });
});

describe('statements on the whole domain', () => {
  it.each<readonly [text: string, over: Over, truth: boolean | null]>([
    ['a < b', { a: [0, 1], b: [2, 3] }, true],
    ['a < b', { a: [0, 2], b: [2, 3] }, null],
    ['a < b', { a: [3, 4], b: [2, 3] }, false],
    ['a ≤ b', { a: [0, 2], b: [2, 3] }, true],
    ['a ≤ b', { a: [3, 4], b: [2, 3] }, null],
    ['a ≤ b', { a: [3.5, 4], b: [2, 3] }, false],
    ['a = b', { a: [2, 2], b: [2, 2] }, true],
    ['a = b', { a: [1, 2], b: [2, 2] }, null],
    ['a = b', { a: [1, 1], b: [2, 2] }, false],
    ['a = b', { a: [3, 3], b: [2, 2] }, false],
    ['¬(a < b)', { a: [0, 1], b: [2, 3] }, false],
    ['¬(a < b)', {}, null],
    ['a < b ∨ c < 0', { a: [0, 1], b: [2, 3] }, true],
    ['b < a ∨ c < 0', { a: [0, 1], b: [2, 3] }, null],
    ['b < a ∨ 3 < a', { a: [0, 1], b: [2, 3] }, false],
    ['a < b ∧ c < 0', { a: [0, 1], b: [2, 3] }, null],
    ['b < a ∧ c < 0', { a: [0, 1], b: [2, 3] }, false],
    ['a < b ∧ a < 2', { a: [0, 1], b: [2, 3] }, true],
    ['true', {}, true],
  ])('%s over %o: %s', (text, over, expected) => {
    const posed = problem(text, { over });
    expect(createRanges(boxOf(posed), []).truth(posed.conclusion)).toBe(expected);
  });
});

describe('a premise about a difference', () => {
  const ofDifference = ['a − b', '−b + a'];
  const ofOpposite = ['b − a', '−a + b'];

  it.each([...ofDifference, ...ofOpposite])('narrows it however it is written: %s ≤ 3', (premise) => {
    const same = ofDifference.includes(premise) ? ofDifference : ofOpposite;
    for (const text of [...ofDifference, ...ofOpposite])
      expect([text, ...rangeOf(text, {}, [`${premise} ≤ 3`])]).toEqual(
        same.includes(text) ? [text, -20, 3, []] : [text, -3, 20, []],
      );
  });

  it('is joined with one about another spelling of it', () => {
    const found = ['a − b', '−b + a', 'b − a', '−a + b'].map((text) => rangeOf(text, {}, ['a − b ≤ 3', '−a + b ≤ 2']));
    expect(found).toEqual([
      [-2, 3, []],
      [-2, 3, []],
      [-3, 2, []],
      [-3, 2, []],
    ]);
  });

  it('says nothing of a sum, or of a difference of others', () => {
    expect(rangeOf('a + b', {}, ['a − b ≤ 3'])).toEqual([-20, 20, []]);
    expect(rangeOf('a − c', {}, ['a − b ≤ 3'])).toEqual([-20, 20, []]);
  });
});
