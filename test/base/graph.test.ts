import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cycles,
  dependenciesFirst,
  reachable,
  reversed,
  stronglyConnectedComponents,
  type Graph,
} from '../../src/base/graph.ts';

const graphOf = (edges: Readonly<Record<string, readonly string[]>>): Graph => new Map(Object.entries(edges));

const anyGraph: fc.Arbitrary<Graph> = fc
  .array(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 4 }), { maxLength: 9 })
  .map((rows) => new Map(rows.map((row, i) => [String(i), row.map(String)])));

function reaches(graph: Graph, from: string, to: string): boolean {
  return (graph.get(from) ?? []).filter((node) => graph.has(node)).some((node) => reachable(graph, [node]).has(to));
}

describe('components', () => {
  it('put two nodes together exactly when each reaches the other', () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        const components = stronglyConnectedComponents(graph);
        expect(components.flat().toSorted()).toEqual([...graph.keys()].toSorted());
        const indexOf = new Map(components.flatMap((members, i) => members.map((member) => [member, i])));
        for (const a of graph.keys()) {
          for (const b of graph.keys())
            if (a !== b) expect(indexOf.get(a) === indexOf.get(b)).toBe(reaches(graph, a, b) && reaches(graph, b, a));
        }
      }),
    );
  });

  it('survive a chain of a hundred thousand', () => {
    const chain = new Map(Array.from({ length: 100_000 }, (_, i) => [String(i), [String(i + 1)]]));
    expect(stronglyConnectedComponents(chain)).toHaveLength(100_000);
    expect(dependenciesFirst(chain)[0]).toBe('99999');
  });
});

describe('dependenciesFirst', () => {
  it('puts every successor before its predecessor, cycles aside', () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        const position = new Map(dependenciesFirst(graph).map((node, i) => [node, i]));
        for (const [node, successors] of graph) {
          for (const successor of successors) {
            if (graph.has(successor) && !reaches(graph, successor, node))
              expect(position.get(successor)).toBeLessThan(position.get(node) ?? -1);
          }
        }
      }),
    );
  });
});

describe('cycles', () => {
  it('are paths of the graph that close, one for each component with one', () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        const found = cycles(graph);
        for (const cycle of found)
          cycle.forEach((node, i) => expect(graph.get(node)).toContain(cycle[(i + 1) % cycle.length]));
        const cyclic = [...graph.keys()].some((node) => reaches(graph, node, node));
        expect(found.length > 0).toBe(cyclic);
      }),
    );
  });

  it('are short', () => {
    expect(cycles(graphOf({ a: ['b', 'c'], b: ['c'], c: ['d'], d: ['a', 'c'] }))).toEqual([['a', 'c', 'd']]);
    expect(cycles(graphOf({ a: ['a'] }))).toEqual([['a']]);
    expect(cycles(graphOf({ a: ['missing'] }))).toEqual([]);
  });
});

describe('reversed', () => {
  it('turns every edge between nodes round', () => {
    expect(reversed(graphOf({ a: ['b', 'x'], b: [] }))).toEqual(graphOf({ a: [], b: ['a'] }));
  });
});
