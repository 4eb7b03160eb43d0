import type { SourceFile as MorphFile } from 'ts-morph';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import type { SourceFile } from '../diagnostics/source.ts';
import { loadMorph } from './typescript.ts';

/** At most this many type errors are shown per module: the compiler shows the rest. */
const shown = 3;

/** The first type errors of a module under its own configuration. */
export function typeProblems(file: MorphFile, source: SourceFile): readonly Diagnostic[] {
  const { ts } = loadMorph();
  return file
    .getPreEmitDiagnostics()
    .filter((found) => found.getCategory() === ts.DiagnosticCategory.Error)
    .slice(0, shown)
    .map((found) => {
      const start = found.getStart() ?? 0;
      const message = ts.flattenDiagnosticMessageText(found.compilerObject.messageText, ' ');
      return diagnostic(
        'PV-5014',
        { source, range: { start, end: start + (found.getLength() ?? 0) } },
        `${message} (TS${found.getCode()})`,
      );
    });
}
