import { count } from '../../base/text.ts';
import { renderDiagnostic, type Palette } from '../../diagnostics/render.ts';
import type { Findings, Summary } from '../../api/findings.ts';

/** Code frames, one blank line apart. */
export function findingsAsText({ diagnostics }: Pick<Findings, 'diagnostics'>, color: Palette | null): string {
  return diagnostics.map((diagnostic) => `${renderDiagnostic(diagnostic, { color })}\n`).join('\n');
}

/** `3 files: 2 valid, 1 with errors; 4 errors, 2 warnings; formal fields: 9 mathematics, 1 partial, 2 prose`. */
export function summaryText(summary: Summary): string {
  const { files, valid, failed, errors, warnings, formal, claims } = summary;
  return [
    `${count(files, 'file')}: ${valid} valid, ${failed} with errors`,
    `${count(errors, 'error')}, ${count(warnings, 'warning')}`,
    `formal fields: ${formal.math} mathematics, ${formal.partial} partial, ${formal.prose} prose`,
    ...(claims
      ? [
          `claims: ${claims.executable} of ${claims.declared} executable${claims.inPart > 0 ? `, ${claims.inPart} more in part` : ''}`,
        ]
      : []),
  ].join('; ');
}
