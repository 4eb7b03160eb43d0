/** Findings on one page: in full where they are few, otherwise a group for each code, the worst first. */
import { validateCommand } from '../../api/command-line.ts';
import { pathOf } from '../../api/findings.ts';
import { compareText, count, listOf, shortened, visible } from '../../base/text.ts';
import { codes, type Severity } from '../../diagnostics/codes.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { placeOf, type Palette } from '../../diagnostics/render.ts';
import { findingsAsText } from './text.ts';

/** From the worst to the mildest. */
export const severities = ['error', 'warning', 'note'] as const satisfies readonly Severity[];

/** More findings than this are grouped. */
const mostInFull = 40;

interface PageOptions {
  /** The mildest severity to print, each finding in full; null for a page. */
  readonly least: Severity | null;
  readonly paths: readonly string[];
  readonly color: Palette | null;
}

/** The findings as `pv validate` prints them; '' for none. */
export function findingsPage(diagnostics: readonly Diagnostic[], { least, paths, color }: PageOptions): string {
  const shown = diagnostics.filter(({ severity }) => least === null || rank(severity) <= rank(least));
  if (least !== null || shown.length <= mostInFull) return findingsAsText({ diagnostics: shown }, color);
  const present = severities.filter((severity) => shown.some((one) => one.severity === severity));
  return [
    ...groupsOf(shown).map((group) => groupText(group, color)),
    '',
    ...present.map((severity) => `${covered(severity)} in full: ${validateCommand(paths, severity)}`),
    '',
  ].join('\n');
}

const rank = (severity: Severity): number => severities.indexOf(severity);

const covered = (least: Severity): string =>
  listOf(severities.slice(0, rank(least) + 1).map((severity) => `${severity}s`));

/** Findings of one code and severity; there is at least one. */
interface Group {
  readonly first: Diagnostic;
  readonly all: readonly Diagnostic[];
}

function groupsOf(diagnostics: readonly Diagnostic[]): readonly Group[] {
  const groups = new Map<string, { first: Diagnostic; all: Diagnostic[] }>();
  for (const one of diagnostics) {
    const key = `${one.severity} ${one.code}`;
    const group = groups.get(key);
    if (group) group.all.push(one);
    else groups.set(key, { first: one, all: [one] });
  }
  return [...groups.values()].toSorted(
    (a, b) =>
      rank(a.first.severity) - rank(b.first.severity) ||
      b.all.length - a.all.length ||
      compareText(a.first.code, b.first.code),
  );
}

/** `note[PV-3015] 1560 in 46 files: A formal field is prose`, and where the first is. */
function groupText({ first, all }: Group, color: Palette | null): string {
  const { severity, code, message, span } = first;
  const head = `${severity}[${code}]`;
  const files = new Set(all.map(pathOf)).size;
  const place = span ? placeOf(span) : visible(pathOf(first) ?? '');
  return [
    `${color ? color[severity](head) : head} ${all.length} in ${count(files, 'file')}: ${codes[code].title}`,
    `  ${place} ${visible(shortened(message, 120))}`,
  ].join('\n');
}
