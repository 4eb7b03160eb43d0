/** Checks the waivers of the binding file against the contracts, the date, and the verdicts that they waive. */
import { closest, listOf, quoted } from '../base/text.ts';
import type { Contract, Located } from '../contract/contract.ts';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { isGreen, type Verdict } from '../evidence/verdict.ts';
import type { WaiverRow } from '../subject/binding.ts';

/** PV-5046 for every waiver of a contract or claim that does not exist. */
export function waiverTargets(rows: readonly WaiverRow[], contracts: readonly Contract[]): readonly Diagnostic[] {
  const claimsOf = new Map(
    contracts.map(({ id, obligations, falsificationTests }) => [
      id,
      [...obligations, ...falsificationTests].map((one) => one.id),
    ]),
  );
  return rows.flatMap(({ contract, claim }) => {
    const claims = claimsOf.get(contract.value);
    if (claims?.includes(claim.value)) return [];
    const [named, names] = claims ? [claim, claims] : [contract, [...claimsOf.keys()]];
    const what = claims
      ? `${contract.value} has no claim ${quoted(claim.value)}`
      : `there is no contract ${quoted(contract.value)}`;
    return [namesNothing(named, what, names)];
  });
}

/** PV-5046: `named` is not one of `names`. */
export function namesNothing(named: Located<string>, what: string, names: readonly string[]): Diagnostic {
  const near = closest(named.value, names);
  const hint = near === null ? `there are ${listOf(names, 5)}` : `did you mean \`${near}\`?`;
  return diagnostic('PV-5046', named.span, `a waiver applies to nothing: ${what}`, { hint });
}

/** The waivers that are valid on `today` (`2027-03-31`), by `contract/claim`. */
export function waiversInForce(rows: readonly WaiverRow[], today: string): ReadonlyMap<string, WaiverRow> {
  return new Map(rows.filter((row) => isInForce(row, today)).map((row) => [keyOf(row), row]));
}

/** Whether the waiver is valid on `today`. */
export function isInForce({ expires }: Pick<WaiverRow, 'expires'>, today: string): boolean {
  return expires.value >= today && expires.value <= lastDay(today);
}

/** A waiver lasts a year at most: someone must decide again. */
function lastDay(today: string): string {
  const day = today.slice(4).replace('-02-29', '-02-28');
  return `${String(Number(today.slice(0, 4)) + 1).padStart(4, '0')}${day}`;
}

/** PV-6050 for what has expired, PV-8099 for what ends in more than a year, PV-6051 for what is green without it; `verdicts` are the claims' own, by `contract/claim`. */
export function waiverFindings(
  rows: readonly WaiverRow[],
  today: string,
  verdicts: ReadonlyMap<string, Verdict>,
): readonly Diagnostic[] {
  return rows.flatMap((row) => {
    const verdict = verdicts.get(keyOf(row));
    if (verdict === undefined) return [];
    return isGreen(verdict) ? [unnecessary(row, verdict)] : outOfForce(row, today, 'the claim or the kernel');
  });
}

/** PV-6051: the claim is `verdict` without the waiver. */
export function unnecessary({ claim }: WaiverRow, verdict: string): Diagnostic {
  const message = `the waiver of ${quoted(claim.value)} is unnecessary: the claim is ${verdict}`;
  return diagnostic('PV-6051', claim.span, message, { hint: 'remove this waiver' });
}

/** PV-8099 or PV-6050 for a waiver that is not valid on `today`; `what` may be fixed instead. */
export function outOfForce({ claim, expires, owner }: WaiverRow, today: string, what: string): readonly Diagnostic[] {
  const last = lastDay(today);
  if (expires.value > last) {
    const message = `the waiver of ${quoted(claim.value)} by ${owner.value} ends on ${expires.value}, more than a year from today, and has no effect`;
    return [diagnostic('PV-8099', expires.span, message, { hint: `set a day until ${last}` })];
  }
  if (expires.value >= today) return [];
  const message = `the waiver of ${quoted(claim.value)} by ${owner.value} expired on ${expires.value} and has no effect`;
  return [diagnostic('PV-6050', expires.span, message, { hint: `fix ${what}, or set a later date` })];
}

const keyOf = ({ contract, claim }: WaiverRow): string => `${contract.value}/${claim.value}`;
