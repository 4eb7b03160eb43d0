import { diagnosticToJson } from '../../diagnostics/render.ts';
import { pathOf, type Findings } from '../../api/findings.ts';

/** All findings as data: `pv.findings/1`, stable names, 1-based positions. */
export function findingsAsJson({ paths, diagnostics, summary }: Omit<Findings, 'contracts'>): string {
  const broken = new Set(diagnostics.filter(({ severity }) => severity === 'error').map(pathOf));
  return JSON.stringify(
    {
      schema: 'pv.findings/1',
      summary,
      files: paths.map((path) => ({ path, valid: !broken.has(path) })),
      diagnostics: diagnostics.map(diagnosticToJson),
    },
    null,
    2,
  );
}
