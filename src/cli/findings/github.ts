import type { Severity } from '../../diagnostics/codes.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { diagnosticToJson } from '../../diagnostics/render.ts';
import { escapeProperty, escapeText } from '../../report/github.ts';
import type { Findings } from '../../api/findings.ts';

const commands: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', note: 'notice' };

/**
 * Workflow commands that annotate the changed lines of a pull request with findings.
 * Source: GitHub Docs, "Workflow commands for GitHub Actions", setting an error message.
 */
export function findingsAsGithub({ diagnostics }: Pick<Findings, 'diagnostics'>): string {
  return diagnostics.map(annotation).join('\n');
}

function annotation(diagnostic: Diagnostic): string {
  const { path, start, end, code, message, hint } = diagnosticToJson(diagnostic);
  const properties = [
    path === null ? [] : [`file=${escapeProperty(path)}`],
    start && end ? [`line=${start.line}`, `endLine=${end.line}`, `col=${start.column}`, `endColumn=${end.column}`] : [],
    [`title=${code}`],
  ].flat();
  const text = hint === null ? message : `${message}\n${hint}`;
  return `::${commands[diagnostic.severity]} ${properties.join(',')}::${escapeText(text)}`;
}
