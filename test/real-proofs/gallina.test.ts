/**
 * Terms as Gallina writes them, each by each: values, truth values, propositions, and where a term has a value.
 *
 * Holds src/base/greek.ts, src/real-proofs/gallina/identifiers.ts, src/real-proofs/gallina/make-writer.ts,
 * src/real-proofs/gallina/scope.ts, src/real-proofs/gallina/text.ts, src/real-proofs/gallina/write-defined.ts,
 * src/real-proofs/gallina/write-numbers.ts, src/real-proofs/gallina/write-reductions.ts,
 * src/real-proofs/gallina/write-structure.ts, src/real-proofs/gallina/write-truths.ts,
 * src/real-proofs/gallina/writer.ts.
 */
import { describe, expect, it } from 'vitest';
import {
  boolean,
  call,
  choose,
  decimal,
  element,
  integer,
  letIn,
  recurrence,
  reduce,
  string,
  tabulate,
  variable,
} from '../../src/math/term/build.ts';
import { BOOLEAN, INTEGER, REAL, type IndexBinder, type Term } from '../../src/math/term/term.ts';
import { makeType } from '../../src/math/term/types.ts';
import { identifierOf } from '../../src/real-proofs/gallina/identifiers.ts';
import { makeWriter, type Refusal } from '../../src/real-proofs/gallina/make-writer.ts';
import { bind, emptyScope, isPlainlyWithin, withText, type Scope } from '../../src/real-proofs/gallina/scope.ts';
import { apply, atom, fit, leftward, level, rightward } from '../../src/real-proofs/gallina/text.ts';
import { write, writeAs, writeScalar } from '../../src/real-proofs/gallina/writer.ts';

const [n, k, i] = [variable('n', INTEGER), variable('k', INTEGER), variable('i', INTEGER)];
const [a, b] = [variable('a', REAL), variable('b', REAL)];
const [p, q] = [variable('p', BOOLEAN), variable('q', BOOLEAN)];
const x = variable('x', makeType(REAL, [n]));
const triple = variable('x', makeType(REAL, [integer(3)]));
const xi = element(x, [i]);
const before = element(variable('s', makeType(REAL, [n])), [call('subtract', i, integer(1))]);
const scope: Scope = ['n', 'k', 'a', 'b', 'p', 'q', 'x'].reduce<Scope>(
  (outer, name) => bind(outer, name)[1],
  emptyScope,
);
const over = (name: string, from: Term = integer(0), to: Term = n): IndexBinder => ({ name, from, to });
const less = (left: Term, right: Term): Term => call('less', left, right);

type Way = 'real' | 'integer' | 'proposition' | 'truth' | 'tensor' | 'defined';

/** The text of a term, or why there is none. */
function written(way: Way, term: Term, at: Scope = scope): string | null {
  const refusals: Refusal[] = [];
  const text = makeWriter(refusals)[way](term, at);
  return refusals[0]?.reason ?? (text && fit(text, level.open));
}

