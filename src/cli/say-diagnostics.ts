import type { Session } from '../api/session.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { renderDiagnostic } from '../diagnostics/render.ts';
import { diagnosticPalette } from './color.ts';

/** Who hears findings: in colour where the stream of messages shows colours. */
type Listener = Pick<Session, 'say'> & { readonly process: { readonly stderr: { readonly color: boolean } } };

/** Tells the person about findings beside data that goes to stdout. */
export function sayDiagnostics(cli: Listener, diagnostics: readonly Diagnostic[]): void {
  const color = diagnosticPalette(cli.process.stderr.color);
  for (const diagnostic of diagnostics) cli.say(`${renderDiagnostic(diagnostic, { color })}\n`);
}
