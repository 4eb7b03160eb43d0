/** A data check as findings with places, for formats that annotate files. */
import type { Code } from '../../diagnostics/codes.ts';
import type { DataCheck, ObligationOnData, Place } from '../../methods/data/data-check.ts';
import type { FindingReport } from '../report.ts';

export function dataFindings(checks: readonly DataCheck[]): readonly FindingReport[] {
  return checks.flatMap((check) => [
    ...check.problems.map(({ code, message, hint, place }) => finding(code, message, hint, place, check)),
    ...check.obligations.flatMap((one) => obligationFinding(one, check)),
  ]);
}

function obligationFinding(one: ObligationOnData, check: DataCheck): readonly FindingReport[] {
  const title = `${one.id}: ${one.property}`;
  if (one.verdict === 'violated') {
    const [claim = one.formal] = one.numbers;
    const [mend] = one.mends;
    const [place = null] = mend?.place ? [mend.place] : one.places;
    const hint = mend ? `${mend.key}: ${mend.was} → ${mend.becomes}` : one.ifFails;
    return [finding('PV-9001', `${title}: ${claim}`, hint, place, check)];
  }
  if (one.verdict !== 'undetermined') return [];
  return [finding('PV-9005', `${title}: ${one.reason ?? ''}`, null, null, check)];
}

function finding(
  code: Code,
  message: string,
  hint: string | null,
  place: Place | null,
  check: DataCheck,
): FindingReport {
  const line = place?.position === 'line' ? place.at : null;
  const start = line === null ? null : { line, column: place?.column ?? 1 };
  return { code, severity: 'error', message, hint, path: place?.path ?? check.path, start, end: start, excerpt: [] };
}