describe('a real number', () => {
  it.each<[string, Term]>([
    ['1 / 1000', decimal('1e-3')],
    ['(-250) / 100', decimal('-2.50')],
    ['inf is not a real number', decimal('inf')],
    ['zz has no value here', variable('zz', REAL)],
    ['PI', call('pi')],
    ['exp 1', call('e')],
    ['a - (b - a)', call('subtract', a, call('subtract', b, a))],
    ['a - b - a', call('subtract', call('subtract', a, b), a)],
    ['a / (b * a)', call('divide', a, call('multiply', b, a))],
    ['- - a', call('negate', call('negate', a))],
    ['a ^ 2', call('power', a, integer(2))],
    ['/ a ^ 2', call('power', a, integer(-2))],
    ['/ a ^ 12', call('power', a, integer(-12))],
    ['sqrt a', call('power', a, decimal('0.5'))],
    ['powerRZ a k', call('power', a, k)],
    ['Rpower a b', call('power', a, b)],
    ['Rpower a (1 / 1000)', call('power', a, decimal('1e-3'))],
    ['Rpower a ((-25) / 10)', call('power', a, decimal('-2.5'))],
    ['IZR (Zfloor a)%Z', call('floor', a)],
    ['if Rltb a b then a else b', choose(less(a, b), a, b)],
    ['let v := a + b in\n  v * a', letIn('v', call('add', a, b), call('multiply', variable('v', REAL), a))],
    ['IZR (argmax_over 0 n (fun i => (x i)%R))%Z', reduce('argmax', [over('i')], xi)],
    ['IZR (zsum_over 0 n (fun i => i))%Z', reduce('sum', [over('i')], i)],
    ['sum_over 0%Z n (fun i => if Rltb a (x i) then x i else 0)', reduce('sum', [over('i')], xi, less(a, xi))],
    ['max_where 0%Z n (fun i => Rltb a (x i)) (fun i => x i)', reduce('max', [over('i')], xi, less(a, xi))],
    [
      'a max under a condition is exported over one index of real numbers alone',
      reduce('max', [over('i'), over('j')], xi, less(a, xi)),
    ],
    ['argmin is exported over one index without a condition alone', reduce('argmin', [over('i')], xi, less(a, xi))],
  ])('%s', (text, term) => expect(written('real', term)).toBe(text));
});

describe('an integer', () => {
  it.each<[string, Term]>([
    ['((k + n) ^ 2)%Z', call('power', call('add', k, n), integer(2))],
    ['k', call('floor', k)],
    ['(Zfloor a)%Z', call('floor', a)],
    ['(zmax_over 0 n (fun i => i))%Z', reduce('max', [over('i')], i)],
    ['(zsum_over 0 n (fun i => if Rltb a (x i)%R then i else 0))%Z', reduce('sum', [over('i')], i, less(a, xi))],
    ['(zsum_over 0 n (fun i => if Rltb a (x i)%R then 1 else 0))%Z', reduce('count', [over('i')], less(a, xi))],
    ['a product of integers over a range is not among the definitions', reduce('product', [over('i')], i)],
    [
      'a max under a condition is exported over one index of real numbers alone',
      reduce('max', [over('i')], i, less(a, xi)),
    ],
  ])('%s', (text, term) => expect(written('integer', term)).toBe(text));
});

describe('a proposition', () => {
  it.each<[string, Term]>([
    ['True', boolean(true)],
    ['p = true', p],
    ['p = true <-> q = true', call('iff', p, q)],
    ['p = true <-> ~ q = true', call('xor', p, q)],
    ['p = true <-> (q = true <-> p = true)', call('iff', p, call('iff', q, p))],
    ['(p = true <-> q = true) <-> p = true', call('iff', call('iff', p, q), p)],
    ['p = true \\/ q = true <-> (p = true -> q = true)', call('iff', call('or', p, q), call('implies', p, q))],
    ['p = true /\\ q = true /\\ (p = true \\/ q = true)', call('and', call('and', p, q), call('or', p, q))],
    ['(p = true -> q = true) /\\ (p = true <-> q = true)', call('and', call('implies', p, q), call('iff', p, q))],
    ['~ (p = true /\\ q = true)', call('not', call('and', p, q))],
    ['a = b', call('approximately', a, b, integer(0))],
    ['Rabs (a - b - (a - b)) <= 1', call('approximately', call('subtract', a, b), call('subtract', a, b), integer(1))],
    ['forall i : Z, (0 <= i < n)%Z -> b < x i -> a < x i', reduce('all', [over('i')], less(a, xi), less(b, xi))],
    ['exists i : Z, (0 <= i < n)%Z /\\ b < x i /\\ a < x i', reduce('any', [over('i')], less(a, xi), less(b, xi))],
    ['exists i : Z, (0 <= i < n)%Z /\\ a < x i', reduce('any', [over('i')], less(a, xi))],
    ['it is not a claim', reduce('sum', [over('i')], xi)],
    ['texts have no counterpart among real numbers', call('equal', string('u'), string('v'))],
  ])('%s', (text, term) => expect(written('proposition', term)).toBe(text));
});

