import type { Term } from '../term/term.ts';
import { partsOf } from '../term/traverse.ts';
import type { Path } from './path.ts';

/** The place of a subterm. Links to the parent instead of whole paths: chains of `let` make paths long. */
export interface Site {
  readonly term: Term;
  readonly parent: Site | null;
  /** In `partsOf` of the parent. */
  readonly position: number;
}

const MOST_NODES_VISITED = 20_000;

/** Subterms from the outside in. Constants in the ranges of loops are left to the edits of the loops. */
export function sitesOf(root: Term): readonly Site[] {
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

/** The positions that lead from the root to the site. */
export function pathOf(site: Site): Path {
  const path: number[] = [];
  for (let at = site; at.parent; at = at.parent) path.push(at.position);
  return path.reverse();
}
