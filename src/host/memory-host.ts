import { posix } from 'node:path';
import { err, ok } from '../base/result.ts';
import { endsEarly, standsThere, tooLarge } from './file-problem.ts';
import {
  defaultMaxBytes,
  type DirectoryEntry,
  type FileOperation,
  type FileProblem,
  type Host,
  type OpenFile,
} from './host.ts';

/** A host without a disk, whose clock moves only when a test moves it. */
export interface MemoryHost extends Host {
  /** Absolute path → content, in the order of the last writes. */
  readonly files: Map<string, Uint8Array>;
  /** Moves the clock on. */
  readonly advance: (milliseconds: number) => void;
}

/** The initial POSIX time of a memory host's clock: 2026-01-01. */
const memoryStart = 1_767_225_600;

const opened = (path: string, content: Uint8Array): OpenFile => ({
  size: content.length,
  version: versionOf(content),
  read: async (offset, length, into) => {
    if (offset + length > content.length) return err(endsEarly(path, content.length));
    const bytes = into?.subarray(0, length) ?? new Uint8Array(length);
    bytes.set(content.subarray(offset, offset + length));
    return ok(bytes);
  },
  close: () => Promise.resolve(),
});

/** Every write makes another array. */
const versions = new WeakMap<Uint8Array, string>();
let lastVersion = 0;

function versionOf(content: Uint8Array): string {
  const version = versions.get(content) ?? String(++lastVersion);
  versions.set(content, version);
  return version;
}

/** An absolute path without empty, `.` and `..` parts. */
const isNormal = /^(?:\/(?!\.{0,2}(?:\/|$))[^/]+)+$/u;

/** A host in memory, for tests: POSIX paths, no links, and a clock that moves only when it is advanced. */
export function createMemoryHost(contents: Readonly<Record<string, string>> = {}, root = '/project'): MemoryHost {
  const files = new Map<string, Uint8Array>();
  const folders = new Set<string>();
  const tree: Tree = { files, folders };
  const at = (path: string): string => (isNormal.test(path) ? path : posix.resolve(root, path));
  for (const [path, text] of Object.entries(contents)) files.set(at(path), new TextEncoder().encode(text));
  let now = 0;
  const readBytes: Host['readBytes'] = async (path, options) => {
    const bytes = files.get(at(path));
    const maxBytes = options?.maxBytes ?? defaultMaxBytes;
    if (!bytes) return err(isDirectory(tree, at(path)) ? problem('not-a-file', path, 'is a directory') : missing(path));
    return bytes.length > maxBytes ? err(tooLarge(path, bytes.length, maxBytes)) : ok(bytes);
  };
  return {
    root,
    files,
    advance: (milliseconds) => void (now += milliseconds),
    monotonicMs: () => now,
    posixSeconds: () => memoryStart + Math.floor(now / 1000),
    readBytes,
    readChunks: async (path, consume) => {
      const bytes = await readBytes(path, { maxBytes: Infinity });
      if (!bytes.ok) return bytes;
      // A file that is empty has no piece.
      if (bytes.value.length > 0) await consume(bytes.value);
      return ok(undefined);
    },
    openFile: async (path) => {
      const bytes = await readBytes(path, { maxBytes: Infinity });
      if (!bytes.ok) return bytes;
      return ok(opened(path, bytes.value));
    },
    readText: async (path, options) => {
      const bytes = await readBytes(path, options);
      return bytes.ok ? ok(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.value)) : bytes;
    },
    writeFileAtomic: async (path, content, { fresh = false } = {}) => {
      if (fresh && files.has(at(path))) return err(standsThere(path));
      files.delete(at(path));
      files.set(at(path), typeof content === 'string' ? new TextEncoder().encode(content) : content.slice());
      return ok(undefined);
    },
    createFile: async (path, { fresh = false, keep = 0 } = {}) => {
      if (fresh && files.has(at(path))) return err(standsThere(path));
      const kept = files.get(at(path))?.slice(0, keep) ?? new Uint8Array(0);
      if (kept.length < keep) return err(endsEarly(path, kept.length));
      files.delete(at(path));
      files.set(at(path), kept);
      let isOpen = true;
      return ok({
        append(bytes) {
          const before = files.get(at(path));
          if (!isOpen || before === undefined) return err(problem('other', path, 'is closed or gone'));
          files.set(at(path), joined(before, bytes));
          return ok(undefined);
        },
        sync: async () => ok(undefined),
        close: async () => {
          isOpen = false;
          return ok(undefined);
        },
      });
    },
    rename: async (from, to) => {
      const bytes = files.get(at(from));
      if (!bytes) return err(missing(from));
      files.delete(at(from));
      files.delete(at(to));
      files.set(at(to), bytes);
      return ok(undefined);
    },
    remove: async (path) => {
      files.delete(at(path));
      return ok(undefined);
    },
    removeEmptyFolder: async (path) => {
      if (files.has(at(path))) return err(problem('not-a-directory', path, 'is not a directory'));
      const isEmpty = namesUnder(tree, at(path)).size === 0;
      if (isEmpty) folders.delete(at(path));
      return ok(isEmpty);
    },
    perform: async (operation) => performOn(tree, at, operation),
    fileSystem: async () => null,
    self: () => ({ machine: 'memory', boot: '', namespace: '', pid: 1, started: '' }),
    isOver: () => false,
    list: async (directory) => listDirectory(tree, at(directory), directory),
    kindOf: async (path) => (files.has(at(path)) ? 'file' : isDirectory(tree, at(path)) ? 'directory' : 'missing'),
    isSharedByUsers: async () => false,
    realPath: async (path) => (files.has(at(path)) || isDirectory(tree, at(path)) ? ok(at(path)) : err(missing(path))),
  };
}

