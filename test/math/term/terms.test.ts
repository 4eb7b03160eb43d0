/**
 * Holds src/math/term/build.ts, src/math/term/fold.ts, src/math/term/sizes.ts, src/math/term/symbols.ts, src/math/term/term-key.ts,
 * src/math/term/traverse.ts, src/math/term/types.ts.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  boolean,
  call,
  choose,
  conjunction,
  decimal,
  element,
  integer,
  letIn,
  reduce,
  tabulate,
  variable,
} from '../../../src/math/term/build.ts';
import { evaluateTerm } from '../../../src/math/evaluate/interpret.ts';
import { printTerm } from '../../../src/math/term/print-term.ts';
import { exactQuotient, linearIn, sameSize, simplifySize, solveSize } from '../../../src/math/term/sizes.ts';
import { freshNames } from '../../../src/math/term/symbols.ts';
import { termKey, typeKey } from '../../../src/math/term/term-key.ts';
import { BOOLEAN, FLOAT32, INTEGER, REAL, type Term } from '../../../src/math/term/term.ts';
import { freeVariables, occurrences, substitute, termSize } from '../../../src/math/term/traverse.ts';
import { typeText } from '../../../src/math/term/types.ts';

const [n, m, k] = ['n', 'm', 'k'].map((name) => variable(name, INTEGER)) as [Term, Term, Term];
const x = variable('x', { kind: 'tensor', element: FLOAT32, shape: [n] });
const at = (name: string): Term => element(x, [variable(name, INTEGER)]);
const over = (name: string, to: Term = n): { name: string; from: Term; to: Term } => ({ name, from: integer(0), to });
const sumOver = (name: string): Term => reduce('sum', [over(name)], at(name));

describe('construction', () => {
  it.each([
    [call('add', n, integer(0)), n],
    [call('multiply', integer(1), n), n],
    [call('subtract', integer(5), integer(7)), integer(-2)],
    [call('floor-divide', integer(-7), integer(2)), integer(-4)],
    [call('modulo', integer(-7), integer(2)), integer(1)],
    [call('power', n, integer(1)), n],
    [call('and', boolean(true), boolean(false)), boolean(false)],
    [call('implies', boolean(true), boolean(false)), boolean(false)],
    [call('not', call('not', call('less', n, m))), call('less', n, m)],
    [choose(boolean(false), n, m), m],
    [conjunction([]), boolean(true)],
    [tabulate([], n), n],
  ])('folds to %o', (actual, expected) => expect(termKey(actual)).toBe(termKey(expected)));

  it.each([
    [call('divide', integer(1), integer(0))],
    [call('floor-divide', integer(1), integer(0))],
    [call('multiply', integer(0), at('i'))],
    [call('add', decimal('0.1'), decimal('0.2'))],
  ])('leaves alone what folding could change', (term) => expect(term.kind).toBe('call'));

  it('computes types', () => {
    expect(call('add', n, integer(2)).type).toEqual(INTEGER);
    expect(call('divide', n, integer(2)).type).toEqual(REAL);
    expect(call('power', n, integer(2)).type).toEqual(INTEGER);
    expect(call('power', n, m).type).toEqual(REAL);
    expect(call('less', n, m).type.kind).toBe('boolean');
    expect(typeText(tabulate([over('i'), over('j', call('add', m, integer(1)))], at('i')).type)).toBe('F32^{n×m + 1}');
    expect(reduce('argmax', [over('i')], at('i')).type).toEqual(INTEGER);
  });
});

describe('keys', () => {
  it('ignore the names of bound variables', () => {
    expect(termKey(sumOver('i'))).toBe(termKey(sumOver('j')));
    expect(termKey(letIn('a', n, variable('a', INTEGER)))).toBe(termKey(letIn('b', n, variable('b', INTEGER))));
  });
  it('distinguish free from bound, sum from product, real from whole', () => {
    const keys = [
      sumOver('i'),
      reduce('product', [over('i')], at('i')),
      at('i'),
      at('j'),
      integer(1),
      decimal('1.0'),
      variable('@0', INTEGER),
      boolean(true),
      variable('true', INTEGER),
    ].map(termKey);
    expect(new Set(keys).size).toBe(keys.length);
  });
  it('respect shadowing', () => {
    const inner = reduce('sum', [over('i')], reduce('sum', [over('i')], at('i')));
    const outer = reduce('sum', [over('i')], reduce('sum', [over('j')], at('i')));
    expect(termKey(inner)).not.toBe(termKey(outer));
  });
  it('of types name shapes', () => expect(typeKey(x.type)).toBe('f32[$"n"]'));
});

describe('substitution', () => {
  const fresh = (): ReturnType<typeof freshNames> => freshNames(['i', 'j', 'n', 'x']);
  it('does not capture', () => {
    const term = reduce('sum', [over('i')], call('multiply', at('i'), variable('c', REAL)));
    const replaced = substitute(term, new Map([['c', at('i')]]), fresh());
    expect(freeVariables(replaced)).toEqual(new Set(['n', 'x', 'i']));
  });
  it('does not touch bound names', () => {
    expect(termKey(substitute(sumOver('i'), new Map([['i', integer(0)]]), fresh()))).toBe(termKey(sumOver('i')));
  });
  it('reaches shapes of types', () => {
    const table = tabulate([over('i')], at('i'));
    expect(typeText(substitute(table, new Map([['n', integer(3)]]), fresh()).type)).toBe('F32^3');
  });

  it('leaves out the cases that can no longer apply', () => {
    const chosen = choose(
      variable('flag', BOOLEAN),
      variable('a', REAL),
      choose(call('less', variable('k', INTEGER), integer(1)), variable('b', REAL), variable('c', REAL)),
    );
    const given = (flag: boolean, k: number): string =>
      termKey(
        substitute(
          chosen,
          new Map([
            ['flag', boolean(flag)],
            ['k', integer(k)],
          ]),
          fresh(),
        ),
      );
    expect([given(true, 0), given(false, 0), given(false, 1)]).toEqual(
      ['a', 'b', 'c'].map((name) => termKey(variable(name, REAL))),
    );
    expect(substitute(chosen, new Map([['k', integer(0)]]), fresh()).kind).toBe('if');
  });
  it('keeps the value', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.integer(), (size, c) => {
        const term = call(
          'add',
          reduce('sum', [over('i')], call('multiply', variable('i', INTEGER), variable('c', INTEGER))),
          n,
        );
        const env = new Map([
          ['n', size],
          ['c', c % 1000],
        ]);
        const closed = substitute(term, new Map([['c', integer(c % 1000)]]), fresh());
        expect(evaluateTerm(closed, new Map([['n', size]]))).toBe(evaluateTerm(term, env));
      }),
    );
  });
  it('counts occurrences, and whether they repeat', () => {
    expect(occurrences(call('add', n, n), 'n')).toEqual({ count: 2, repeated: false });
    expect(occurrences(reduce('sum', [over('i', m)], n), 'n')).toEqual({ count: 1, repeated: true });
  });
  it('walks chains of names without recursion', () => {
    let chain: Term = n;
    for (let i = 0; i < 50_000; i++) chain = letIn(`a${i}`, m, chain);
    expect(freeVariables(chain)).toEqual(new Set(['m', 'n']));
    expect(termKey(chain).length).toBeGreaterThan(50_000);
    expect(termSize(chain)).toBe(100_001);
  });
});

describe('fresh names', () => {
  it('avoid what is reserved and each other', () => {
    const fresh = freshNames(['i', 'i~2']);
    expect([fresh('i'), fresh('i'), fresh('j'), fresh('j~2'), fresh('j')]).toEqual(['i~3', 'i~4', 'j', 'j~2', 'j~3']);
  });
});

describe('sizes', () => {
  const product = (a: Term, b: Term): Term => call('multiply', a, b);
  it.each([
    ['m·k = k·m', product(m, k), product(k, m), true],
    [
      '(n+1)² = n² + 2n + 1',
      call('power', call('add', n, integer(1)), integer(2)),
      call('add', product(n, n), call('add', product(integer(2), n), integer(1))),
      true,
    ],
    ['2n//2 = n', call('floor-divide', product(integer(2), n), integer(2)), n, true],
    ['n - n = 0', call('subtract', n, n), integer(0), true],
    ['n//2 is itself', call('floor-divide', n, integer(2)), call('floor-divide', n, integer(2)), true],
    ['n//2 is not n', call('floor-divide', n, integer(2)), n, false],
    ['n is not m', n, m, false],
    ['n is not n+1', n, call('add', n, integer(1)), false],
  ])('%s', (_, a, b, expected) => expect(sameSize(a, b)).toBe(expected));

  it('agree with arithmetic', () => {
    const size: fc.Arbitrary<Term> = fc.letrec<{ size: Term }>((tie) => ({
      size: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(n, m, k),
        fc.integer({ min: -5, max: 5 }).map(integer),
        fc
          .tuple(fc.constantFrom('add' as const, 'subtract' as const, 'multiply' as const), tie('size'), tie('size'))
          .map(([fn, a, b]) => call(fn, a, b)),
      ),
    })).size;
    fc.assert(
      fc.property(
        size,
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 9 }),
        (term, a, b, c) => {
          const env = new Map([
            ['n', a],
            ['m', b],
            ['k', c],
          ]);
          expect(evaluateTerm(simplifySize(term), env)).toEqual(Number(evaluateTerm(term, env)) + 0);
          expect(sameSize(term, simplifySize(term))).toBe(true);
        },
      ),
    );
  });
  it('are solved', () => {
    expect(linearIn(call('add', product(integer(2), n), integer(1)), 'n')).toMatchObject({ coefficient: 2 });
    expect(linearIn(product(n, n), 'n')).toBeNull();
    expect(printTerm(solveSize(product(integer(2), k), 'k', product(integer(6), n)) ?? m)).toBe('3 · n');
    expect(printTerm(solveSize(product(m, k), 'k', product(m, n)) ?? m)).toBe('n');
    expect(solveSize(product(integer(2), k), 'k', n)).toBeNull();
    expect(exactQuotient(n, integer(0))).toBeNull();
  });
  it('do not explode', () => {
    let power: Term = call('add', call('add', n, m), call('add', k, integer(1)));
    for (let i = 0; i < 12; i++) power = product(power, power);
    expect(sameSize(power, power)).toBe(true);
  });
});

describe('print', () => {
  it.each([
    [call('multiply', call('add', n, m), k), '(n + m) · k'],
    [call('subtract', n, call('subtract', m, k)), 'n - (m - k)'],
    [call('divide', at('i'), sumOver('j')), 'x_i / (Σ_{j<n} x_j)'],
    [choose(call('less', n, m), n, m), '{ n if n < m; m otherwise }'],
    [reduce('all', [over('i')], call('greater-equal', at('i'), integer(0))), '∀_{i<n}: x_i ≥ 0'],
    [call('negate', call('add', n, m)), '-(n + m)'],
    [letIn('a', n, variable('a', INTEGER)), 'let a = n in a'],
  ])('%o', (term, expected) => expect(printTerm(term)).toBe(expected));

  it('is short for huge terms', () => {
    let huge: Term = n;
    for (let i = 0; i < 40; i++) huge = call('add', huge, huge);
    expect(printTerm(huge, 200).length).toBeLessThanOrEqual(200);
  });
});
