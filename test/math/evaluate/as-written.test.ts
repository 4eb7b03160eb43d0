/**
 * Claims about numbers as written: fractions where they are fractions, float64 with its errors elsewhere.
 *
 * Holds src/math/evaluate/as-written.ts, src/math/evaluate/fractions.ts.
 */
import { describe, expect, it } from 'vitest';
import { truthAsWritten, truthsAsWritten } from '../../../src/math/evaluate/as-written.ts';
import { call, decimal, tabulate, variable } from '../../../src/math/term/build.ts';
import type { FunctionName } from '../../../src/math/functions.ts';
import { BOOLEAN, INTEGER, type Term } from '../../../src/math/term/term.ts';

type Part = string | readonly [FunctionName, ...Part[]];

const termOf = (part: Part): Term => {
  if (typeof part === 'string') return decimal(part);
  const [name, ...parts] = part;
  return call(name, ...parts.map(termOf));
};
const truth = (part: Part): ReturnType<typeof truthAsWritten> => truthAsWritten(termOf(part), new Map());

describe('of fractions', () => {
  it.each<readonly [value: Part, is: string, isNot: string]>([
    [['add', ['add', '0.7', '0.2'], '0.1'], '1', '1.00000000000000000001'],
    [['subtract', '9007199254740993', '9007199254740992'], '1', '0'],
    [['multiply', ['divide', '1', '49'], '49'], '1', '0.9999999999999999'],
    [['negate', '0.1'], '-0.1', '0.1'],
    [['absolute', '-0.3'], '0.3', '-0.3'],
    [['minimum', '0.3', ['add', '0.1', '0.2']], '0.3', '0.30000000000000004'],
    [['maximum', '-0.3', '0.1'], '0.1', '-0.3'],
    [['clamp', '0.5', '0.1', '0.3'], '0.3', '0.5'],
    [['clamp', '0.05', '0.1', '0.3'], '0.1', '0.05'],
    [['sign', ['subtract', ['add', '0.1', '0.2'], '0.3']], '0', '1'],
    [['sign', '-0.1'], '-1', '1'],
    [['sign', '0.1'], '1', '-1'],
    [['modulo', '0.3', '0.1'], '0', '0.1'],
    [['modulo', '-0.35', '0.1'], '0.05', '-0.05'],
    [['power', '0.1', '3'], '0.001', '0.0010000000000000002'],
    [['power', '0.1', '-2'], '100', '99'],
    [['power', '0.09', '0.5'], '0.3', '-0.3'],
    [['sqrt', '0.0009'], '0.03', '0.3'],
    [['log2', '1024'], '10', '11'],
    [['log10', '0.001'], '-3', '3'],
    [['round', '2.5'], '2', '3'],
    [['round', '3.5'], '4', '3'],
    [['round', '-2.6'], '-3', '-2'],
    [['floor', '-0.5'], '-1', '0'],
    [['ceiling', '-0.5'], '0', '-1'],
    [['floor-divide', '-0.7', '0.2'], '-4', '-3'],
    ['1e-3', '0.001', '0.01'],
  ])('%j = %s, and not %s', (value, is, isNot) => {
    const settled = { isClose: false, rounded: null };
    expect(truth(['equal', value, is])).toEqual({ ...settled, holds: true });
    expect(truth(['equal', value, isNot])).toEqual({ ...settled, holds: false });
    expect(truth(['not-equal', value, is])).toEqual({ ...settled, holds: false });
  });

  it.each(['less', 'less-equal', 'greater', 'greater-equal'] as const)('orders them: %s', (name) => {
    const sum: Part = ['add', '0.1', '0.2'];
    const holds = (left: Part, right: Part): boolean | undefined => truth([name, left, right])?.holds;
    expect(holds(sum, '0.3')).toBe(name.endsWith('equal'));
    expect(holds(sum, '0.30000000000000001')).toBe(name.startsWith('less'));
    expect(holds('0.30000000000000001', sum)).toBe(name.startsWith('greater'));
  });

  it('compares distances with a tolerance', () => {
    expect(truth(['approximately', '0.3', '0.4', '0.1'])?.holds).toBe(true);
    expect(truth(['approximately', '0.3', '0.4', '0.09999999999999999'])?.holds).toBe(false);
    expect(truth(['approximately', '0.1', '0.1', '-1'])?.holds).toBe(true);
  });
});

