import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { levels, verdicts } from '../../src/evidence/verdict.ts';
import { composeVerdicts, type Standing } from '../../src/graph/composition.ts';
import { buildDag, foundationsOf, type Dag } from '../../src/graph/dag.ts';

const dagOf = (edges: Readonly<Record<string, readonly string[]>>): Dag =>
  buildDag(Object.entries(edges).map(([id, dependsOn]) => ({ id, dependsOn: dependsOn.map((value) => ({ value })) })));

const green: Standing = { verdict: 'tested', level: 'L3' };
const all = (dag: Dag, changes: Readonly<Record<string, Standing>> = {}): Map<string, Standing> =>
  new Map(dag.order.map((id) => [id, changes[id] ?? green]));

describe('composeVerdicts', () => {
  const dag = dagOf({ softmax: [], attention: ['softmax'], gqa: ['attention'], rope: [] });

  test('green on green stays green', () => {
    expect([...composeVerdicts(dag, all(dag)).values()]).toEqual(
      Array.from({ length: 4 }, () => ({ ...green, reason: null })),
    );
  });

  test('a parent is never better than its weakest foundation, at any distance', () => {
    const composed = composeVerdicts(dag, all(dag, { softmax: { verdict: 'falsified', level: 'L0' } }));
    expect(composed.get('gqa')).toEqual({ verdict: 'falsified', level: 'L0', reason: 'attention is falsified' });
    expect(composed.get('rope')).toEqual({ ...green, reason: null });
  });

  test('a contract at its highest level does not limit the levels of others, but still their verdicts', () => {
    const data = (verdict: Standing['verdict'], level: Standing['level'], reached: typeof level) =>
      composeVerdicts(dag, all(dag, { softmax: { verdict, level } }), (id) => (id === 'softmax' ? reached : 'L5')).get(
        'gqa',
      );
    expect(data('tested', 'L2', 'L2')).toEqual({ ...green, reason: null });
    expect(data('tested', 'L1', 'L2')).toMatchObject({ level: 'L1' });
    expect(data('falsified', 'L2', 'L2')).toMatchObject({ verdict: 'falsified' });
  });

  test('a lower level below lowers the level above', () => {
    const composed = composeVerdicts(dag, all(dag, { softmax: { verdict: 'tested', level: 'L2' } }));
    expect(composed.get('attention')).toEqual({
      verdict: 'tested',
      level: 'L2',
      reason: 'softmax is tested at L2 only',
    });
  });

  test('a missing foundation is undetermined', () => {
    const missing = dagOf({ a: ['ghost'], b: ['a'] });
    expect(composeVerdicts(missing, all(missing)).get('b')).toMatchObject({ verdict: 'undetermined', level: 'L0' });
    expect(composeVerdicts(missing, all(missing)).get('a')?.reason).toBe('ghost was not read');
  });

  test('a cycle proves nothing, nor does anything that rests on it', () => {
    const circle = dagOf({ a: ['b'], b: ['a'], c: ['a'], self: ['self'], free: [] });
    const composed = composeVerdicts(circle, all(circle, { b: { verdict: 'vacuous', level: 'L0' } }));
    expect([...composed].map(([id, { verdict }]) => [id, verdict])).toEqual(
      expect.arrayContaining([
        ['a', 'vacuous'],
        ['b', 'vacuous'],
        ['c', 'vacuous'],
        ['self', 'undetermined'],
        ['free', 'tested'],
      ]),
    );
  });

  test('law: the result is the weakest of itself and all foundations', () => {
    const standing = fc.record({ verdict: fc.constantFrom(...verdicts), level: fc.constantFrom(...levels) });
    const rank = (s: Standing): readonly [number, number] => [verdicts.indexOf(s.verdict), levels.indexOf(s.level)];
    fc.assert(
      fc.property(
        fc.array(fc.tuple(standing, fc.array(fc.nat(6), { maxLength: 3 })), { minLength: 1, maxLength: 7 }),
        (nodes) => {
          // Edges lead to smaller numbers only: no cycles, nothing missing.
          const acyclic = buildDag(
            nodes.map(([, to], i) => ({
              id: `n${i}`,
              dependsOn: to.filter((j) => j < i).map((j) => ({ value: `n${j}` })),
            })),
          );
          const own = new Map(nodes.map(([s], i) => [`n${i}`, s]));
          for (const [id, composed] of composeVerdicts(acyclic, own)) {
            const ranks = [id, ...foundationsOf(acyclic, id)].map((one) => rank(own.get(one) ?? green));
            expect(rank(composed)).toEqual([Math.min(...ranks.map(([v]) => v)), Math.min(...ranks.map(([, l]) => l))]);
          }
        },
      ),
    );
  });
});
