import { count, listOf } from '../../base/text.ts';
import type { ScanOutcome } from '../../api/scan-outcome.ts';

/** `12 files read: 3 with keywords of a rule; 2 findings in 1 file, 1 with a fix; 1 suppressed`. */
export function summaryOf({ findings, counts, fixed, linksLeftOut, strays }: ScanOutcome): string {
  const where = new Set(findings.map(({ diagnostic }) => diagnostic.span?.source.path ?? diagnostic.subject));
  const fixable = findings.filter(({ fix }) => fix !== null).length;
  return [
    `${count(counts.files, 'file')} read: ${counts.examined} with keywords of a rule`,
    findings.length === 0
      ? 'nothing found'
      : `${count(findings.length, 'finding')} in ${count(where.size, 'file')}, ${fixable} with a fix`,
    ...(counts.generatedLeftOut > 0 ? [`${count(counts.generatedLeftOut, 'generated file')} left out`] : []),
    ...(counts.parts > 0 ? [`${count(counts.parts, 'half', 'halves')} of files, which a build joins, not read`] : []),
    ...(counts.flow > 0 ? [`${count(counts.flow, 'file')} with types of Flow not read`] : []),
    ...(strays.length > 0
      ? [`${count(strays.length, 'file')} that no file imports and that does not parse: ${listOf(strays, 3)}`]
      : []),
    ...(counts.withheld > 0
      ? [
          `${count(counts.withheld, 'draw')} without a seed left out, since no code here learns or searches (--rule unseeded-randomness shows them)`,
        ]
      : []),
    ...(counts.testsLeftOut > 0
      ? [`${count(counts.testsLeftOut, 'file')} of tests and fixtures left out (--tests reads them)`]
      : []),
    ...(linksLeftOut.length > 0
      ? [
          `${count(linksLeftOut.length, 'link')} out of the folder, or back to one above, not followed: ${listOf(linksLeftOut, 3)}`,
        ]
      : []),
    ...(counts.suppressed > 0 ? [`${counts.suppressed} suppressed`] : []),
    ...(fixed.fixes > 0 ? [`${count(fixed.fixes, 'fix', 'fixes')} written to ${count(fixed.files, 'file')}`] : []),
  ].join('; ');
}
