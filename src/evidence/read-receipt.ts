import { canonicalJson } from '../base/canonical-json.ts';
import { err, ok, type Result } from '../base/result.ts';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { decodeReceipt } from './decode-receipt.ts';
import { receiptDigest, sha256 } from './digest.ts';
import { toJsonForm } from './json-form.ts';
import type { Receipt } from './receipt.ts';
import { isOfOtherVersion, outdated } from './unused-receipts.ts';

/** The text of a receipt's file: canonical JSON of the receipt beside its digest. */
export function writeReceipt(receipt: Receipt): string {
  return `${canonicalJson(toJsonForm({ digest: receiptDigest(receipt), receipt }))}\n`;
}

/**
 * The receipt that `text` holds, when every byte of it is as pv wrote it: PV-6001 not JSON, PV-6002 not this schema,
 * PV-6003 digest does not match, PV-6004 a receipt of another check, PV-6016 as another version of pv wrote it.
 */
export function readReceipt(text: string, path: string, check: string): Result<Receipt, Diagnostic> {
  const parsed = parseJson(text);
  if (!parsed.ok) return err(unusable('PV-6001', path, `the receipt is not whole: ${parsed.error}`));
  const envelope = parsed.value;
  const inner: unknown = isEnvelope(envelope) ? envelope.receipt : undefined;
  const decoded = decodeReceipt(inner);
  if (isEnvelope(envelope) && !decoded.ok && isOfOtherVersion(envelope)) return err(outdated(1, path));
  if (!isEnvelope(envelope) || !decoded.ok) {
    return err(
      unusable(
        'PV-6002',
        path,
        decoded.ok ? 'the file is not a receipt' : `the receipt is not of schema pv.receipt/1: ${decoded.error}`,
      ),
    );
  }
  if (envelope.digest !== digestOfText(text) && envelope.digest !== receiptDigest(decoded.value))
    return err(unusable('PV-6003', path, 'the receipt was changed after it was written: its digest does not match'));
  if (decoded.value.check !== check)
    return err(unusable('PV-6004', path, `the file holds the receipt of another check, ${decoded.value.check}`));
  return ok(decoded.value);
}

/**
 * The digest of a receipt from its file, where it stands as {@link writeReceipt} writes it: canonical JSON without one member is
 * canonical JSON of the rest. Thousands of receipts are read in a run, and writing each of them again takes longer than all else.
 */
function digestOfText(text: string): string | null {
  const [before, after, ...others] = text.split(/,"timing":\{"elapsedMs":[^{}]*\}/u);
  const start = '","receipt":';
  const content = (before ?? '').indexOf(start);
  if (after === undefined || others.length > 0 || content < 0 || !after.endsWith('}\n')) return null;
  return sha256(`${before?.slice(content + start.length)}${after.slice(0, -2)}`);
}

function unusable(code: 'PV-6001' | 'PV-6002' | 'PV-6003' | 'PV-6004', path: string, message: string): Diagnostic {
  return diagnostic(code, null, `${message}; it is not used`, {
    subject: path,
    hint: 'delete the file; the check runs again',
  });
}

function parseJson(text: string): Result<unknown, string> {
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error));
  }
}

function isEnvelope(value: unknown): value is { readonly digest: unknown; readonly receipt: unknown } {
  return typeof value === 'object' && value !== null && Object.keys(value).sort().join() === 'digest,receipt';
}
