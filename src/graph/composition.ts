import { stronglyConnectedComponents } from '../base/graph.ts';
import { invariant } from '../base/invariant.ts';
import { isGreen, type Level, type Verdict } from '../evidence/verdict.ts';
import { lowerLevel, weakerVerdict } from '../evidence/verdict-order.ts';
import type { Dag } from './dag.ts';

/** How far a contract is verified. */
export interface Standing {
  readonly verdict: Verdict;
  readonly level: Level;
}

/** The standing of a contract together with everything that it depends on. */
export interface Composed extends Standing {
  /** Why the contract ranks lower than its own claims; null if it does not. */
  readonly reason: string | null;
}

/**
 * What each contract may claim given what it rests on: never a better verdict or level than the weakest of its dependencies.
 *
 * A dependency that was not read is `undetermined`, and so is every member of a cycle: circular evidence proves nothing.
 * `own` holds every contract of the graph. A contract that has reached `highestLevel`, the highest it can have, does not limit
 * those that depend on it: contracts over data have no level above L2.
 */
export function composeVerdicts(
  dag: Dag,
  own: ReadonlyMap<string, Standing>,
  highestLevel: (id: string) => Level = () => top,
): ReadonlyMap<string, Composed> {
  const composed = new Map<string, Composed>();
  const circular = new Set(dag.cycles.flat());
  for (const group of stronglyConnectedComponents(dag.dependencies)) {
    const burdens = group.flatMap((id) => burdensFromOutside(dag, id, group, { composed, highestLevel }));
    if (group.some((id) => circular.has(id))) burdens.push(...circularBurdens(group, own));
    for (const id of group) composed.set(id, burdens.reduce<Composed>(lower, { ...standingOf(id, own), reason: null }));
  }
  return composed;
}

const top: Level = 'L5';

function circularBurdens(group: readonly string[], own: ReadonlyMap<string, Standing>): readonly Burden[] {
  const because = 'it depends on itself through other contracts';
  return [
    { verdict: 'undetermined', level: 'L0', because },
    ...group.map((id) => ({ ...standingOf(id, own), because })),
  ];
}

interface Burden extends Standing {
  readonly because: string;
}

function burdensFromOutside(
  dag: Dag,
  id: string,
  group: readonly string[],
  {
    composed,
    highestLevel,
  }: { readonly composed: ReadonlyMap<string, Composed>; readonly highestLevel: (id: string) => Level },
): Burden[] {
  const missing = dag.edges.filter((edge) => edge.from === id && edge.missing);
  const read = (dag.dependencies.get(id) ?? []).filter((dependency) => !group.includes(dependency));
  return [
    ...missing.map(({ to }): Burden => ({ verdict: 'undetermined', level: 'L0', because: `${to} was not read` })),
    ...read.flatMap((dependency): Burden[] => {
      const standing = composed.get(dependency);
      invariant(standing, 'dependencies are composed first');
      const level = standing.level === highestLevel(dependency) ? top : standing.level;
      return [{ verdict: standing.verdict, level, because: `${dependency} is ${described(standing)}` }];
    }),
  ];
}

const described = ({ verdict, level }: Standing): string =>
  isGreen(verdict) ? `${verdict} at ${level} only` : verdict;

function lower(a: Composed, b: Burden): Composed {
  const verdict = weakerVerdict(a.verdict, b.verdict);
  const level = lowerLevel(a.level, b.level);
  return verdict === a.verdict && level === a.level ? a : { verdict, level, reason: b.because };
}

function standingOf(id: string, own: ReadonlyMap<string, Standing>): Standing {
  const standing = own.get(id);
  invariant(standing, 'every contract of the graph has a standing of its own');
  return standing;
}
