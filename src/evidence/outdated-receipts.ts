/** Receipts of other versions of pv: whole, of another form, and so no evidence and no damage. */
import { canonicalJson } from '../base/canonical-json.ts';
import { count } from '../base/text.ts';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { sha256 } from './digest.ts';
import { toJsonForm } from './json-form.ts';

export const outdatedHint = 'their checks run again; pv audit --fresh writes all of them anew';

/** `3 receipts of another version of pv are not used`. */
export function outdatedMessage(receipts: number): string {
  return `${count(receipts, 'receipt')} of another version of pv ${receipts === 1 ? 'is' : 'are'} not used`;
}

/** Whether the digest is of all that stands in `receipt`, which is then as some pv wrote it. */
export function isOfOtherVersion({
  digest,
  receipt,
}: {
  readonly digest: unknown;
  readonly receipt: unknown;
}): boolean {
  if (typeof receipt !== 'object' || receipt === null || !('timing' in receipt) || !nestsAtMost(receipt, deepest))
    return false;
  const { timing: _, ...content } = receipt;
  return digest === sha256(canonicalJson(toJsonForm(content)));
}

/** Receipts nest a handful of levels. */
const deepest = 32;

function nestsAtMost(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => nestsAtMost(member, levels - 1));
}

/** The findings with those about outdated receipts in one: a new version makes every receipt outdated at once. */
export function inOne(diagnostics: readonly Diagnostic[], directory: string): readonly Diagnostic[] {
  const outdated = diagnostics.filter(({ code }) => code === 'PV-6016').length;
  if (outdated < 2) return diagnostics;
  const others = diagnostics.filter(({ code }) => code !== 'PV-6016');
  return [
    ...others,
    diagnostic('PV-6016', null, outdatedMessage(outdated), { subject: directory, hint: outdatedHint }),
  ];
}