/** Folders are prefixes of the paths of files, and those that were made and may be empty. */
interface Tree {
  readonly files: Map<string, Uint8Array>;
  readonly folders: Set<string>;
}

/** Everything in memory is durable at once. */
function performOn(
  { files, folders }: Tree,
  at: (path: string) => string,
  operation: FileOperation,
): Awaited<ReturnType<Host['perform']>> {
  switch (operation.kind) {
    case 'create':
      if (files.has(at(operation.path))) return err(standsThere(operation.path));
      files.set(at(operation.path), new Uint8Array(0));
      return ok(0);
    case 'write': {
      const before = files.get(at(operation.path));
      if (before === undefined) return err(missing(operation.path));
      files.set(at(operation.path), joined(before, operation.bytes));
      return ok(operation.bytes.length);
    }
    case 'rename':
      return renameAny({ files, folders }, at(operation.from), at(operation.to), operation);
    case 'remove':
      return files.delete(at(operation.path)) ? ok(0) : err(missing(operation.path));
    case 'make-folder':
      if (isDirectory({ files, folders }, at(operation.path))) return err(standsThere(operation.path));
      folders.add(at(operation.path));
      return ok(0);
    case 'remove-folder':
      if (namesUnder({ files, folders }, at(operation.path)).size > 0)
        return err(problem('other', operation.path, 'is not empty'));
      return folders.delete(at(operation.path)) ? ok(0) : err(missing(operation.path));
    case 'sync':
    case 'close':
    case 'sync-folder':
      return ok(0);
  }
}

function joined(before: Uint8Array, bytes: Uint8Array): Uint8Array {
  const grown = new Uint8Array(before.length + bytes.length);
  grown.set(before);
  grown.set(bytes, before.length);
  return grown;
}

/** Renames a file, or a folder with all that is in it. */
function renameAny(
  { files, folders }: Tree,
  from: string,
  to: string,
  paths: { readonly from: string; readonly to: string },
): Awaited<ReturnType<Host['perform']>> {
  const isMoved = (path: string): boolean => path === from || path.startsWith(`${from}/`);
  const [moved, movedFolders] = [[...files].filter(([path]) => isMoved(path)), [...folders].filter(isMoved)];
  if (moved.length + movedFolders.length === 0) return err(missing(paths.from));
  if (namesUnder({ files, folders }, to).size > 0) return err(standsThere(paths.to));
  const target = (path: string): string => `${to}${path.slice(from.length)}`;
  for (const [path, bytes] of moved) {
    files.delete(path);
    files.set(target(path), bytes);
  }
  for (const path of movedFolders) {
    folders.delete(path);
    folders.add(target(path));
  }
  return ok(0);
}

function isDirectory(tree: Tree, directory: string): boolean {
  return directory === '/' || tree.folders.has(directory) || namesUnder(tree, directory).size > 0;
}

function listDirectory(tree: Tree, directory: string, path: string): Awaited<ReturnType<Host['list']>> {
  if (tree.files.has(directory)) return err(problem('not-a-directory', path, 'is not a directory'));
  if (!isDirectory(tree, directory)) return err(missing(path));
  const entries = [...namesUnder(tree, directory)].map(([name, kind]): DirectoryEntry => ({ name, kind }));
  return ok(entries.sort((a, b) => (a.name < b.name ? -1 : 1)));
}

function namesUnder(tree: Tree, directory: string): ReadonlyMap<string, 'file' | 'directory'> {
  const prefix = directory === '/' ? '/' : `${directory}/`;
  const names = new Map<string, 'file' | 'directory'>();
  for (const path of [...tree.files.keys(), ...tree.folders]) {
    if (!path.startsWith(prefix)) continue;
    const [name = '', ...deeper] = path.slice(prefix.length).split('/');
    names.set(name, deeper.length > 0 || tree.folders.has(path) ? 'directory' : 'file');
  }
  return names;
}

const problem = (kind: FileProblem['kind'], path: string, message: string): FileProblem => ({ kind, path, message });
const missing = (path: string): FileProblem => problem('missing', path, 'does not exist');
