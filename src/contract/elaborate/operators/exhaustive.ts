/** Whether conditions cover all values: `x > 0` and `x ≤ 0`, `k mod 2 = 0` and `k mod 2 = 1`, `a < b`, `a = b` and `a > b`. */
import type { FunctionName } from '../../../math/functions.ts';
import { integerValue } from '../../../math/term/fold.ts';
import type { Term } from '../../../math/term/term.ts';
import { termKey } from '../../../math/term/term-key.ts';
import { evaluateNumber } from '../context/evaluate-number.ts';

/** A subject of comparisons with numbers: a term, or the difference of two terms, which is compared with 0. */
interface Subject {
  readonly cuts: Set<number>;
  readonly isWhole: boolean;
  readonly least: number;
  /** The first value that it cannot take. */
  readonly end: number;
}

type Atom = (values: ReadonlyMap<string, number>) => boolean;

/** More regions than any real list of cases has. */
const maximumRegions = 5_000;

/**
 * Whether one of `conditions` holds for all values: tried on every side of every number that a subject is compared with.
 * Subjects vary independently, so `false` may be due to values that cannot occur together. `isCount` says which whole
 * numbers are never negative.
 */
export function leavesNothing(conditions: readonly Term[], isCount: (term: Term) => boolean): boolean {
  const subjects = new Map<string, Subject>();
  const tests = conditions.map((condition) => testOf(condition, subjects, isCount));
  const names = [...subjects.keys()];
  const regions = [...subjects.values()].map(regionsOf);
  if (regions.reduce((product, { length }) => product * length, 1) > maximumRegions) return false;
  const covered = (at: number, values: Map<string, number>): boolean =>
    at === names.length
      ? tests.some((test) => test(values))
      : (regions[at] ?? []).every((value) => covered(at + 1, values.set(names[at] ?? '', value)));
  return covered(0, new Map());
}

const connectives: Partial<Readonly<Record<FunctionName, (a: boolean, b: boolean) => boolean>>> = {
  not: (a) => !a,
  and: (a, b) => a && b,
  or: (a, b) => a || b,
  implies: (a, b) => !a || b,
  iff: (a, b) => a === b,
  xor: (a, b) => a !== b,
};

const comparisons: Partial<Readonly<Record<FunctionName, (difference: number) => boolean>>> = {
  less: (difference) => difference < 0,
  'less-equal': (difference) => difference <= 0,
  greater: (difference) => difference > 0,
  'greater-equal': (difference) => difference >= 0,
  equal: (difference) => difference === 0,
  'not-equal': (difference) => difference !== 0,
};

function testOf(term: Term, subjects: Map<string, Subject>, isCount: (term: Term) => boolean): Atom {
  if (term.kind === 'boolean') return () => term.value;
  const connective = term.kind === 'call' ? connectives[term.fn] : undefined;
  if (term.kind === 'call' && connective) {
    const [left, right = left] = term.arguments.map((part) => testOf(part, subjects, isCount));
    return (values) => connective(left?.(values) ?? false, right?.(values) ?? false);
  }
  const compare = term.kind === 'call' ? comparisons[term.fn] : undefined;
  const [a, b] = term.kind === 'call' ? term.arguments : [];
  if (compare && a && b) return comparison(compare, a, b, subjects, isCount);
  const key = `truth ${termKey(term)}`;
  subjects.set(key, { cuts: new Set([0, 1]), isWhole: true, least: 0, end: 2 });
  return (values) => values.get(key) === 1;
}

function comparison(
  compare: (difference: number) => boolean,
  a: Term,
  b: Term,
  subjects: Map<string, Subject>,
  isCount: (term: Term) => boolean,
): Atom {
  const [left, right] = [evaluateNumber(a, new Map()), evaluateNumber(b, new Map())];
  if (right !== null) {
    const key = cut(a, right, subjects, isCount);
    return (values) => compare((values.get(key) ?? 0) - right);
  }
  if (left !== null) {
    const key = cut(b, left, subjects, isCount);
    return (values) => compare(left - (values.get(key) ?? 0));
  }
  const [first, second] = [termKey(a), termKey(b)];
  const sign = first < second ? 1 : -1;
  const key = sign === 1 ? `${first} - ${second}` : `${second} - ${first}`;
  subjects.set(key, { cuts: new Set([0]), isWhole: false, least: -Infinity, end: Infinity });
  return (values) => compare(sign * (values.get(key) ?? 0));
}

/** Cuts the values of `subject` at `value`; returns its key. */
function cut(subject: Term, value: number, subjects: Map<string, Subject>, isCount: (term: Term) => boolean): string {
  const key = termKey(subject);
  const known = subjects.get(key) ?? {
    cuts: new Set(),
    isWhole: subject.type.kind === 'integer',
    ...reach(subject, isCount),
  };
  known.cuts.add(value);
  subjects.set(key, known);
  return key;
}

/** `|x|` is not negative, `k mod 3` is 0, 1 or 2. */
function reach(term: Term, isCount: (term: Term) => boolean): Pick<Subject, 'least' | 'end'> {
  const [a, b] = term.kind === 'call' ? term.arguments : [];
  const modulus =
    term.kind === 'call' && term.fn === 'modulo' && a?.type.kind === 'integer' && b ? integerValue(b) : null;
  if (modulus !== null && modulus > 0) return { least: 0, end: modulus };
  const positive = (term.kind === 'call' && term.fn === 'absolute') || isCount(term);
  return { least: positive ? 0 : -Infinity, end: Infinity };
}

/** One value at each cut, between each two, and beyond them. */
function regionsOf({ cuts, isWhole, least, end }: Subject): readonly number[] {
  const sorted = [...cuts].toSorted((a, b) => a - b);
  const between = sorted.map((low, i) => {
    const high = sorted[i + 1];
    if (!isWhole) return high === undefined ? low + 1 : (low + high) / 2;
    return Math.floor(low) + 1;
  });
  const first = sorted[0] ?? 0;
  const before = isWhole ? Math.ceil(first) - 1 : first - 1;
  return [before, ...sorted, ...between].filter(
    (value) => value >= least && value < end && (!isWhole || Number.isInteger(value)),
  );
}
