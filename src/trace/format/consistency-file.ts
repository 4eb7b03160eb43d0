/** A consistency proof as a file: JSON with hashes in hexadecimal, read strictly. */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { err, ok, type Result } from '../../base/result.ts';
import { count, list, matching, oneOf, record, type Decoder } from '../../evidence/decoder.ts';
import { parseStrictJson } from '../../base/strict-json.ts';
import type { Hash } from '../../merkle/hash.ts';
import type { ConsistencyProof } from '../../merkle/verify.ts';
import type { Problem } from '../../base/problem.ts';
import { decodeUtf8 } from '../../base/utf8.ts';

const format = 'pv-trace-consistency/1';

/** The text of a proof, with which it can be sent. */
export function formatConsistency({ size1, size2, root1, root2, path }: ConsistencyProof): string {
  const roots = { root1: bytesToHex(root1), root2: bytesToHex(root2) };
  const proof = { format, size1, size2, ...roots, path: path.map((hash) => bytesToHex(hash)) };
  return `${JSON.stringify(proof, null, 2)}\n`;
}

/** The proof in a file of {@link formatConsistency}: PV-8058 if it is malformed. Verifies nothing. */
export function parseConsistency(bytes: Uint8Array): Result<ConsistencyProof, Problem> {
  const json = parse(bytes);
  if (!json.ok) return json;
  const decoded = decode(json.value, 'proof');
  if (!decoded.ok) return malformed(`${decoded.error}.`);
  const { size1, size2, root1, root2, path } = decoded.value;
  return ok({ size1, size2, root1, root2, path });
}

/** Sizes are below 2^53, so that no path has more than 54 hashes of 64 digits. */
const longest = 64 * 1024;

function parse(bytes: Uint8Array): Result<unknown, Problem> {
  if (bytes.length > longest) return malformed(`The proof has more than ${longest} bytes.`);
  const text = decodeUtf8(bytes, 'dropped');
  if (text === null) return malformed('The proof has bytes that are not UTF-8.');
  const json = parseStrictJson(text, 'proof');
  return json.ok ? json : malformed(json.error);
}

const digits = matching(/^[0-9a-f]{64}$/, '32 bytes in lower-case hexadecimal');

const hash: Decoder<Hash> = (value, at) => {
  const found = digits(value, at);
  return found.ok ? ok(hexToBytes(found.value)) : found;
};

const decode = record<ConsistencyProof & { readonly format: typeof format }>({
  format: oneOf(format),
  size1: count,
  size2: count,
  root1: hash,
  root2: hash,
  path: list(hash),
});

function malformed(message: string): Result<never, Problem> {
  return err({ code: 'PV-8058', check: 'proof file', message });
}
