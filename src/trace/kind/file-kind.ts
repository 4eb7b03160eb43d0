import { magic } from '../format/frame.ts';
import { isModelHeader } from '../model/checkpoint.ts';
import { isTokenizerStart } from '../model/tokenizer.ts';
import { foreignFormat } from './foreign-format.ts';
import type { FileKind } from './kind.ts';
import { textKind } from './text-kind.ts';

/** What a file seems to be, judged only by its first bytes; nothing is verified. */
export function fileKind(bytes: Uint8Array): FileKind {
  if (bytes.length === 0) return { name: 'an empty file' };
  if (startsLikeTrace(bytes)) return { role: 'trace' };
  const foreign = foreignFormat(bytes);
  if (foreign !== null) return { name: foreign };
  const isLegacy = startsLikeLegacy(bytes);
  const text = isLegacy ? null : textKind(bytes);
  if (text !== null) return text;
  if (isModelHeader(bytes)) return { role: 'model' };
  if (isTokenizerStart(bytes)) return { role: 'tokenizer' };
  if (isLegacy) return isLegacyProof(bytes) ? { role: 'proof' } : null;
  return 'binary';
}

/** The magic of v2, up to half of which may be damaged: the reader says where. */
export function startsLikeTrace(bytes: Uint8Array): boolean {
  const start = Math.min(bytes.length, magic.length);
  const same = magic.filter((byte, i) => bytes[i] === byte).length;
  return start > 0 && same >= Math.min(start, 4);
}

/** llama2-rs starts with a length or an index in eight bytes, of which nearly all are 0. */
export function startsLikeLegacy(bytes: Uint8Array): boolean {
  const first = bytes.subarray(0, 8);
  return first.filter((byte) => byte === 0).length >= Math.max(1, first.length - 3);
}

/** Index, leaf, number of siblings, siblings of 33 bytes, root: no trace has the number at this place. */
function isLegacyProof(bytes: Uint8Array): boolean {
  const [fixed, sibling] = [8 + 32 + 8 + 32, 33];
  if (bytes.length < fixed || (bytes.length - fixed) % sibling !== 0) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return view.getBigUint64(40, true) === BigInt((bytes.length - fixed) / sibling);
}
