/**
 * Contracts, read and checked together: every problem of every file in one run, in a stable order.
 */
import { compareText, count } from '../base/text.ts';
import { diagnostic, type Diagnostic, type Staged } from '../diagnostics/diagnostic.ts';
import type { SourceFile } from '../diagnostics/source.ts';
import { readNotation } from '../math/notation/read.ts';
import type { Contract } from './contract.ts';
import { contractId } from './decode.ts';
import { readContract, readingOnce, type ReadOptions } from './read.ts';
import { contractRules, fragmentRules, setRules } from './rules.ts';

/** Findings shown per file; a file with more is hostile, or no contract. */
export const FINDINGS_PER_FILE = 100;

/** How a set of contract files is read. */
export interface ReadContractsOptions extends ReadOptions {
  /** Names of contracts that exist but are not read in this run: dependencies on them are not missing. */
  readonly elsewhere?: Iterable<string>;
}

/**
 * Reads the files and applies every rule. The contracts that could be read come in the order of their paths,
 * the findings in the order of path, position and code, at most FINDINGS_PER_FILE per file.
 */
export function readContracts(
  files: readonly SourceFile[],
  options: ReadContractsOptions = {},
): Staged<readonly Contract[]> {
  const ordered = files.toSorted((a, b) => compareText(a.path, b.path));
  const reading = { readNotation: readingOnce(options.readNotation ?? readNotation) };
  const read = ordered.map((source) => readContract(source, reading));
  const contracts = read.flatMap((staged) => staged.value ?? []);
  const unreadable = ordered.flatMap((source, i) => (read[i]?.value ? [] : [contractId(source.path)]));
  const set = { contracts, elsewhere: new Set([...(options.elsewhere ?? []), ...unreadable]) };
  const diagnostics = [
    ...read.flatMap((staged) => staged.diagnostics),
    ...read.flatMap(({ fragment }) => (fragment ? fragmentRules.flatMap((rule) => rule.check(fragment)) : [])),
    ...contracts.flatMap((contract) => contractRules.flatMap((rule) => rule.check(contract))),
    ...setRules.flatMap((rule) => rule.check(set)),
  ];
  return { value: contracts, diagnostics: cappedPerFile(sortDiagnostics(diagnostics)) };
}

/** By path, position and code; findings without a place come first in their file. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.toSorted(
    (a, b) => compareText(pathOf(a), pathOf(b)) || startOf(a) - startOf(b) || compareText(a.code, b.code),
  );
}

function pathOf(diagnostic: Diagnostic): string {
  return diagnostic.span?.source.path ?? diagnostic.subject ?? '';
}

function startOf(diagnostic: Diagnostic): number {
  return diagnostic.span?.range.start ?? -1;
}

const rank = { error: 0, warning: 1, note: 2 } as const;

/**
 * At most FINDINGS_PER_FILE findings of each file, and how many more there are.
 * Errors are kept before warnings and warnings before notes, so that a flood of notes hides nothing worse.
 */
export function cappedPerFile(sorted: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...byPath(sorted)].flatMap(([path, found]) => {
    if (found.length <= FINDINGS_PER_FILE) return found;
    const kept = new Set(found.toSorted((a, b) => rank[a.severity] - rank[b.severity]).slice(0, FINDINGS_PER_FILE));
    const hidden = found.length - kept.size;
    const message = `${count(hidden, 'more finding')} in this file ${hidden === 1 ? 'is' : 'are'} not shown`;
    return [...found.filter((finding) => kept.has(finding)), diagnostic('PV-2007', null, message, { subject: path })];
  });
}

function byPath(sorted: readonly Diagnostic[]): ReadonlyMap<string, readonly Diagnostic[]> {
  const groups = new Map<string, Diagnostic[]>();
  for (const finding of sorted) {
    const group = groups.get(pathOf(finding));
    if (group) group.push(finding);
    else groups.set(pathOf(finding), [finding]);
  }
  return groups;
}
