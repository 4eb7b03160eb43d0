import type { Session } from '../api/session.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { renderDiagnostic } from '../diagnostics/render.ts';
import { diagnosticPalette } from './color.ts';

/** Where findings are shown: in colour if the message stream supports it. */
type Listener = Pick<Session, 'say'> & { readonly process: { readonly stderr: { readonly color: boolean } } };

/** Reports findings on stderr, next to data on stdout. */
export function sayDiagnostics(cli: Listener, diagnostics: readonly Diagnostic[]): void {
  const color = diagnosticPalette(cli.process.stderr.color);
  for (const diagnostic of diagnostics) cli.say(`${renderDiagnostic(diagnostic, { color })}\n`);
}
