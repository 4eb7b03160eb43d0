import { expect, it } from 'vitest';
import { asksFiniteness } from '../../src/math/asks-finiteness.ts';
import * as b from '../../src/math/term/build.ts';
import { BOOLEAN, FLOAT32, type Term } from '../../src/math/term/term.ts';
import { index, n, over } from './equations.ts';

const tensor = { kind: 'tensor', element: FLOAT32, shape: [n] } as const;
const out = b.element(b.variable('out:0', tensor), [index('i')]);
const input = b.element(b.variable('x', tensor), [index('i')]);
const infinity = b.decimal('Infinity');
const finite = (term: Term): Term => b.call('is-finite', term);
const nan = (term: Term): Term => b.call('is-nan', term);
const not = (term: Term): Term => b.call('not', term);
const positive = b.call('greater-equal', out, b.integer(0));

const asks = (predicate: Term): boolean =>
  asksFiniteness({
    predicate: b.reduce('all', [over('i')], predicate),
    applications: [{ output: 'out:0', arguments: [], sizes: [], type: tensor }],
  });

it.each([
  ['an output', finite(out)],
  ['what is computed from one', finite(b.call('multiply', out, b.integer(0)))],
  ['a value named before', b.letIn('y', b.call('exp', out), finite(b.variable('y', FLOAT32)))],
  ['no NaN', not(nan(out))],
  ['a comparison with infinity', b.call('less', b.call('absolute', out), infinity)],
  ['a comparison with minus infinity', b.call('greater', out, b.call('negate', infinity))],
  ['a conclusion', b.call('implies', finite(input), finite(out))],
  ['a premise that must be false', b.call('implies', nan(out), b.boolean(false))],
  ['one of several claims', b.call('and', positive, finite(out))],
  ['an equivalence', b.call('iff', finite(out), finite(input))],
])('is asked of %s', (_, predicate) => {
  expect(asks(predicate)).toBe(true);
});

it.each([
  ['an input', finite(input)],
  ['nothing', positive],
  ['a premise', b.call('implies', finite(out), positive)],
  ['NaN itself', b.call('or', nan(out), positive)],
  ['a name that hides an output', b.letIn('out:0', b.variable('x', tensor), b.call('and', finite(out), positive))],
  ['the condition of a quantifier', b.reduce('all', [over('j')], b.call('and', positive, positive), finite(out))],
  ['a comparison of inputs with infinity', b.call('less', input, infinity)],
  ['a truth value', b.variable('p', BOOLEAN)],
])('is not asked of %s', (_, predicate) => {
  expect(asks(predicate)).toBe(false);
});
