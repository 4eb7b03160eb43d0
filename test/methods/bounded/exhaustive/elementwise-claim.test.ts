/** Why a claim about vectors may not be the same claim about each of their elements. */
import { describe, expect, it } from 'vitest';
import { invariant } from '../../../../src/base/invariant.ts';
import type { Goal } from '../../../../src/contract/goal.ts';
import * as b from '../../../../src/math/term/build.ts';
import { FLOAT32, INTEGER, type Term, type Type } from '../../../../src/math/term/term.ts';
import { notElementwiseClaim } from '../../../../src/methods/bounded/exhaustive/elementwise-claim.ts';
import { closed, domain, input, name, size } from '../../../runtime/domains.ts';
import { exhaustiveCheck } from './half-goals.ts';

const vector: Type = { kind: 'tensor', element: FLOAT32, shape: [name('n')] };
const x = b.variable('x', vector);
const y = b.variable('y', vector);
const i = b.variable('i', INTEGER);
const at = (tensor: Term, index: Term = i): Term => b.element(tensor, [index]);
const below = (term: Term): Term => b.call('less', term, b.integer(9));
const whole = { name: 'i', from: b.integer(0), to: name('n') };
const all = (body: Term, binder = whole, condition: Term | null = null): Term =>
  b.reduce('all', [binder], body, condition);
const vectors = domain([size('n', 1, 8)], [input('x', ['n']), input('c', [])]);

/** Why the predicate about x, c and y = D(x) is not one of elements; null when it is. */
async function reason(predicate: Term, more: Partial<Goal> = {}): Promise<string | null> {
  const { work } = await exhaustiveCheck({ formal: 'D(x)_i ≤ 1e9' });
  invariant(work.kind === 'bounded', 'it is a proof');
  const application = { output: 'y', equation: 'small', arguments: [x], sizes: [name('n')], type: vector };
  return notElementwiseClaim({ ...work.goal, domain: vectors, applications: [application], predicate, ...more });
}

const others = 'it compares elements of different indices, or counts them';
const c = b.variable('c', FLOAT32);

describe('what is said of each element alone', () => {
  const given = (value: Term, body: Term): Term => b.letIn('v', value, body);
  const v = b.variable('v', FLOAT32);
  const w = b.variable('v', vector);
  const doubled = b.tabulate([whole], b.call('add', at(x), at(x)));

  it.each<[string, Term]>([
    ['of every index', all(below(at(x)))],
    ['of outputs', all(b.call('equal', at(y), at(x)))],
    ['of an element under a condition on it', all(below(at(y)), whole, below(at(x)))],
    ['of one number', below(c)],
    ['of both', b.call('and', all(below(at(x))), below(c))],
    ['of a choice', all(b.call('less', b.choose(below(at(x)), at(x), c), c))],
    ['of a named number', given(c, all(below(v)))],
    ['of a named vector', given(doubled, all(below(at(w))))],
    ['of a name inside', all(given(at(x), below(v)))],
    ['of a vector that is made where it is read', all(below(at(doubled)))],
    ['of a vector with a name of its own', all(below(at(given(c, b.tabulate([whole], b.call('add', at(x), v))))))],
    [
      'of a number that a loop makes',
      all(
        below(
          b.reduce(
            'sum',
            [{ name: 'k', from: b.integer(0), to: b.integer(3) }],
            b.call('add', b.variable('k', INTEGER), at(x)),
          ),
        ),
      ),
    ],
    ['of nothing', b.boolean(true)],
  ])('%s', async (_, predicate) => {
    expect(await reason(predicate)).toBeNull();
  });

  it.each<[string, Term]>([
    ['an element at a fixed index', all(below(at(x, b.integer(0))))],
    ['an element at the next index', all(below(at(x, b.call('add', i, b.integer(1)))))],
    ['an element outside of any index', below(at(x))],
    ['the index as a number', all(below(i))],
    ['the number of elements', all(below(name('n')))],
    ['indices from 1', all(below(at(x)), { ...whole, from: b.integer(1) })],
    ['indices up to a number', all(below(at(x)), { ...whole, to: b.integer(3) })],
    ['two indices', b.reduce('all', [whole, { ...whole, name: 'j' }], below(at(x)))],
    ['some index', b.reduce('any', [whole], below(at(x)))],
    ['a sum of all elements', below(b.reduce('sum', [whole], at(x)))],
    ['a claim that an index implies', b.call('implies', all(below(at(x))), below(c))],
    ['a condition on another index', all(below(at(x)), whole, below(at(x, b.integer(0))))],
    ['a named sum', given(b.reduce('sum', [whole], at(x)), all(below(v)))],
    [
      'a named vector of sums',
      given(
        b.tabulate([whole], b.reduce('sum', [{ ...whole, name: 'j' }], at(x, b.variable('j', INTEGER)))),
        all(below(at(w))),
      ),
    ],
    ['a vector that is longer', all(below(at(b.tabulate([{ ...whole, to: b.integer(3) }], at(x)))))],
    ['a matrix', all(below(at(b.tabulate([whole, { ...whole, name: 'j' }], at(x)))))],
    ['a name that hides a vector', b.letIn('x', b.reduce('sum', [whole], at(x)), all(below(at(x))))],
    ['an index that hides the length', b.reduce('all', [{ ...whole, name: 'n' }], all(below(at(x))))],
    [
      'an index inside that hides the one outside',
      all(below(b.reduce('sum', [{ name: 'i', from: b.integer(0), to: b.integer(3) }], at(x)))),
    ],
    ['a name that is not known', below(b.variable('z', FLOAT32))],
  ])('is not %s', async (_, predicate) => {
    expect(await reason(predicate)).toBe(others);
  });

  it('is what the preconditions say, too', async () => {
    const preconditions = (...terms: readonly Term[]) => ({ domain: { ...vectors, preconditions: terms } });
    expect(await reason(b.boolean(true), preconditions(all(below(at(x)))))).toBeNull();
    expect(await reason(b.boolean(true), preconditions(below(name('n'))))).toBe(others);
  });
});

