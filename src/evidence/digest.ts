import { createHash } from 'node:crypto';
import { canonicalJson } from '../base/canonical-json.ts';
import { toJsonForm } from './json-form.ts';
import type { Receipt } from './receipt.ts';

/** `sha256:` and the hexadecimal digest of the UTF-8 bytes of `text`. */
export function sha256(text: string): string {
  return `sha256:${createHash('sha256').update(text, 'utf8').digest('hex')}`;
}

/** The digest of everything in a receipt but `timing`, over its RFC 8785 canonical JSON. */
export function receiptDigest(receipt: Receipt): string {
  const { timing: _, ...content } = receipt;
  return sha256(canonicalJson(toJsonForm(content)));
}
