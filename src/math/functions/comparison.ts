import { ulp32, ulpDistance } from '../../numeric/float.ts';
import { approximately } from '../../numeric/special-functions.ts';
import { exactApproximately, exactRound32, exactUlp32, exactUlpDistance } from './exact-comparison.ts';
import { numeric } from './numeric-row.ts';
import {
  called,
  infix,
  unmodelled,
  type ArgumentKind,
  type EqualityRow,
  type PredicateRow,
  type Printing,
} from './row.ts';

const TWO: readonly ArgumentKind[] = ['number', 'number'];

function relation(
  symbol: string,
  latex: string,
  javascript: string,
  meaning: Pick<PredicateRow, 'float64' | 'exact'>,
): PredicateRow {
  const printing: Printing = { text: infix(symbol, 6), latex: infix(latex, 6) };
  return {
    kind: 'predicate',
    arguments: TWO,
    ...unmodelled,
    ...printing,
    ...meaning,
    javascript: (a, b) => `(${a} ${javascript} ${b})`,
  };
}

function equality(symbol: string, latex: string, javascript: string, negated: boolean): EqualityRow {
  return {
    kind: 'equality',
    arguments: ['any', 'any'],
    negated,
    ...unmodelled,
    text: infix(symbol, 6),
    latex: infix(latex, 6),
    javascript: (a, b) => `(${a} ${javascript} ${b})`,
  };
}

/** Relations and questions about floating-point numbers. */
export const comparison = {
  less: relation('<', '<', '<', { float64: (a, b) => a < b, exact: (_, a, b) => a.lessThan(b) }),
  'less-equal': relation('≤', '\\le', '<=', { float64: (a, b) => a <= b, exact: (_, a, b) => a.lessThanOrEqualTo(b) }),
  greater: relation('>', '>', '>', { float64: (a, b) => a > b, exact: (_, a, b) => a.greaterThan(b) }),
  'greater-equal': relation('≥', '\\ge', '>=', {
    float64: (a, b) => a >= b,
    exact: (_, a, b) => a.greaterThanOrEqualTo(b),
  }),
  equal: equality('=', '=', '===', false),
  'not-equal': equality('≠', '\\ne', '!==', true),
  approximately: {
    kind: 'predicate',
    arguments: ['number', 'number', 'number'],
    ...unmodelled,
    text: called('approximately'),
    latex: called('\\operatorname{approximately}'),
    float64: approximately,
    exact: exactApproximately,
    javascript: (a, b, c) => `m.approximately(${a}, ${b}, ${c})`,
  },
  'is-finite': {
    kind: 'predicate',
    arguments: ['number'],
    ...unmodelled,
    text: called('is_finite'),
    latex: called('\\operatorname{finite}'),
    float64: (a) => Number.isFinite(a),
    exact: (_, a) => a.isFinite(),
    javascript: (a) => `Number.isFinite(${a})`,
  },
  'is-nan': {
    kind: 'predicate',
    arguments: ['number'],
    ...unmodelled,
    text: called('is_nan'),
    latex: called('\\operatorname{isNaN}'),
    float64: (a) => Number.isNaN(a),
    exact: (_, a) => a.isNaN(),
    javascript: (a) => `Number.isNaN(${a})`,
  },
  'ulp-distance': numeric(
    2,
    { text: called('ulp_distance'), latex: called('\\operatorname{ulp\\_distance}') },
    {
      float64: ulpDistance,
      exact: exactUlpDistance,
      javascript: (a, b) => `m.ulpDistance(${a}, ${b})`,
    },
  ),
  ulp32: numeric(
    1,
    { text: called('ulp32'), latex: called('\\operatorname{ulp}_{32}') },
    {
      float32: 'exact',
      float64: ulp32,
      exact: exactUlp32,
      javascript: (a) => `m.ulp32(${a})`,
    },
  ),
  round32: numeric(
    1,
    { text: called('fl32'), latex: called('\\operatorname{fl}_{32}') },
    {
      float32: 'exact',
      float64: (a) => Math.fround(a),
      exact: exactRound32,
      javascript: (a) => `Math.fround(${a})`,
    },
  ),
} as const satisfies Record<string, PredicateRow | EqualityRow | ReturnType<typeof numeric>>;
