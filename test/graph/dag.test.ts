import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildDag, foundationsOf, impactOf, type DagContract } from '../../src/graph/dag.ts';

const contracts = (edges: Readonly<Record<string, readonly string[]>>): DagContract[] =>
  Object.entries(edges).map(([id, dependsOn]) => ({ id, dependsOn: dependsOn.map((value) => ({ value })) }));

const albor = contracts({
  softmax: [],
  matmul: [],
  attention: ['softmax', 'matmul'],
  gqa: ['attention'],
  rmsnorm: [],
  'albor-forward': ['gqa', 'rmsnorm'],
  'training-loop': ['albor-forward'],
  pruning: [],
});

describe('buildDag', () => {
  test('orders dependencies first and records both directions', () => {
    const dag = buildDag(albor);
    for (const { from, to } of dag.edges) expect(dag.order.indexOf(to)).toBeLessThan(dag.order.indexOf(from));
    expect(dag.dependencies.get('attention')).toEqual(['matmul', 'softmax']);
    expect(dag.dependents.get('attention')).toEqual(['gqa']);
    expect(dag.cycles).toEqual([]);
  });

  test('reports what is missing without inventing a node for it', () => {
    const dag = buildDag(contracts({ a: ['b', 'ghost', 'ghost'], b: [] }));
    expect(dag.edges).toEqual([
      { from: 'a', to: 'b', missing: false },
      { from: 'a', to: 'ghost', missing: true },
    ]);
    expect(dag.order).toEqual(['b', 'a']);
  });

  test('reports every cycle, self-loops too, and still orders the rest', () => {
    const dag = buildDag(contracts({ a: ['b'], b: ['c'], c: ['a'], d: ['d', 'a'], e: ['d'], f: [] }));
    expect(dag.cycles).toEqual([['a', 'b', 'c'], ['d']]);
    expect(dag.order).toHaveLength(6);
    expect(dag.order.indexOf('d')).toBeLessThan(dag.order.indexOf('e'));
  });

  test('does not depend on the order of the input', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(albor, { minLength: albor.length }), (shuffled) => {
        expect(buildDag(shuffled)).toEqual(buildDag(albor));
      }),
    );
  });

  test('a chain of 100,000 contracts is not a problem', () => {
    const chain = Array.from({ length: 100_000 }, (_, i) => ({
      id: `c${i}`,
      dependsOn: i > 0 ? [{ value: `c${i - 1}` }] : [],
    }));
    const dag = buildDag(chain);
    expect(dag.order[0]).toBe('c0');
    expect(impactOf(dag, ['c99998'])).toEqual(['c99998', 'c99999']);
  });

  test('nothing gives nothing; names like __proto__ are names', () => {
    expect(buildDag([]).order).toEqual([]);
    const dag = buildDag([
      { id: '__proto__', dependsOn: [{ value: 'constructor' }] },
      { id: 'constructor', dependsOn: [] },
    ]);
    expect(impactOf(dag, ['constructor'])).toEqual(['constructor', '__proto__']);
  });
});

describe('impactOf', () => {
  test('a change reaches every dependent, in the order of verification, and nothing else', () => {
    const dag = buildDag(albor);
    expect(impactOf(dag, ['softmax'])).toEqual(['softmax', 'attention', 'gqa', 'albor-forward', 'training-loop']);
    expect(impactOf(dag, ['pruning'])).toEqual(['pruning']);
    expect(impactOf(dag, ['rmsnorm', 'pruning'])).toHaveLength(4);
    expect(impactOf(dag, [])).toEqual([]);
  });

  test('a removed contract reaches those that name it', () => {
    const dag = buildDag(contracts({ a: ['gone'], b: ['a'], c: [] }));
    expect(impactOf(dag, ['gone'])).toEqual(['a', 'b']);
  });

  test('is the set of contracts whose foundations changed', () => {
    const graph = fc.integer({ min: 1, max: 8 }).chain((n) => {
      const id = fc.integer({ min: 0, max: n }).map((i) => `n${i}`);
      return fc.tuple(
        fc.array(fc.array(id, { maxLength: 3 }), { minLength: n, maxLength: n }),
        fc.array(id, { maxLength: 2 }),
      );
    });
    fc.assert(
      fc.property(graph, ([lists, changed]) => {
        const dag = buildDag(lists.map((list, i) => ({ id: `n${i}`, dependsOn: list.map((value) => ({ value })) })));
        const named = (id: string): string[] => [
          id,
          ...foundationsOf(dag, id),
          ...dag.edges.filter((e) => e.missing && [id, ...foundationsOf(dag, id)].includes(e.from)).map((e) => e.to),
        ];
        expect(impactOf(dag, changed)).toEqual(
          dag.order.filter((id) => named(id).some((one) => changed.includes(one))),
        );
      }),
    );
  });
});
