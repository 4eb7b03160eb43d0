/** Stored evidence that is intact but does not count: from other versions of pv, or from other users. */
import { canonicalJson } from '../base/canonical-json.ts';
import { count } from '../base/text.ts';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { sha256 } from './digest.ts';
import { toJsonForm } from './json-form.ts';
import { untrusted } from './trust.ts';

const outdatedHint = 'their checks run again; pv audit --fresh writes all of them anew';

/** `3 receipts of another version of pv are not used`. */
function outdatedMessage(receipts: number): string {
  return `${count(receipts, 'receipt')} of another version of pv ${receipts === 1 ? 'is' : 'are'} not used`;
}

/** Whether `digest` covers everything in `receipt`, which is then as some version of pv wrote it. */
export function isOfOtherVersion(digest: string, receipt: unknown): boolean {
  if (typeof receipt !== 'object' || receipt === null || !('timing' in receipt) || !nestsAtMost(receipt, deepest))
    return false;
  const { timing: _, ...content } = receipt;
  return digest === sha256(canonicalJson(toJsonForm(content)));
}

/** Receipts nest only a few levels. */
const deepest = 32;

function nestsAtMost(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => nestsAtMost(member, levels - 1));
}

/**
 * The findings, with those about unused records merged into one per code: a new version, or another user, makes all of them
 * unused at once.
 */
export function inOne(diagnostics: readonly Diagnostic[], directory: string): readonly Diagnostic[] {
  const of = (code: string): number => diagnostics.filter((found) => found.code === code).length;
  const merged = unused.filter(({ code }) => of(code) > 1);
  const others = diagnostics.filter(({ code }) => !merged.some((one) => one.code === code));
  return [...others, ...merged.map(({ code, finding }) => finding(of(code), directory))];
}

type Unused = (records: number, subject: string) => Diagnostic;

/** PV-6016. */
export const outdated: Unused = (records, subject) =>
  diagnostic('PV-6016', null, outdatedMessage(records), { subject, hint: outdatedHint });

const unused: readonly { readonly code: string; readonly finding: Unused }[] = [
  { code: 'PV-6016', finding: outdated },
  { code: 'PV-6060', finding: (records, subject) => untrusted('PV-6060', records, subject) },
  { code: 'PV-6061', finding: (records, subject) => untrusted('PV-6061', records, subject) },
];
