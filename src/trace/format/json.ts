/**
 * A trace as JSON, for people and other programs: everything of its file, hashes in hexadecimal, and as strictly read.
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import { canonicalJson, type JsonObject } from '../../base/canonical-json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { shortened } from '../../base/text.ts';
import { count, finite, list, matching, nullable, oneOf, record, type Decoder } from '../../evidence/decoder.ts';
import { hashBytes, sameBytes, type Hash } from '../../merkle/hash.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { fromHex } from '../../base/hex.ts';
import { treeOf } from './leaves.ts';
import { checkpointBytesLimit, sketchLimit } from './limits.ts';
import { parseManifest } from './manifest.ts';
import { admitAll } from './sequence.ts';
import { parseStrictJson } from '../../base/strict-json.ts';
import type { Entry, Sketch, TraceFile } from './trace.ts';

/**
 * The text of a trace, the same for the same trace: RFC 8785 (sorted keys, no white space), except for a line of its own for
 * each entry, and a line end. It must be complete, or be marked incomplete, like its file.
 */
export function toJson(trace: TraceFile): string {
  const entries = trace.entries.map((entry) => canonicalJson(jsonOf(entry)));
  const members: readonly (readonly [string, string])[] = [
    ['checkpoint', canonicalJson(trace.checkpoint)],
    ['complete', canonicalJson(trace.complete)],
    ['droppedBytes', canonicalJson(trace.droppedBytes)],
    ['entries', entries.length === 0 ? '[]' : `[\n${entries.join(',\n')}\n]`],
    ['format', canonicalJson('pv-trace-json/2')],
    // A manifest is JSON by its type; the compiler gives interfaces no index signature.
    ['manifest', canonicalJson(trace.manifest as unknown as JsonObject)],
    ['root', canonicalJson(bytesToHex(trace.root))],
    ['size', canonicalJson(trace.size)],
  ];
  return `{${members.map(([key, value]) => `"${key}":${value}`).join(',')}}\n`;
}

function jsonOf(entry: Entry): JsonObject {
  if (entry.kind === 'gap') return { kind: 'gap', position: entry.position, count: entry.count };
  const { position, inputToken, outputToken, logitsHash, sketch } = entry;
  return {
    kind: 'step',
    position,
    inputToken,
    outputToken,
    logitsHash: bytesToHex(logitsHash),
    sketch: sketch === null ? null : { ids: sketch.ids, logits: sketch.logits, logSumExp: sketch.logSumExp },
  };
}

/** The trace in a text of {@link toJson}, in any order and spacing: size and root must be those of its entries. */
export function fromJson(text: string): Result<TraceFile, Problem> {
  const json = parseStrictJson(text, 'trace');
  if (!json.ok) return wrong('PV-8045', 'JSON', json.error);
  const decoded = decode(json.value, 'trace');
  if (!decoded.ok) return wrong('PV-8045', 'JSON', shortened(`${decoded.error}.`));
  const { entries, size, root, checkpoint, complete, droppedBytes } = decoded.value;
  const manifest = parseManifest(decoded.value.manifest);
  if (!manifest.ok) return manifest;
  const admitted = admitAll(manifest.value, entries);
  if (!admitted.ok) return admitted;
  const tree = treeOf({ manifest: manifest.value, entries });
  if (size !== tree.size) {
    const message = 'The JSON holds another number of entries than it counts.';
    return wrong('PV-8042', 'number of leaves', message, { expected: String(size), actual: String(tree.size) });
  }
  if (!sameBytes(root, tree.root())) {
    const details = { expected: bytesToHex(root), actual: bytesToHex(tree.root()) };
    return wrong('PV-8043', 'root', 'The entries of the JSON have another root than it names.', details);
  }
  if (complete ? droppedBytes !== 0 : checkpoint !== null) {
    return wrong(
      'PV-8045',
      'complete',
      'A complete trace has dropped no bytes; one that is incomplete has no checkpoint.',
    );
  }
  return ok({ manifest: manifest.value, entries, size, root, checkpoint, complete, droppedBytes });
}

/** A trace whose manifest is not looked at yet. */
interface Decoded extends Omit<TraceFile, 'manifest'> {
  readonly format: 'pv-trace-json/2';
  readonly manifest: unknown;
}

const digits = matching(/^[0-9a-f]{64}$/, `${hashBytes} bytes in lower-case hexadecimal`);

const hash: Decoder<Hash> = (value, at) => {
  const found = digits(value, at);
  return found.ok ? ok(fromHex(found.value) ?? new Uint8Array(0)) : found;
};

const sketch = record<Sketch>({
  ids: list(count, sketchLimit),
  logits: list(finite, sketchLimit),
  logSumExp: finite,
});

type Of<K extends Entry['kind']> = Extract<Entry, { kind: K }>;

const step = record<Of<'step'>>({
  kind: oneOf('step'),
  position: count,
  inputToken: count,
  outputToken: nullable(count),
  logitsHash: hash,
  sketch: nullable(sketch),
});

const gap = record<Of<'gap'>>({ kind: oneOf('gap'), position: count, count });

const entry: Decoder<Entry> = (value, at) => {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return err(`${at}.kind is missing`);
  return value.kind === 'gap' ? gap(value, at) : step(value, at);
};

/** Stored as UTF-8; an empty text means none. */
const note: Decoder<string> = (value, at) => {
  const isNote = typeof value === 'string' && value !== '' && !/\p{Surrogate}/u.test(value);
  return isNote && new TextEncoder().encode(value).length <= checkpointBytesLimit
    ? ok(value)
    : err(`${at} is not a text of 1 to ${checkpointBytesLimit} bytes`);
};

const decode = record<Decoded>({
  format: oneOf('pv-trace-json/2'),
  manifest: ok,
  entries: list(entry),
  size: count,
  root: hash,
  checkpoint: nullable(note),
  complete: (value, at) => (typeof value === 'boolean' ? ok(value) : err(`${at} is neither true nor false`)),
  droppedBytes: count,
});