describe('a truth value', () => {
  it.each<[string, Term]>([
    ['Bool.eqb p q', call('iff', p, q)],
    ['xorb p q', call('xor', p, q)],
    ['orb (negb p) q', call('implies', p, q)],
    ['Rltb a b', less(a, b)],
    ['Rltb b a', call('greater', a, b)],
    ['Z.ltb k n', less(k, n)],
    ['negb (Reqb a b)', call('not-equal', a, b)],
    [
      'all_over 0%Z n (fun i => orb (negb (Rltb b (x i))) (Rltb a (x i)))',
      reduce('all', [over('i')], less(a, xi), less(b, xi)),
    ],
    [
      'any_over 0%Z n (fun i => andb (Rltb b (x i)) (Rltb a (x i)))',
      reduce('any', [over('i')], less(a, xi), less(b, xi)),
    ],
    ['all_over 0%Z n (fun i => Rltb a (x i))', reduce('all', [over('i')], less(a, xi))],
    ['it is not a truth value', reduce('sum', [over('i')], xi)],
    ['texts have no counterpart among real numbers', call('equal', string('u'), string('v'))],
    ['is_finite has no counterpart as a condition over the reals', call('is-finite', a)],
  ])('%s', (text, term) => expect(written('truth', term)).toBe(text));
});

describe('a vector', () => {
  it.each<[string, Term]>([
    ['fun (i : Z) => - x i', tabulate([over('i')], call('negate', xi))],
    ['recurrence_over n (fun s i => s (i - 1)%Z + x i)', recurrence('s', [over('i')], call('add', before, xi))],
    ['a recurrence is exported over one index of real numbers alone', recurrence('s', [over('i')], i)],
    ['a recurrence is exported over one index of real numbers alone', recurrence('s', [over('i')], less(a, xi))],
    ['a recurrence is exported over one index of real numbers alone', recurrence('s', [over('i'), over('j')], xi)],
    ['it is not a vector', call('add', a, b)],
  ])('%s', (text, term) => expect(written('tensor', term)).toBe(text));

  it('of integers is one of real numbers where these are wanted', () => {
    const writer = makeWriter([]);
    const counts = variable('x', makeType(INTEGER, [n]));
    const as = (type: Term['type']) => fit(writeAs(writer, counts, type, scope), level.open);
    expect(as(x.type)).toBe('fun (i : Z) => IZR (x i)%Z');
    expect([as(counts.type), fit(write(writer, counts, scope), level.open)]).toEqual(['x', 'x']);
    const table = tabulate([over('i')], call('negate', xi));
    expect(fit(write(writer, table, scope), level.open)).toBe('fun (i : Z) => - x i');
    expect(fit(writeScalar(writer, k, REAL, scope), level.open)).toBe('IZR k');
    expect(fit(writeScalar(writer, p, BOOLEAN, scope), level.open)).toBe('p');
  });
});

