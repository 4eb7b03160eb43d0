import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { renderDiagnostic } from '../diagnostics/render.ts';
import { say, type Cli } from './cli.ts';
import { diagnosticPalette } from './color.ts';

/** Tells the person about findings beside data that goes to stdout. */
export function sayDiagnostics(cli: Cli, diagnostics: readonly Diagnostic[]): void {
  const color = diagnosticPalette(cli.process.stderr.color);
  for (const diagnostic of diagnostics) say(cli, `${renderDiagnostic(diagnostic, { color })}\n`);
}
