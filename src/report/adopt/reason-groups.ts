/** Why statements are not run, in few words: reasons name what they are about, and a page counts their kinds. */
import type { AdoptedStatement } from './adoption.ts';

/** Statements with one kind of reason. */
export interface ReasonGroup {
  readonly kind: string;
  readonly statements: readonly AdoptedStatement[];
}

const kinds: readonly (readonly [RegExp, string])[] = [
  [/cannot be run, so nothing that uses it can/u, 'they use an equation that cannot be run'],
  [/understood in part/u, 'their equation is understood only in part'],
  [/^nothing declares/u, 'they use a name that nothing declares'],
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
    .map(([kind, of]) => ({ kind, statements: of }))
    .toSorted((a, b) => b.statements.length - a.statements.length || (a.kind < b.kind ? -1 : 1));
}

function kindOf(reason: string): string {
  const own = reason.replace(/^\S+ is not executable: /u, '').replace(/; as far as it is understood, .*$/u, '');
  return kinds.find(([pattern]) => pattern.test(own))?.[1] ?? own;
}
