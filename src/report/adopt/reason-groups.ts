/** Why statements are not run, in few words: reasons name what they are about, and a page counts their kinds. */
import { listOf } from '../../base/text.ts';
import type { AdoptedStatement } from './adoption.ts';

/** Statements with one kind of reason. */
export interface ReasonGroup {
  readonly kind: string;
  readonly statements: readonly AdoptedStatement[];
}

const undeclared = /^nothing declares (.+)$/u;
const withoutNames = 'they use names that nothing declares';
/** Names of a group are listed up to here. */
const mostNames = 5;

const kinds: readonly (readonly [RegExp, string])[] = [
  [/cannot be run, so nothing that uses it can/u, 'they use an equation that cannot be run'],
  [/understood in part/u, 'their equation is understood only in part'],
  [undeclared, withoutNames],
  [/^its formula is /u, 'the formula of their equation is words, in part or as a whole'],
  [/^its domain is /u, 'the domain of their equation is words, in part or as a whole'],
  [/is prose, so the notation before it/u, 'words follow their notation, so that it is not the whole claim'],
  [/but for one rounding/u, 'they hold over ℝ, and in float32 but for one rounding: they need ≈ and a tolerance'],
  [/states a tolerance that pv does not read/u, 'they state a tolerance that pv does not read'],
  [/less than the tolerance|no more than its tolerance/u, 'they use = or ≤, and are off by less than their tolerance'],
  [/tolerance/u, 'they are approximate and have no tolerance'],
  [/^it is about data of runs/u, 'they are about data of runs: pv check judges them'],
  [/^it is about the distribution/u, 'they are about a distribution: pv audit judges a bound kernel'],
  [/has no value at/u, 'a formula has no value at some input'],
  [/did not end within|time budget|time ran out/u, 'the check ran out of time'],
];

/** The groups, the largest first; what no kind describes is grouped by its own reason. */
export function reasonGroups(statements: readonly AdoptedStatement[]): readonly ReasonGroup[] {
  const groups = new Map<string, AdoptedStatement[]>();
  for (const statement of statements) {
    const kind = kindOf(statement.reason);
    groups.set(kind, [...(groups.get(kind) ?? []), statement]);
  }
  return [...groups]
    .map(([kind, of]) => ({ kind: withNames(kind, of), statements: of }))
    .toSorted((a, b) => b.statements.length - a.statements.length || (a.kind < b.kind ? -1 : 1));
}

/** The kind; with the names, if it is about those that nothing declares. */
function withNames(kind: string, of: readonly AdoptedStatement[]): string {
  if (kind !== withoutNames) return kind;
  const names = new Set(of.flatMap(({ reason }) => undeclared.exec(ownReason(reason))?.[1]?.split(/, | and /u) ?? []));
  const listed = listOf([...names], mostNames);
  return names.size === 1 ? `they use ${listed}, which nothing declares` : `${kind} (${listed})`;
}

const ownReason = (reason: string): string =>
  reason.replace(/^\S+ is not executable: /u, '').replace(/; as far as it is understood, .*$/u, '');

function kindOf(reason: string): string {
  const own = ownReason(reason);
  return kinds.find(([pattern]) => pattern.test(own))?.[1] ?? own;
}
