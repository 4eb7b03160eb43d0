import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { codeFrames, diagnosticToJson } from '../diagnostics/render.ts';
import type { FindingReport } from './report.ts';

/** A diagnostic as reports hold it. */
export function findingReport(found: Diagnostic): FindingReport {
  const { code, message, hint, path, start, end } = diagnosticToJson(found);
  return {
    code,
    severity: found.severity,
    message,
    hint,
    path,
    start,
    end,
    excerpt: codeFrames(found, { color: null }),
  };
}
