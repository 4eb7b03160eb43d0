import type { ts } from 'ts-morph';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import type { SourceFile } from '../diagnostics/source.ts';
import type { TypeScript } from './typescript.ts';

/** The first syntax error of a module. The parser continues after one, so the tree alone would look whole. */
export function syntaxProblem(typescript: TypeScript, source: SourceFile): Diagnostic | null {
  // A separate tree, because a program modifies its trees.
  const file = typescript.createSourceFile(source.path, source.text, typescript.ScriptTarget.ES2023);
  const program = typescript.createProgram([source.path], { noLib: true, noResolve: true }, hostOf(file));
  const [first] = program.getSyntacticDiagnostics(file);
  if (!first) return null;
  const range = { start: first.start, end: first.start + first.length };
  return diagnostic('PV-5024', { source, range }, typescript.flattenDiagnosticMessageText(first.messageText, ' '));
}

/** A world that holds one file. */
function hostOf(file: ts.SourceFile): ts.CompilerHost {
  return {
    getSourceFile: (name) => (name === file.fileName ? file : undefined),
    fileExists: (name) => name === file.fileName,
    readFile: () => undefined,
    writeFile: () => undefined,
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => '',
    getDefaultLibFileName: () => '',
    getNewLine: () => '\n',
    useCaseSensitiveFileNames: () => true,
  };
}
