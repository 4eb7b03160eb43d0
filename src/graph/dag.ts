/**
 * The verification graph: contracts and what they rest on.
 *
 * Edges point from a contract to the contracts that it depends on. A text that reads `softmax ← attention` has the edge attention → softmax.
 */
import { compareText } from '../base/text.ts';
import { reachable, reversed, stronglyConnectedComponents, type Graph } from '../base/graph.ts';

/** What the graph needs to know of a contract; {@link Contract} has it. */
export interface DagContract {
  readonly id: string;
  readonly dependsOn: readonly { readonly value: string }[];
}

interface DagEdge {
  readonly from: string;
  readonly to: string;
  /** No contract named `to` was read. */
  readonly missing: boolean;
}

/** The dependencies between contracts, in an order in which each follows what it needs. */
export interface Dag {
  /** Every contract after all that it depends on; ties, and the members of cycles, in order of their ids. */
  readonly order: readonly string[];
  /** Sorted by `from`, then `to`; no duplicates. */
  readonly edges: readonly DagEdge[];
  /** Groups of contracts that depend on each other, each sorted; a contract that names itself is a group of one. */
  readonly cycles: readonly (readonly string[])[];
  /** Contracts read, by id → ids they depend on that were read. */
  readonly dependencies: Graph;
  /** Contracts read, by id → contracts that name them in `depends_on`. */
  readonly dependents: Graph;
}

/** The graph of `contracts`. If two contracts have one id, their edges are merged (the reader reports them). */
export function buildDag(contracts: readonly DagContract[]): Dag {
  const ids = [...new Set(contracts.map((contract) => contract.id))].sort(compareText);
  const edges = edgesOf(contracts, new Set(ids));
  const dependencies = dependenciesOf(ids, edges);
  const components = stronglyConnectedComponents(dependencies).map((group) => [...group].sort(compareText));
  return {
    order: components.flat(),
    edges,
    cycles: components.filter((group) => group.some((id) => group.length > 1 || dependencies.get(id)?.includes(id))),
    dependencies,
    dependents: reversed(dependencies),
  };
}

/**
 * The contracts to verify again when those in `changed` change: they and everything that rests on them, directly or not,
 * in the order in which they must be verified. Ids that were not read are taken for removed contracts, whose dependents
 * are included.
 */
export function impactOf(dag: Dag, changed: Iterable<string>): readonly string[] {
  const touched = new Set(changed);
  for (const edge of dag.edges) if (edge.missing && touched.has(edge.to)) touched.add(edge.from);
  const reached = reachable(dag.dependents, touched);
  return dag.order.filter((id) => reached.has(id));
}

/** Everything that `id` rests on, directly or not, without itself unless it is in a cycle; in the order of verification. */
export function foundationsOf(dag: Dag, id: string): readonly string[] {
  const below = reachable(dag.dependencies, dag.dependencies.get(id) ?? []);
  return dag.order.filter((one) => below.has(one));
}

function edgesOf(contracts: readonly DagContract[], read: ReadonlySet<string>): readonly DagEdge[] {
  const edges = new Map<string, DagEdge>();
  for (const { id: from, dependsOn } of contracts) {
    for (const { value: to } of dependsOn) edges.set(JSON.stringify([from, to]), { from, to, missing: !read.has(to) });
  }
  return [...edges.values()].sort((a, b) => compareText(a.from, b.from) || compareText(a.to, b.to));
}

function dependenciesOf(ids: readonly string[], edges: readonly DagEdge[]): Graph {
  const all = new Map<string, string[]>(ids.map((id) => [id, []]));
  for (const { from, to, missing } of edges) if (!missing) all.get(from)?.push(to);
  return all;
}
