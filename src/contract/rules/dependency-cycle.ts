import { cycles } from '../../base/graph.ts';
import { diagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Span } from '../../diagnostics/source.ts';
import type { Contract } from '../contract.ts';
import type { SetRule } from './rule.ts';

/** Dependencies form no cycle: a verdict that rests on itself rests on nothing. */
export const dependencyCycle: SetRule = {
  name: 'dependency-cycle',
  check: ({ contracts }) => {
    const byId = new Map(contracts.map((contract) => [contract.id, contract]));
    const graph = new Map(
      contracts.map((contract) => [contract.id, contract.dependsOn.map((dependency) => dependency.value)]),
    );
    return cycles(graph).flatMap((cycle) => report(cycle, byId) ?? []);
  },
};

function report(cycle: readonly string[], byId: ReadonlyMap<string, Contract>): Diagnostic | null {
  const edges = cycle.map((from, i) => ({ from, to: cycle[(i + 1) % cycle.length] ?? from }));
  const places = edges.flatMap((edge) => placeOf(byId.get(edge.from), edge.to) ?? []);
  const [first, ...rest] = places;
  if (!first) return null;
  return diagnostic('PV-3002', first.span, `Contracts depend on each other: ${[...cycle, cycle[0]].join(' → ')}`, {
    hint: 'Remove one of these dependencies.',
    related: rest,
  });
}

function placeOf(contract: Contract | undefined, to: string): { readonly message: string; readonly span: Span } | null {
  const dependency = contract?.dependsOn.find((candidate) => candidate.value === to);
  return dependency ? { message: `depends on ${to}`, span: dependency.span } : null;
}