describe('inputs that have more than one element at an index', () => {
  const under = (variables: Parameters<typeof domain>[1], sizes = [size('n', 1, 8)]) =>
    reason(b.boolean(true), { domain: domain(sizes, variables), applications: [] });
  const variable = input('x', ['n']);

  it('are of one length that is given', async () => {
    expect(await under([variable])).toBeNull();
    const none = 'its inputs have not one length';
    expect(await under([input('x', [b.integer(3)])], [])).toBe(none);
    expect(await under([variable], [size('n', 1, 8), size('m', 1, 8)])).toBe(none);
    expect(await under([variable], [size('n', 1, 8, { definition: b.integer(4) })])).toBe(none);
  });

  it('are vectors of that length', async () => {
    for (const shape of [['n', 'n'], [b.integer(3)]])
      expect(await under([input('x', shape)])).toBe('x is not a vector of n numbers');
    expect(await under([input('c', [])])).toBe('it has no vectors');
  });

  it('do not depend on one another', async () => {
    const depends = 'the values of x depend on more than its index';
    for (const bounds of [
      { lower: { value: c, open: false } },
      { upper: { value: c, open: true } },
      { choices: [b.integer(1), c] },
      { excluded: [c] },
      { structure: 'increasing' as const },
    ])
      expect(await under([input('c', []), input('x', ['n'], bounds)])).toBe(depends);
    expect(
      await under([input('x', ['n'], { lower: closed(0), upper: closed(1), excluded: [b.integer(1)] })]),
    ).toBeNull();
  });
});

describe('kernels', () => {
  const running = (more: Partial<Goal['applications'][number]>) =>
    reason(all(below(at(y))), {
      applications: [{ output: 'y', equation: 'small', arguments: [x], sizes: [name('n')], type: vector, ...more }],
    });
  const more = 'small is given more than the elements at one index';

  it('are given the elements at one index, and numbers', async () => {
    expect(await running({ arguments: [x, c] })).toBeNull();
    expect(
      await running({ arguments: [b.tabulate([whole], b.call('negate', at(x))), b.call('add', c, c)] }),
    ).toBeNull();
    expect(await running({ arguments: [b.tabulate([whole], at(x, b.integer(0)))] })).toBe(more);
    expect(await running({ arguments: [x, name('n')] })).toBe(more);
    expect(await running({ sizes: [b.integer(3)] })).toBe(more);
    expect(await running({ sizes: [name('n'), name('n')] })).toBe(more);
    expect(await running({ sizes: [] })).toBe(more);
    expect(await running({ each: { sizes: [name('n')], arguments: [true] } })).toBe(more);
  });

  it('may run on outputs of those before them', async () => {
    const second = { output: 'z', equation: 'other', arguments: [y], sizes: [name('n')], type: vector };
    const first = { output: 'y', equation: 'small', arguments: [x], sizes: [name('n')], type: vector };
    const z = b.variable('z', vector);
    expect(await reason(all(below(at(z))), { applications: [first, second] })).toBeNull();
    expect(await reason(all(below(at(z))), { applications: [second, first] })).toBe(
      'other is given more than the elements at one index',
    );
  });
});
