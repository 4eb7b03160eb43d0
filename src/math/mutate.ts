import { printTerm } from './print-term.ts';
import type { EquationMathematics } from './compile/model.ts';
import { termProblem } from './evaluate/limits.ts';
import { dropParameter } from './mutate/drop-parameter.ts';
import { editsOf } from './mutate/edits.ts';
import { replaceAt, type Path } from './mutate/path.ts';
import { termKey } from './term-key.ts';
import type { Term } from './term.ts';
import { partsOf } from './traverse.ts';

export interface EquationMutant<M extends EquationMathematics> {
  /** Stable for an unchanged equation: `equation/drop-right@1.0`. */
  readonly id: string;
  /** `equation: x_i - max_{k<n} x_k → x_i`. */
  readonly description: string;
  readonly model: M;
}

export interface MutationOptions {
  /** At most so many, taken evenly from all when there are more. */
  readonly limit?: number;
}

interface Candidate {
  readonly kind: string;
  /** null for an edit of the whole equation. */
  readonly site: Site | null;
  readonly description: string;
  /** Built only when the candidate is chosen. */
  readonly body: () => Term;
}

const DEFAULT_LIMIT = 400;
const MOST_NODES_VISITED = 20_000;
const LONGEST_SIDE = 60;

/**
 * Wrong variants of an equation: a claim that holds for one of them does not pin the equation down.
 *
 * No two have the same structure and none has the structure of the original; some may still be equal to it
 * in value (`max(x)` subtracted or not gives the same softmax).
 * An equation that is too large to compile (see `equationProblem`) has none.
 */
export function mutateEquation<M extends EquationMathematics>(
  model: M,
  { limit = DEFAULT_LIMIT }: MutationOptions = {},
): EquationMutant<M>[] {
  if (termProblem(model.body) !== null) return [];
  const seen = new Set([termKey(model.body)]);
  const mutants: EquationMutant<M>[] = [];
  for (const candidate of evenly(candidatesOf(model), limit)) {
    const body = candidate.body();
    const key = termKey(body);
    if (seen.has(key)) continue;
    seen.add(key);
    mutants.push({ id: idOf(candidate), description: candidate.description, model: { ...model, body } });
  }
  return mutants;
}

function idOf({ kind, site }: Candidate): string {
  return site ? `equation/${kind}@${pathOf(site).join('.')}` : `equation/${kind}`;
}

function candidatesOf(model: EquationMathematics): Candidate[] {
  const edits = sitesOf(model.body).flatMap((site) =>
    editsOf(site.term).map(({ kind, replacement }): Candidate => ({
      kind,
      site,
      description: `equation: ${printTerm(site.term, LONGEST_SIDE)} → ${printTerm(replacement, LONGEST_SIDE)}`,
      body: () => replaceAt(model.body, pathOf(site), replacement),
    })),
  );
  const drops = model.parameters.flatMap(({ name }) =>
    ([0, 1] as const).map((value): Candidate => ({
      kind: `ignore-${name}-as-${value}`,
      site: null,
      description: `equation: ${name} → ${value}`,
      body: () => dropParameter(model.body, name, value),
    })),
  );
  return [...drops, ...edits];
}

/** Links to the parent instead of whole paths: chains of `let` make paths long. */
interface Site {
  readonly term: Term;
  readonly parent: Site | null;
  /** In `partsOf` of the parent. */
  readonly position: number;
}

/** Subterms from the outside in. Constants in the ranges of loops are left to the edits of the loops. */
function sitesOf(root: Term): readonly Site[] {
  const sites: Site[] = [{ term: root, parent: null, position: 0 }];
  for (let k = 0; k < sites.length && sites.length < MOST_NODES_VISITED; k++) {
    const parent = sites[k];
    if (!parent) break;
    const { term } = parent;
    const ranges = term.kind === 'tabulate' || term.kind === 'reduce' ? 2 * term.binders.length : 0;
    partsOf(term).forEach((part, position) => {
      if (position >= ranges) sites.push({ term: part, parent, position });
    });
  }
  return sites;
}

function pathOf(site: Site): Path {
  const path: number[] = [];
  for (let at = site; at.parent; at = at.parent) path.push(at.position);
  return path.reverse();
}

function evenly<T>(items: readonly T[], limit: number): readonly T[] {
  if (items.length <= limit) return items;
  return Array.from({ length: limit }, (_, k) => items[Math.floor((k * items.length) / limit)]).filter(
    (item) => item !== undefined,
  );
}
