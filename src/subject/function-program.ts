import { dirname, resolve } from 'node:path';
import type { Loader, Plugin } from 'esbuild';
import { diagnostic, type Diagnostic, type Staged } from '../diagnostics/diagnostic.ts';
import { lineStarts, type SourceFile } from '../diagnostics/source.ts';

/** What esbuild says about a text it cannot bundle. */
interface BundleMessage {
  readonly text: string;
  readonly location: {
    readonly file: string;
    readonly line: number;
    readonly column: number;
    readonly length: number;
  } | null;
}

/**
 * A module text that holds the function and everything it imports, and exports it under `name`.
 *
 * Whitespace and comments are removed, so that the text (and its hash) changes only with the code. `path` is where the
 * module is, if `source.path` does not start from `directory`.
 */
export async function bundleFunction(
  source: SourceFile,
  name: string,
  directory: string,
  path: string = resolve(directory, source.path),
): Promise<Staged<string | null>> {
  try {
    return { value: (await bundled(source, name, directory, path)).text, diagnostics: [] };
  } catch (problem) {
    return { value: null, diagnostics: messagesOf(problem).map((message) => toDiagnostic(source, path, message)) };
  }
}

/** The files that the bundle of a function holds besides its own module, absolute; none if it cannot be bundled. */
export async function bundledFiles(source: SourceFile, name: string, directory: string): Promise<readonly string[]> {
  try {
    const { files } = await bundled(source, name, directory, resolve(directory, source.path));
    return files.map((file) => resolve(directory, file));
  } catch (problem) {
    messagesOf(problem);
    return [];
  }
}

/** What CommonJS packages load of Node's own modules while they run. A bundle has no `require`. */
const requireBuiltins = `const require=process.getBuiltinModule("node:module").createRequire(process.execPath);`;

async function bundled(
  source: SourceFile,
  name: string,
  directory: string,
  path: string,
): Promise<{ readonly text: string; readonly files: readonly string[] }> {
  const { build } = await import('esbuild');
  const result = await build({
    stdin: { contents: `export { ${name} } from 'pv:module';`, resolveDir: resolve(directory), loader: 'ts' },
    plugins: [moduleText(path, source.text)],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'silent',
    absWorkingDir: resolve(directory),
  });
  const text = result.outputFiles[0]?.text ?? '';
  const files = Object.keys(result.metafile.inputs).filter((file) => !/^(?:<stdin>|pv-module:)/u.test(file));
  return { text: text.includes('__require(') ? `${requireBuiltins}${text}` : text, files };
}

/** Lets the bundle start from the text that pv has read, wherever and whenever that was. */
function moduleText(path: string, contents: string): Plugin {
  return {
    name: 'pv-module',
    setup: (build) => {
      build.onResolve({ filter: /^pv:module$/ }, () => ({ path, namespace: 'pv-module' }));
      build.onLoad({ filter: /.*/, namespace: 'pv-module' }, () => ({
        contents,
        loader: loaderOf(path),
        resolveDir: dirname(path),
      }));
    },
  };
}

function loaderOf(path: string): Loader {
  if (/\.[cm]?js$/u.test(path)) return 'js';
  return path.endsWith('.jsx') ? 'jsx' : path.endsWith('x') ? 'tsx' : 'ts';
}

function messagesOf(problem: unknown): readonly BundleMessage[] {
  if (problem instanceof Error && 'errors' in problem && Array.isArray(problem.errors)) return problem.errors;
  throw problem;
}

function toDiagnostic(source: SourceFile, path: string, { text, location }: BundleMessage): Diagnostic {
  if (location?.file.endsWith(path) !== true)
    return diagnostic('PV-5024', null, text, { subject: location?.file ?? source.path });
  const start = (lineStarts(source.text)[location.line - 1] ?? 0) + location.column;
  return diagnostic('PV-5024', { source, range: { start, end: start + location.length } }, text);
}
