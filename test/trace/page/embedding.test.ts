/** The checker as a project with TypeScript sees it: by the name that the package exports, with a type. */
import { join } from 'node:path';
import ts from 'typescript';
import { beforeAll, expect, test } from 'vitest';
import { ensureBuilt, repositoryRoot } from '../../support/built.ts';

beforeAll(() => {
  ensureBuilt();
});

/** What TypeScript says of a module in this package's own folder, which may import the package by its name. */
function complaints(source: string): readonly string[] {
  const path = join(repositoryRoot, 'embedding.ts');
  const options: ts.CompilerOptions = {
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const withSource: ts.CompilerHost = {
    ...host,
    fileExists: (name) => name === path || host.fileExists(name),
    getSourceFile: (name, ...rest) =>
      name === path ? ts.createSourceFile(name, source, ts.ScriptTarget.ES2022) : host.getSourceFile(name, ...rest),
  };
  const program = ts.createProgram([path], options, withSource);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

test('mountChecker takes an element, and nothing else', () => {
  const source = `
    import { mountChecker } from 'provable-contracts/trace/checker.js';
    mountChecker(document.body);
    // @ts-expect-error: a text is not an element.
    mountChecker('body');`;
  expect(complaints(source)).toEqual([]);
});
