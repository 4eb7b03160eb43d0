import { expect, it } from 'vitest';
import * as b from '../../src/math/term/build.ts';
import { FLOAT32, type Term } from '../../src/math/term/term.ts';
import type { Check } from '../../src/plan/check.ts';
import { checkOrder } from '../../src/plan/check-order.ts';
import type { PlannedContract } from '../../src/plan/make-plan.ts';

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
  expect(checkOrder(checks, []).map(({ goal }) => goal)).toEqual([
    'a proof',
    'large',
    'small',
    'a claim',
    'a test',
    'types',
  ]);
});

/** As much of a contract as the order depends on. */
function contract(id: string, ...below: string[]): PlannedContract {
  return {
    elaborated: { contract: { id, dependsOn: below.map((value) => ({ value })) } },
  } as unknown as PlannedContract;
}

it('begins with what most contracts build on, directly or through others, one contract after the other', () => {
  const contracts = [
    contract('alone'),
    contract('matmul'),
    contract('softmax'),
    contract('attention', 'matmul', 'softmax'),
    contract('gqa', 'attention', 'unread'),
  ];
  const of = (name: string, method: Check['method']): Check => ({
    ...check(method, `${name} ${method}`),
    contract: name,
  });
  const checks = ['gqa', 'alone', 'attention', 'softmax', 'matmul'].flatMap((name) => [
    of(name, 'property'),
    of(name, 'adequacy'),
  ]);
  expect(checkOrder(checks, contracts).map(({ goal }) => goal)).toEqual([
    'matmul adequacy',
    'matmul property',
    'softmax adequacy',
    'softmax property',
    'attention adequacy',
    'attention property',
    'gqa adequacy',
    'alone adequacy',
    'gqa property',
    'alone property',
  ]);
});

it('counts shared terms once: written out, these are more than can be counted', () => {
  const shared = Array.from({ length: 200 }).reduce<Term>(
    (term) => b.call('add', term, term),
    b.variable('x', FLOAT32),
  );
  const checks = [check('adequacy', 'small', b.variable('x', FLOAT32)), check('adequacy', 'shared', shared)];
  expect(checkOrder(checks, []).map(({ goal }) => goal)).toEqual(['shared', 'small']);
});
