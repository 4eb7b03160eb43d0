/** The tree of a trace while it is recorded. */
import { entryLeaf } from '../format/leaf.ts';
import type { Entry } from '../format/trace.ts';
import { createCompactRange } from '../../merkle/compact-range.ts';
import { leafHash, type Hash } from '../../merkle/hash.ts';
import type { TreeHead } from './sink.ts';

/**
 * A forward pass leaves nothing in the caches: leaves hashed one after the other take a tenth of what each takes after one.
 */
const leavesAtOnce = 64;

/** Size and root so far. */
export interface GrowingTree {
  readonly add: (entry: Entry) => void;
  /** Size and root with all that was added. */
  readonly head: () => TreeHead;
}

/** A tree that has its manifest. Memory does not grow with the entries, except for the last few. */
export function createGrowingTree(manifestHash: Hash): GrowingTree {
  const tree = createCompactRange();
  tree.append(manifestHash);
  const unhashed: Entry[] = [];
  const hashLeaves = (): void => {
    for (const entry of unhashed.splice(0)) tree.append(leafHash(entryLeaf(entry)));
  };
  return {
    add(entry) {
      if (unhashed.push(entry) === leavesAtOnce) hashLeaves();
    },
    head() {
      hashLeaves();
      return { size: tree.size, root: tree.root() };
    },
  };
}
