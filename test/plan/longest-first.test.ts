import { expect, it } from 'vitest';
import * as b from '../../src/math/term/build.ts';
import { FLOAT32, type Term } from '../../src/math/term/term.ts';
import type { Check } from '../../src/plan/check.ts';
import { longestFirst } from '../../src/plan/longest-first.ts';

/** As much of a check as its place depends on. */
function check(method: Check['method'], goal: string, body?: Term): Check {
  const work = {
    kind: body ? 'equation' : 'goal',
    equation: 'f',
    goals: [{ predicate: b.boolean(true) }],
    subjects: [{ equation: 'f', model: { body } }],
  };
  return { method, goal, work } as unknown as Check;
}

it('begins proofs and wrong kernels first, of these the largest', () => {
  const x = b.variable('x', FLOAT32);
  const checks = [
    check('falsify', 'a test'),
    check('property', 'a claim'),
    check('adequacy', 'small', x),
    check('adequacy', 'large', b.call('exp', b.call('add', x, b.integer(1)))),
    check('bounded', 'a proof'),
    check('types', 'types'),
  ];
  expect(longestFirst(checks).map(({ goal }) => goal)).toEqual([
    'a proof',
    'large',
    'small',
    'a claim',
    'a test',
    'types',
  ]);
});

it('counts shared terms once: written out, these are more than can be counted', () => {
  const shared = Array.from({ length: 200 }).reduce<Term>(
    (term) => b.call('add', term, term),
    b.variable('x', FLOAT32),
  );
  const checks = [check('adequacy', 'small', b.variable('x', FLOAT32)), check('adequacy', 'shared', shared)];
  expect(longestFirst(checks).map(({ goal }) => goal)).toEqual(['shared', 'small']);
});
