/**
 * From a `module_path` to the text of a module, and back from a file to its name: what stays inside the project.
 */
import { basename, dirname, relative, resolve } from 'node:path';
import { invariant } from '../base/invariant.ts';
import { err, ok, type Result } from '../base/result.ts';
import { closest } from '../base/text.ts';
import type { Located } from '../contract/contract.ts';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { containedPath, isUnder } from '../host/contained-path.ts';
import type { Host } from '../host/host.ts';
import { pathFrom } from '../host/path-from.ts';
import type { TypeProjects } from './type-project.ts';

/** A folder that modules are relative to and must stay inside; absolute. */
export interface ModuleHome {
  readonly root: string;
  readonly projects: TypeProjects;
}

/** A module's text, with its names. */
export interface OpenModule {
  /** Absolute. */
  readonly path: string;
  /** Of WebAssembly: its bytes in base64. */
  readonly text: string;
  /** The path for messages: from the folder that pv runs in, with `/`. */
  readonly shown: string;
}

const maxBytes = 4 * 1024 * 1024;

/** Whether a module is JavaScript, by its name. */
export function isScript(path: string): boolean {
  return /\.[cm]?jsx?$/u.test(path);
}

/** Whether a module is WebAssembly, by its name. */
export function isWasm(path: string): boolean {
  return path.endsWith('.wasm');
}

/** Whether a module is a shader, by its name. */
export function isShader(path: string): boolean {
  return path.endsWith('.wgsl');
}

/** The first home that contains the module; the first of all if none does. */
export async function homeOf<T extends Pick<ModuleHome, 'root'>>(
  host: Host,
  homes: readonly T[],
  module: string,
): Promise<T> {
  const [first] = homes;
  invariant(first, 'modules are named from somewhere');
  for (const home of homes) {
    const path = await containedPath(host, home.root, module);
    if (path.ok && (await host.kindOf(path.value)) === 'file') return home;
  }
  return first;
}

/** The module that a row specifies; PV-5005 to PV-5007 if pv may not run it. */
export async function openModule(
  host: Host,
  root: string,
  { value, span }: Located<string>,
): Promise<Result<OpenModule, Diagnostic>> {
  if (value.includes('::') || !(/\.[cm]?tsx?$/u.test(value) || isScript(value) || isShader(value) || isWasm(value))) {
    const hint = value.includes('::')
      ? 'this looks like a Rust path; pv runs TypeScript: src/kernels/softmax.ts'
      : 'name a .ts, .js, .wgsl or .wasm file relative to the project root';
    return err(
      diagnostic(
        'PV-5007',
        span,
        `\`${value}\` is not a module of TypeScript, JavaScript or WebAssembly, or a shader`,
        {
          hint,
        },
      ),
    );
  }
  const start = `module_path starts from the project root, ${pathFrom(host.root, root) || 'the folder that pv runs in'}`;
  const path = await containedPath(host, root, value);
  if (!path.ok) {
    const code = path.error.kind === 'outside' ? 'PV-5005' : 'PV-5006';
    const hint = `${start}, and stays inside it`;
    return err(diagnostic(code, span, `\`${value}\` ${path.error.message}`, { hint }));
  }
  const text = isWasm(value) ? await inBase64(host, path.value) : await host.readText(path.value, { maxBytes });
  if (text.ok) return ok({ path: path.value, text: text.value, shown: pathFrom(host.root, path.value) });
  const near = text.error.kind === 'missing' ? await nearFile(host, path.value) : null;
  const hint = near === null ? start : `did you mean \`${near}\`?`;
  return err(diagnostic('PV-5006', span, `\`${value}\` ${text.error.message}`, { hint }));
}

async function inBase64(host: Host, path: string): ReturnType<Host['readText']> {
  const bytes = await host.readBytes(path, { maxBytes });
  return bytes.ok ? ok(Buffer.from(bytes.value).toString('base64')) : bytes;
}

/** A file with almost that name in the same folder. */
async function nearFile(host: Host, path: string): Promise<string | null> {
  const beside = await host.list(dirname(path));
  const names = beside.ok ? beside.value.map(({ name }) => name) : [];
  return closest(basename(path), names);
}

/** The path that TypeScript has followed to a module, relative to `root`; null if it is outside. */
export async function pathInside(host: Host, root: string, path: string): Promise<string | null> {
  const [realRoot, real] = await Promise.all([host.realPath(root), host.realPath(path)]);
  return realRoot.ok && real.ok && isUnder(realRoot.value, real.value)
    ? resolve(root, relative(realRoot.value, real.value))
    : null;
}

/** A function that a module of the project only passes on. */
export function outside({ value, span }: Located<string>, module: string): Diagnostic {
  return diagnostic('PV-5005', span, `\`${value}\` is in ${module}, which is outside the project`, {
    hint: 'bind a function of this project that calls it',
  });
}