describe('what has a value', () => {
  it.each<[string | null, Term]>([
    [null, call('sqrt', integer(0))],
    ['((-1) >= 0)%Z', call('sqrt', integer(-1))],
    [null, call('power', a, integer(0))],
    [null, call('power', integer(2), k)],
    ['a <> 0 \\/ (k >= 0)%Z', call('power', a, k)],
    ['a <> 0 \\/ ((-1) >= 0)%Z', call('power', a, integer(-1))],
    [null, element(triple, [integer(2)])],
    ['(0 <= 3 < 3)%Z', element(triple, [integer(3)])],
    ['(0 <= k < 3)%Z', element(triple, [k])],
    ['(0 <= 0 < n)%Z', element(x, [integer(0)])],
    ['(0 <= k < n)%Z', element(x, [k])],
    [null, reduce('sum', [over('i')], xi)],
    [null, reduce('sum', [over('i', integer(1))], xi)],
    ['forall i : Z, ((-1) <= i < n)%Z -> (0 <= i < n)%Z', reduce('sum', [over('i', integer(-1))], xi)],
    ['forall i : Z, (k <= i < n)%Z -> (0 <= i < n)%Z', reduce('sum', [over('i', k)], xi)],
    ['forall i : Z, (0 <= i < k)%Z -> (0 <= i < n)%Z', reduce('sum', [over('i', integer(0), k)], xi)],
    ['(0 < n)%Z', reduce('max', [over('i')], xi)],
    ['exists i : Z, (0 <= i < n)%Z /\\ a < x i', reduce('max', [over('i')], xi, less(a, xi))],
    ['let v := a + b in v > 0', letIn('v', call('add', a, b), call('log', variable('v', REAL)))],
    ['(a < b -> a > 0) /\\ (~ a < b -> b > 0)', choose(less(a, b), call('log', a), call('log', b))],
    [
      'let s := recurrence_over n (fun s i => s (i - 1)%Z) in forall i : Z, (0 <= i < n)%Z -> (0 <= i - 1 < i)%Z',
      recurrence('s', [over('i')], before),
    ],
  ])('%s', (text, term) => expect(written('defined', term)).toBe(text));

  it('an index that is of another thing than its name says is not plainly within', () => {
    const inside = { ...scope, ranges: new Map([['i', over('i')]]) };
    expect(isPlainlyWithin(inside, i, n)).toBe(true);
    expect(isPlainlyWithin(inside, i, k)).toBe(false);
    expect(isPlainlyWithin(inside, k, n)).toBe(false);
    expect(isPlainlyWithin(inside, a, n)).toBe(false);
    expect(isPlainlyWithin(withText(inside, 'n', atom('m')), i, n)).toBe(false);
    expect(isPlainlyWithin(withText(inside, 'i', atom('j')), i, n)).toBe(false);
    expect(
      [integer(-1), integer(0), integer(2), integer(3)].map((at) => isPlainlyWithin(scope, at, integer(3))),
    ).toEqual([false, true, true, false]);
    expect(isPlainlyWithin(scope, integer(0), n)).toBe(false);
    expect(isPlainlyWithin(scope, k, integer(3))).toBe(false);
    const ofThree = { ...scope, ranges: new Map([['i', over('i', integer(0), integer(3))]]) };
    expect(isPlainlyWithin(ofThree, i, integer(3))).toBe(true);
  });
});

describe('a text', () => {
  it('is put into parentheses where an operator would take it apart', () => {
    const [sum, product] = [
      leftward('+', level.sum, atom('a'), atom('b')),
      leftward('*', level.product, atom('a'), atom('b')),
    ];
    expect(leftward('-', level.sum, sum, sum).text).toBe('a + b - (a + b)');
    expect(leftward('*', level.product, sum, product).text).toBe('(a + b) * (a * b)');
    expect(
      rightward('\\/', level.disjunction, rightward('\\/', level.disjunction, atom('a'), atom('b')), atom('c')).text,
    ).toBe('(a \\/ b) \\/ c');
    expect(apply('f', sum, atom('c'))).toEqual({ text: 'f (a + b) c', level: level.application });
    expect(apply('f')).toEqual(atom('f'));
  });
});

describe('an identifier', () => {
  it.each([
    ['x', 'x'],
    ['out:0', 'out_0'],
    ['a b.c-d/e', 'a_b_c_d_e'],
    ['σ', 'sigma'],
    ['ℓ', 'l'],
    ['µ', 'mu'],
    ["x'", 'x_prime'],
    ['1x', 'v_1x'],
    ['_', 'v__'],
    ['x€', 'xu20ac'],
    ['exp', 'exp_1'],
    ['taken', 'taken_2'],
  ])('of %s is %s', (name, identifier) => {
    expect(identifierOf(name, new Set(['taken', 'taken_1']))).toBe(identifier);
  });
});
