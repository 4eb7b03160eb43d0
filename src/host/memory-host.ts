import { posix } from 'node:path';
import { err, ok } from '../base/result.ts';
import { endsEarly, standsThere, tooLarge } from './file-problem.ts';
import { defaultMaxBytes, type DirectoryEntry, type FileProblem, type Host } from './host.ts';

/** A host without a disk, whose clock moves only when it is told to. */
export interface MemoryHost extends Host {
  /** Absolute path → content, in the order of the last writes. */
  readonly files: Map<string, Uint8Array>;
  /** Moves the clock on. */
  readonly advance: (milliseconds: number) => void;
}

/** The initial POSIX time of a memory host's clock: 2026-01-01. */
const memoryStart = 1_767_225_600;

/** A host in memory, for tests: POSIX paths, no links, and a clock that moves only when it is advanced. */
export function createMemoryHost(contents: Readonly<Record<string, string>> = {}, root = '/project'): MemoryHost {
  const files = new Map<string, Uint8Array>();
  const at = (path: string): string => posix.resolve(root, path);
  for (const [path, text] of Object.entries(contents)) files.set(at(path), new TextEncoder().encode(text));
  let now = 0;
  const readBytes: Host['readBytes'] = async (path, options) => {
    const bytes = files.get(at(path));
    const maxBytes = options?.maxBytes ?? defaultMaxBytes;
    if (!bytes)
      return err(isDirectory(files, at(path)) ? problem('not-a-file', path, 'is a directory') : missing(path));
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
      const { value } = bytes;
      return ok({
        size: value.length,
        read: async (offset, length) =>
          offset + length > value.length
            ? err(endsEarly(path, value.length))
            : ok(value.slice(offset, offset + length)),
        close: () => Promise.resolve(),
      });
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
    createFile: async (path, { fresh = false } = {}) => {
      if (fresh && files.has(at(path))) return err(standsThere(path));
      files.delete(at(path));
      files.set(at(path), new Uint8Array(0));
      let isOpen = true;
      return ok({
        append(bytes) {
          const before = files.get(at(path));
          if (!isOpen || before === undefined) return err(problem('other', path, 'is closed or gone'));
          const grown = new Uint8Array(before.length + bytes.length);
          grown.set(before);
          grown.set(bytes, before.length);
          files.set(at(path), grown);
          return ok(undefined);
        },
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
    // Folders are prefixes of paths here, so an empty one no longer exists.
    removeEmptyFolder: async (path) =>
      files.has(at(path))
        ? err(problem('not-a-directory', path, 'is not a directory'))
        : ok(!isDirectory(files, at(path))),
    list: async (directory) => listDirectory(files, at(directory), directory),
    kindOf: async (path) => (files.has(at(path)) ? 'file' : isDirectory(files, at(path)) ? 'directory' : 'missing'),
    isSharedByUsers: async () => false,
    realPath: async (path) => (files.has(at(path)) || isDirectory(files, at(path)) ? ok(at(path)) : err(missing(path))),
  };
}

function isDirectory(files: ReadonlyMap<string, Uint8Array>, directory: string): boolean {
  return directory === '/' || namesUnder(files, directory).size > 0;
}

function listDirectory(
  files: ReadonlyMap<string, Uint8Array>,
  directory: string,
  path: string,
): Awaited<ReturnType<Host['list']>> {
  if (files.has(directory)) return err(problem('not-a-directory', path, 'is not a directory'));
  if (!isDirectory(files, directory)) return err(missing(path));
  const entries = [...namesUnder(files, directory)].map(([name, kind]): DirectoryEntry => ({ name, kind }));
  return ok(entries.sort((a, b) => (a.name < b.name ? -1 : 1)));
}

function namesUnder(
  files: ReadonlyMap<string, Uint8Array>,
  directory: string,
): ReadonlyMap<string, 'file' | 'directory'> {
  const prefix = directory === '/' ? '/' : `${directory}/`;
  const names = new Map<string, 'file' | 'directory'>();
  for (const path of files.keys()) {
    if (!path.startsWith(prefix)) continue;
    const [name = '', ...deeper] = path.slice(prefix.length).split('/');
    names.set(name, deeper.length > 0 ? 'directory' : 'file');
  }
  return names;
}

const problem = (kind: FileProblem['kind'], path: string, message: string): FileProblem => ({ kind, path, message });
const missing = (path: string): FileProblem => problem('missing', path, 'does not exist');
