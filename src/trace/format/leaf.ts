/**
 * The bytes that a leaf of a trace's tree commits to: one byte string for one entry, read back strictly.
 *
 * All numbers are little-endian.
 *
 *     manifest   00 ‖ RFC 8785 JSON (UTF-8)
 *     step       01 ‖ position u32 ‖ input token u32 ‖ output token u32 (ffffffff: not recorded) ‖ logits hash [32]
 *                   ‖ k u16 ‖ k × (token u32 ‖ logit f32) ‖ log-sum-exp f32 (only where k > 0)
 *     gap        02 ‖ position u32 ‖ count u32
 *
 * The first byte keeps the three apart, and each length follows from the bytes before it, so that no leaf is the
 * beginning of another. RFC 6962 puts its own 00 before all of it when it hashes a leaf.
 */
import { invariant } from '../../base/invariant.ts';
import { ok, type Result } from '../../base/result.ts';
import { count } from '../../base/text.ts';
import { hashBytes } from '../../merkle/hash.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { checkGap, checkStep } from './entry.ts';
import { noToken } from './limits.ts';
import { decodeManifest } from './manifest.ts';
import { plainBytes } from './plain-bytes.ts';
import type { Entry, Gap, Manifest, Sketch, Step } from './trace.ts';

/** The content of a leaf: the manifest (leaf 0), a step or a gap. */
export type Leaf = { readonly kind: 'manifest'; readonly manifest: Manifest } | Entry;

const tags = { manifest: 0, step: 1, gap: 2 } as const;
const sketchAt = 1 + 3 * 4 + hashBytes;
const stepHead = sketchAt + 2;
const gapBytes = 1 + 2 * 4;

/** The leaf of index 0; `json` is the manifest's encoding. */
export function manifestLeaf(json: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(1 + json.length);
  bytes[0] = tags.manifest;
  bytes.set(json, 1);
  return bytes;
}

/** The leaf of a step or gap whose numbers are in range. */
export function entryLeaf(entry: Entry): Uint8Array {
  return entry.kind === 'step' ? stepLeaf(entry) : gapLeaf(entry);
}

function stepLeaf(step: Step): Uint8Array {
  invariant(step.logitsHash.length === hashBytes, 'a logits hash has 32 bytes');
  const k = step.sketch?.ids.length ?? 0;
  const bytes = new Uint8Array(stepBytes(k));
  const view = new DataView(bytes.buffer);
  bytes[0] = tags.step;
  view.setUint32(1, step.position, true);
  view.setUint32(5, step.inputToken, true);
  view.setUint32(9, step.outputToken ?? noToken, true);
  bytes.set(step.logitsHash, 13);
  view.setUint16(sketchAt, k, true);
  if (step.sketch === null) return bytes;
  for (let i = 0; i < k; i++) {
    view.setUint32(stepHead + 8 * i, step.sketch.ids[i] ?? 0, true);
    view.setFloat32(stepHead + 8 * i + 4, step.sketch.logits[i] ?? 0, true);
  }
  view.setFloat32(stepHead + 8 * k, step.sketch.logSumExp, true);
  return bytes;
}

function gapLeaf(gap: Gap): Uint8Array {
  const bytes = new Uint8Array(gapBytes);
  const view = new DataView(bytes.buffer);
  bytes[0] = tags.gap;
  view.setUint32(1, gap.position, true);
  view.setUint32(5, gap.count, true);
  return bytes;
}

const stepBytes = (k: number): number => stepHead + (k === 0 ? 0 : 8 * k + 4);

/** Decodes a leaf's bytes strictly: complete, with nothing after them, every number in its range. */
export function decodeLeaf(leaf: Uint8Array): Result<Leaf, Problem> {
  const bytes = plainBytes(leaf);
  switch (bytes[0]) {
    case tags.manifest: {
      const manifest = decodeManifest(bytes.subarray(1));
      return manifest.ok ? ok({ kind: 'manifest', manifest: manifest.value }) : manifest;
    }
    case tags.step:
      return decodeStep(bytes);
    case tags.gap:
      return decodeGap(bytes);
    case undefined:
      return wrong('PV-8037', 'leaf', 'The leaf is empty.', { expected: 'at least 1 byte', actual: '0 bytes' });
    default:
      return wrong('PV-8037', 'leaf kind', 'The leaf is neither a manifest nor a step nor a gap.', {
        offset: 0,
        expected: '00, 01 or 02',
        actual: (bytes[0] ?? 0).toString(16).padStart(2, '0'),
      });
  }
}

function decodeStep(bytes: Uint8Array): Result<Step, Problem> {
  const view = viewOf(bytes);
  const k = bytes.length < stepHead ? 0 : view.getUint16(sketchAt, true);
  if (bytes.length !== stepBytes(k)) return wrongLength('step', stepBytes(k), bytes.length);
  const output = view.getUint32(9, true);
  const step: Step = {
    kind: 'step',
    position: view.getUint32(1, true),
    inputToken: view.getUint32(5, true),
    outputToken: output === noToken ? null : output,
    logitsHash: bytes.slice(13, 13 + hashBytes),
    sketch: k === 0 ? null : decodeSketch(view, k),
  };
  const checked = checkStep(step);
  return checked.ok ? ok(step) : checked;
}

function decodeSketch(view: DataView, k: number): Sketch {
  const ids: number[] = [];
  const logits: number[] = [];
  for (let i = 0; i < k; i++) {
    ids.push(view.getUint32(stepHead + 8 * i, true));
    logits.push(view.getFloat32(stepHead + 8 * i + 4, true));
  }
  return { ids, logits, logSumExp: view.getFloat32(stepHead + 8 * k, true) };
}

function decodeGap(bytes: Uint8Array): Result<Gap, Problem> {
  if (bytes.length !== gapBytes) return wrongLength('gap', gapBytes, bytes.length);
  const view = viewOf(bytes);
  const gap: Gap = { kind: 'gap', position: view.getUint32(1, true), count: view.getUint32(5, true) };
  const checked = checkGap(gap);
  return checked.ok ? ok(gap) : checked;
}

function wrongLength(kind: string, expected: number, actual: number): Result<never, Problem> {
  const how = actual < expected ? 'ends early' : 'has trailing bytes';
  return wrong('PV-8037', 'leaf length', `The leaf of a ${kind} ${how}.`, {
    offset: Math.min(expected, actual),
    expected: count(expected, 'byte'),
    actual: count(actual, 'byte'),
  });
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
