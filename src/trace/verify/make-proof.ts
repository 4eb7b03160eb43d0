/** The proof of one leaf of a trace, as a file that discloses that leaf and no other (C2SP tlog-proof). */
import { bytesToHex } from '@noble/hashes/utils.js';
import { err, ok, type Result } from '../../base/result.ts';
import { count } from '../../base/text.ts';
import { leafBytes, treeOf } from '../format/leaves.ts';
import type { Trace } from '../format/trace.ts';
import { leafHash, sameBytes } from '../../merkle/hash.ts';
import type { MerkleTree } from '../../merkle/tree.ts';
import type { Problem } from '../../base/problem.ts';
import { formatCheckpoint } from '../../notes/checkpoint.ts';
import { formatProof } from '../../notes/proof-file.ts';
import { readCheckpoint } from '../../notes/tree-head.ts';

/**
 * Proves leaf `index` (0 is the manifest; `leafIndexAt` finds that of a position).
 *
 * With a `checkpoint`, signed or not, the proof is for its size, which may be one that the trace has outgrown, and its
 * root must be the trace's at that size (PV-8059). Without one the proof states size and root of the whole trace,
 * unsigned.
 */
export function makeProof(trace: Trace, index: number, checkpoint: string | null): Result<string, Problem> {
  const tree = treeOf(trace);
  const head = readHead(trace, tree, checkpoint);
  if (!head.ok) return head;
  const { size, root, text } = head.value;
  if (size < 1 || size > tree.size) {
    const message = `The checkpoint counts ${count(size, 'leaf', 'leaves')}, and the trace has ${tree.size}: it is of another trace.`;
    const details = { expected: `1 to ${tree.size}`, actual: String(size) };
    return err({ code: 'PV-8059', check: 'checkpoint size', message, ...details });
  }
  const own = tree.root(size);
  if (root !== null && !sameBytes(root, own)) {
    const [expected, actual] = [bytesToHex(own), bytesToHex(root)];
    const message = `The checkpoint has another root than the first ${count(size, 'leaf', 'leaves')} of the trace: it is of another trace.`;
    return err({ code: 'PV-8059', check: 'checkpoint root', message, expected, actual });
  }
  if (!Number.isInteger(index) || index < 0 || index >= size) {
    const message = `There is no leaf ${index} among the ${size} that the proof would be for.`;
    return err({ code: 'PV-8068', check: 'leaf index', message, expected: `0 to ${size - 1}`, actual: String(index) });
  }
  const path = tree.inclusionPath(index, size);
  return ok(formatProof({ extra: leafBytes(trace, index), index, path, checkpoint: text }));
}

interface Head {
  readonly size: number;
  /** Null if the head is the trace's own. */
  readonly root: Uint8Array | null;
  readonly text: string;
}

function readHead(trace: Trace, tree: MerkleTree, checkpoint: string | null): Result<Head, Problem> {
  if (checkpoint !== null) {
    const found = readCheckpoint(checkpoint);
    if (!found.ok) return found;
    const { size, root } = found.value.checkpoint;
    return ok({ size, root, text: checkpoint });
  }
  const { size } = tree;
  // A name that identifies the trace, for the line that the standard requires.
  const origin = `trace/${bytesToHex(leafHash(leafBytes(trace, 0)))}`;
  const text = formatCheckpoint({ origin, size, root: tree.root(), extensions: [] });
  return text.ok ? ok({ size, root: null, text: text.value }) : text;
}
