import { sha256 as hash } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from '../base/canonical-json.ts';
import { toJsonForm } from './json-form.ts';
import type { Receipt } from './receipt.ts';

/**
 * `sha256:` and the hexadecimal digest of the UTF-8 bytes of `text`; a lone surrogate counts as U+FFFD.
 *
 * In JavaScript, not `node:crypto`, so that the same code verifies a receipt in a browser. pv hashes about
 * one megabyte in an audit of its own contracts, which costs 0.04 s more than natively (docs/bench.md).
 */
export function sha256(text: string): string {
  return `sha256:${bytesToHex(hash(utf8ToBytes(text)))}`;
}

/** The digest of a receipt without `timing`, over its RFC 8785 canonical JSON. */
export function receiptDigest(receipt: Receipt): string {
  const { timing: _, ...content } = receipt;
  return sha256(canonicalJson(toJsonForm(content)));
}
