import { canonicalJson } from '../base/canonical-json.ts';
import { err, ok, type Result } from '../base/result.ts';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { decodeReceipt } from './decode-receipt.ts';
import { record, text } from './decoder.ts';
import { receiptDigest, sha256 } from './digest.ts';
import { toJsonForm } from './json-form.ts';
import type { Receipt } from './receipt.ts';
import { isOfOtherVersion, outdated } from './unused-receipts.ts';

/** The text of a receipt's file: canonical JSON of the receipt and its digest. */
export function writeReceipt(receipt: Receipt): string {
  return `${canonicalJson(toJsonForm({ digest: receiptDigest(receipt), receipt }))}\n`;
}

/**
 * The receipt in `content`, if every byte is as pv wrote it: PV-6001 not JSON, PV-6002 not this schema,
 * PV-6003 digest does not match, PV-6004 a receipt of another check, PV-6016 as another version of pv wrote it.
 */
export function readReceipt(content: string, path: string, check: string): Result<Receipt, Diagnostic> {
  const parsed = parseJson(content);
  if (!parsed.ok) return err(unusable('PV-6001', path, `the receipt is not whole: ${parsed.error}`));
  const opened = envelope(parsed.value, 'file');
  if (!opened.ok) return err(unusable('PV-6002', path, `the file is not a receipt: ${opened.error}`));
  const { digest, receipt } = opened.value;
  const decoded = decodeReceipt(receipt);
  if (!decoded.ok)
    return err(
      isOfOtherVersion(digest, receipt)
        ? outdated(1, path)
        : unusable('PV-6002', path, `the receipt is not of schema pv.receipt/1: ${decoded.error}`),
    );
  if (digest !== digestOfText(content))
    return err(unusable('PV-6003', path, 'the receipt was changed after it was written: its digest does not match'));
  if (decoded.value.check !== check)
    return err(unusable('PV-6004', path, `the file holds the receipt of another check, ${decoded.value.check}`));
  return ok(decoded.value);
}

const envelope = record<{ readonly digest: string; readonly receipt: unknown }>({ digest: text, receipt: ok });

/** A file as {@link writeReceipt} writes it, around the timing. */
const aroundTiming = /^\{"digest":"[^"]*","receipt":(.*),"timing":\{"elapsedMs":[^{}]*\}(.*)\}\n$/su;

/**
 * The digest of a receipt from the text of its file: canonical JSON without one member is canonical JSON of the rest. A run
 * reads thousands of receipts, and serialising each of them again would take longer than everything else. Null for any other
 * text.
 */
function digestOfText(content: string): string | null {
  const parts = aroundTiming.exec(content);
  return parts && sha256(`${parts[1]}${parts[2]}`);
}

function unusable(code: 'PV-6001' | 'PV-6002' | 'PV-6003' | 'PV-6004', path: string, message: string): Diagnostic {
  return diagnostic(code, null, `${message}; it is not used`, {
    subject: path,
    hint: 'delete the file; the check runs again',
  });
}

function parseJson(content: string): Result<unknown, string> {
  try {
    return ok(JSON.parse(content));
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error));
  }
}
