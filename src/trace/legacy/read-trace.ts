/**
 * Reads a trace file of llama2-rs, of either form, and believes nothing in it that can be computed.
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import { invariant } from '../../base/invariant.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { count } from '../../base/text.ts';
import { hashBytes, sameBytes, type Hash } from '../../merkle/hash.ts';
import type { Problem } from '../../base/problem.ts';
import { bincodeReader } from './read-bincode.ts';
import { legacyTrace, type LegacyEntry, type LegacyForm, type LegacyMetadata, type LegacyTrace } from './trace.ts';

/** The content of a file, before anything is compared. */
interface Content {
  readonly metadata: LegacyMetadata;
  readonly entries: readonly LegacyEntry[];
  readonly leaves: readonly Hash[];
  /** Where the leaves start. */
  readonly leavesOffset: number;
  /** Null if there are no entries. */
  readonly root: Hash | null;
}

/** A kilobyte of memory each: more would end the process. */
const mostEntries = 2 ** 21;

type Parsed = { readonly content: Content } | { readonly problem: Problem; readonly entries: number };

/**
 * The trace in a file that llama2-rs wrote: every leaf is the hash of its entry, and the root that of the leaves.
 *
 * The file does not say its form. Both have a leaf for each entry and a root after the leaves, and an entry takes 40 bytes in
 * one form and 48 or more in the other, so no file with entries is valid in both. One that is valid in neither is a problem
 * with the reason for each; without entries both are the same bytes, and a problem too.
 *
 * Problems: PV-8019 to PV-8029, one for each way to be wrong, with the byte offset.
 */
export function readLegacyTrace(bytes: Uint8Array): Result<LegacyTrace, Problem> {
  const seed = parse(bytes, 'seed');
  if ('content' in seed) return checked(seed.content);
  const head = parse(bytes, 'head');
  if ('content' in head) return checked(head.content);
  // Where the first entry has room for its text, UTF-8 or not, the rest is one too: of a hash's bytes that would be one
  // in 2⁴⁰.
  const hasTexts = head.entries > 0 || head.problem.code === 'PV-8022';
  const [likely, other] = hasTexts ? [head.problem, seed.problem] : [seed.problem, head.problem];
  if (likely.message === other.message) return err(likely);
  const [form, otherForm] = hasTexts ? ['with texts', 'without'] : ['without texts', 'with them'];
  const message = `Read as entries ${form}: ${likely.message} Read as entries ${otherForm}: ${other.message}`;
  return err({ ...likely, message });
}

function parse(bytes: Uint8Array, form: LegacyForm): Parsed {
  const reader = bincodeReader(bytes);
  const modelPath = reader.text('model path');
  const prompt = reader.text('prompt');
  const steps = reader.u64('steps');
  const entryCount = reader.count(
    'number of entries',
    form === 'seed' ? 4 + 4 + hashBytes : 4 + 4 + 8 + hashBytes,
    mostEntries,
  );
  const entries: LegacyEntry[] = [];
  while (entries.length < entryCount && !reader.problem) {
    const at = entries.length;
    const position = reader.i32(`position of entry ${at}`);
    const token = reader.i32(`token of entry ${at}`);
    const text = form === 'seed' ? null : reader.text(`text of entry ${at}`);
    const logitsHash = reader.hash(`logits hash of entry ${at}`);
    if (!reader.problem) entries.push({ position, token, text, logitsHash });
  }
  const countOffset = reader.offset;
  const leafCount = reader.count('number of leaves', hashBytes);
  if (!reader.problem && leafCount !== entryCount)
    return { problem: countProblem(entryCount, leafCount, countOffset), entries: entries.length };
  const leavesOffset = reader.offset;
  const leaves = Array.from({ length: leafCount }, (_, i) => reader.hash(`leaf ${i}`));
  const root = reader.flag('tag of the root') ? reader.hash('root') : null;
  reader.end('the root');
  if (!reader.problem && !root && entryCount > 0)
    return { problem: noRootProblem(entryCount, reader.offset - 1), entries: entries.length };
  if (reader.problem) return { problem: reader.problem, entries: entries.length };
  return { content: { metadata: { modelPath, prompt, steps }, entries, leaves, leavesOffset, root } };
}

function countProblem(entries: number, leaves: number, offset: number): Problem {
  const message = `The file has ${count(entries, 'entry', 'entries')} and ${count(leaves, 'leaf', 'leaves')} (byte ${offset}): each entry has one leaf.`;
  return { code: 'PV-8024', check: 'number of leaves', message, offset, expected: `${entries}`, actual: `${leaves}` };
}

function noRootProblem(entries: number, offset: number): Problem {
  const message = `The file has ${count(entries, 'entry', 'entries')} and no root (byte ${offset}).`;
  return { code: 'PV-8026', check: 'root', message, offset, expected: '01', actual: '00' };
}

/** The trace of the entries, where the file's leaves and root are those of the entries. */
function checked({ metadata, entries, leaves, leavesOffset, root }: Content): Result<LegacyTrace, Problem> {
  const trace = legacyTrace(entries, metadata);
  if (!trace.ok) return trace;
  const wrong = trace.value.leaves.findIndex((leaf, i) => !sameBytes(leaf, leaves[i] ?? new Uint8Array(0)));
  if (wrong >= 0) return err(leafProblem(wrong, leavesOffset, trace.value.leaves[wrong], leaves[wrong]));
  invariant(root, 'where there are entries, there is a root');
  if (sameBytes(root, trace.value.root)) return ok(trace.value);
  const [expected, actual] = [bytesToHex(trace.value.root), bytesToHex(root)];
  const message = `The root is not that of the leaves: they give ${expected}, and the file says ${actual}.`;
  const offset = leavesOffset + leaves.length * hashBytes + 1;
  return err({ code: 'PV-8026', check: 'root', message, offset, expected, actual });
}

function leafProblem(at: number, leavesOffset: number, computed?: Hash, stored?: Hash): Problem {
  const [expected, actual] = [bytesToHex(computed ?? new Uint8Array(0)), bytesToHex(stored ?? new Uint8Array(0))];
  const message = `Entry ${at} and its leaf do not belong together: the entry hashes to ${expected}, and the leaf is ${actual}.`;
  return {
    code: 'PV-8025',
    check: 'leaf hash',
    message,
    position: at,
    offset: leavesOffset + at * hashBytes,
    expected,
    actual,
  };
}
