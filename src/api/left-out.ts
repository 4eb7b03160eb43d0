/** What `pv scan` leaves out of the folders that it is given: tests and fixtures, and JavaScript that a tool wrote. */
import { relative, resolve } from 'node:path';
import { isUnder } from '../host/contained-path.ts';
import type { SourceFile } from '../diagnostics/source.ts';
import type { Host } from '../host/host.ts';

const folders =
  /^(tests?|__tests?__|specs?|__specs?__|fixtures?|__fixtures__|__mocks__|mocks?|test[-_]?(data|utils|helpers|fixtures|cases)|unit[-_]?tests?|e2e|cypress)$/i;
const files =
  /(^|[._-])(test|tests|spec|specs)\.[^.]+$|^test_.*\.py$|^conftest\.py$|(^|[._-])(fixtures?|mocks?)\.[^.]+$|^jasmine/i;

/** Whether a path, relative to the folder that was named, is a test or a fixture. */
function isTest(path: string): boolean {
  const parts = path.split(/[\\/]/);
  return parts.slice(0, -1).some((part) => folders.test(part)) || files.test(parts.at(-1) ?? '');
}

/** Whether a command line asks for a file: by its name, or by a folder under which it is not a test. */
export function isAskedFor({ root }: Pick<Host, 'root'>, given: readonly string[], path: string): boolean {
  const file = resolve(root, path);
  return given.some((one) => {
    const at = resolve(root, one);
    // A folder of tests that is named is asked for, with all that is in it.
    const isNamed = isTest(relative(root, `${at}/_`));
    return at === file || (isUnder(at, file) && (isNamed || !isTest(relative(at, file))));
  });
}

/** Whether a command line names a file itself, not only a folder above it. */
export function isNamed({ root }: Pick<Host, 'root'>, given: readonly string[], path: string): boolean {
  return given.some((one) => resolve(root, one) === resolve(root, path));
}

/** What esbuild and Rolldown write before each module of a package that they take in. */
const bundled = /^\/\/ ?(?:#region )?(?:\.{1,2}\/)*node_modules\/\S+\.[cm]?[jt]sx?$/mu;

/** What Browserify and Parcel write at the head of a bundle. */
const prelude = /Cannot find module '["']\s*\+[^]*MODULE_NOT_FOUND|\bparcelRequire\b/u;
const headLength = 3000;

/** Whether most functions have names that a tool has shortened: no library has a hundred functions of three letters. */
function isMangled(text: string): boolean {
  const names = new Set([...text.matchAll(/\bfunction\s*\*?\s*([\w$]+)\s*\(/gu)].map(([, name = '']) => name));
  const short = [...names].filter((name) => name.length <= 3).length;
  return short >= 100 && short > 0.6 * names.size;
}

/** Whether lines are long on average, or nearly all of a text is one line, as below the licence of a minified file. */
function isOfLongLines(text: string): boolean {
  const lines = text.split('\n');
  if (text.length > 5000 && text.length / lines.length > 300) return true;
  const longest = lines.reduce((most, line) => Math.max(most, line.length), 0);
  return longest > 1500 && longest > 0.9 * text.length;
}

/** Minified or bundled JavaScript that no path names: nobody reads it, and what it is made from has its own files. */
export function isGenerated(
  { root }: Pick<Host, 'root'>,
  given: readonly string[],
  { path, text }: SourceFile,
): boolean {
  if (!/\.[cm]?js$/i.test(path) || isNamed({ root }, given, path)) return false;
  // The compiler that wrote a file says so in its last line.
  const isCompiled = /^\/\/# sourceMappingURL=/m.test(text.slice(-2000));
  const isMinified = isOfLongLines(text);
  const isBundled =
    text.includes('__webpack_require__') || bundled.test(text) || prelude.test(text.slice(0, headLength));
  return isCompiled || isMinified || isBundled || isMangled(text);
}
