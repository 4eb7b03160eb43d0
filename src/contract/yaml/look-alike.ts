/**
 * The finding for a plain scalar that is text in YAML 1.2 and something else in YAML 1.1.
 */
import { diagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Range, SourceFile } from '../../diagnostics/source.ts';
import { lookAlike } from './scalar.ts';

/** Adds PV-1013 or its neighbour for `yes`, `012` and the like; nothing for other texts. */
export function reportLookAlike(source: SourceFile, text: string, range: Range, diagnostics: Diagnostic[]): void {
  const meant = lookAlike(text);
  if (meant === null) return;
  const [code, noun, hint] =
    meant === 'boolean'
      ? (['PV-1013', 'a boolean', `Write true or false for a boolean, or put the text in quotes: "${text}".`] as const)
      : ([
          'PV-1020',
          'a number',
          `Write the number in decimal digits (1e6 works), or put the text in quotes: "${text}".`,
        ] as const);
  const message = `${text} is text in YAML 1.2 and ${noun} in YAML 1.1`;
  diagnostics.push(diagnostic(code, { source, range }, message, { hint }));
}