it('a division by an exact zero has the value of float64', () => {
  const zero: Part = ['subtract', ['add', '0.1', '0.2'], '0.3'];
  expect(truth(['is-finite', ['divide', '1', zero]])?.holds).toBe(false);
  expect(truth(['is-nan', ['modulo', '1', zero]])?.holds).toBe(true);
  expect(truth(['greater', ['power', '0', '-1'], '1e300'])?.holds).toBe(true);
});

describe('of what is no fraction', () => {
  const root: Part = ['power', ['sqrt', '2'], '2'];

  it('says that sides are too close', () => {
    expect(truth(['equal', root, '2'])).toEqual({ holds: false, isClose: true, rounded: null });
    expect(truth(['less-equal', root, '2'])?.isClose).toBe(true);
    expect(truth(['approximately', ['sqrt', '2'], ['sqrt', '2'], '0'])?.holds).toBe(true);
    expect(truth(['equal', ['exp', ['log', ['power', '10', '9']]], '1000000000'])?.isClose).toBe(true);
  });

  it('finds what is false all the same', () => {
    expect(truth(['equal', root, '2.000001'])).toEqual({ holds: false, isClose: false, rounded: null });
    expect(truth(['less', root, '1.999999'])).toEqual({ holds: false, isClose: false, rounded: null });
    expect(truth(['approximately', ['sqrt', '2'], '1.5', '0.01'])).toMatchObject({ holds: false, isClose: false });
  });

  it('knows how errors grow', () => {
    const small: Part = ['subtract', root, '1.9999999'];
    expect(truth(['equal', small, '1e-7'])?.isClose).toBe(true);
    expect(truth(['equal', small, '1.00001e-7'])?.isClose).toBe(false);
  });
});

it('says where float64 comes to another whole number', () => {
  expect(truth(['equal', ['ceiling', ['multiply', '0.07', '100']], '7'])).toEqual({
    holds: true,
    isClose: false,
    rounded: '⌈7⌉ = 7, but float64, in which programs compute it, makes that ⌈7.000000000000001⌉ = 8',
  });
  expect(truth(['equal', ['floor-divide', '0.3', '0.1'], '3'])?.rounded).toContain('0.3 // 0.1 = 2');
  expect(truth(['equal', ['ceiling', ['multiply', '0.07', '99']], '7'])?.rounded).toBeNull();
});

it('gives up on what is too large', () => {
  // 2^2000 is no float64 and no short fraction.
  expect(truth(['equal', ['power', '3', '2000'], ['power', '3', '2000']])?.holds).toBe(true);
  expect(truth(['less', '1e999999999', '1'])?.holds).toBe(false);
  const rounds = { name: 'i', from: decimal('0'), to: decimal('1000000') };
  const sum: Term = {
    kind: 'reduce',
    operator: 'sum',
    binders: [rounds],
    condition: null,
    body: decimal('0.1'),
    type: decimal('0.1').type,
    origin: null,
  };
  expect(truthAsWritten(call('equal', sum, decimal('100000')), new Map())).toBeNull();
});

describe('of rows', () => {
  const truths = (right: Term): ReturnType<typeof truthsAsWritten> => {
    const row = { name: 'i', from: decimal('0'), to: decimal('3') };
    const tenth = call('multiply', decimal('0.1'), variable('i', INTEGER));
    return truthsAsWritten(tabulate([row], call('equal', tenth, right), BOOLEAN), new Map());
  };

  it('says which hold', () => {
    expect(truths(decimal('0.2'))).toEqual([false, false, true]);
    expect(truths(call('divide', variable('i', INTEGER), decimal('10')))).toEqual([true, true, true]);
  });

  it('says nothing where one is too close, or rests on a number that float64 rounds', () => {
    expect(truths(call('divide', call('power', call('sqrt', decimal('3')), decimal('2')), decimal('15')))).toBeNull();
    expect(truths(call('ceiling', call('multiply', decimal('0.07'), decimal('100'))))).toBeNull();
    expect(truthsAsWritten(call('equal', decimal('1'), decimal('1')), new Map())).toBeNull();
  });
});
