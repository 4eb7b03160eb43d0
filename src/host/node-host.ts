import { readdirSync, readFileSync, realpathSync, statSync, type Dirent } from 'node:fs';
import { mkdir, open, rename, rm, rmdir, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { err, ok, type Result } from '../base/result.ts';
import { appendBytes } from './append-bytes.ts';
import { endsEarly, problemOf, standsThere, tooLarge } from './file-problem.ts';
import {
  defaultMaxBytes,
  type ConsumeChunk,
  type DirectoryEntry,
  type FileProblem,
  type FileWriter,
  type Host,
  type OpenFile,
} from './host.ts';
import { nodeOperations } from './node-operations.ts';
import { identityOfSelf, isProcessOver } from './process-identity.ts';
import { writeSynced, type DurableFiles } from './write-synced.ts';
import { fileSystemOf } from './file-system.ts';

/**
 * The real files and clock; `root` is the directory that relative paths start from.
 *
 * Reading contracts opens hundreds of small files one after the other, which synchronous calls do in a third of the processor
 * time (bench/validate.ts); a thread pool pays off only for writes, which wait for the disk.
 */
export function createNodeHost(root: string = process.cwd()): Host {
  const base = resolve(root);
  const at = (path: string): string => resolve(base, path);
  const readBytes: Host['readBytes'] = (path, options) =>
    attempt(path, () => readBounded(path, at(path), options?.maxBytes ?? defaultMaxBytes, options?.pipes ?? false));
  const perform = nodeOperations(at);
  return {
    root: base,
    readBytes,
    readChunks: (path, consume) => attempt(path, () => readInChunks(path, at(path), consume)),
    openFile: (path) => attempt(path, () => openRegular(path, at(path))),
    readText: async (path, options) => {
      const bytes = await readBytes(path, options);
      return bytes.ok ? ok(decoder.decode(bytes.value)) : bytes;
    },
    writeFileAtomic: (path, content, { secret = false, fresh = false } = {}) =>
      attempt(path, async () => {
        await makeFolders(dirname(at(path)));
        return writeThenRename({ perform }, path, at(path), bytesOf(content), { mode: secret ? 0o600 : 0o666, fresh });
      }),
    createFile: (path, { fresh = false, keep = 0 } = {}) =>
      attempt(path, async () => {
        await makeFolders(dirname(at(path)));
        if (keep > 0) return openToGrow(path, at(path), keep);
        const file = fresh ? await openFresh(at(path), 0o666) : await open(at(path), 'w');
        return file === null ? err(standsThere(path)) : ok(await writerOf(file, path, at(path)));
      }),
    rename: (from, to) =>
      attempt(from, async () => {
        await rename(at(from), at(to));
        return ok(await syncDirectory(dirname(at(to))));
      }),
    remove: (path) => attempt(path, async () => ok(await rm(at(path), { force: true }))),
    removeEmptyFolder: (path) =>
      attempt(path, async () => {
        if (readdirSync(at(path)).length > 0) return ok(false);
        await rmdir(at(path));
        return ok(true);
      }),
    perform,
    fileSystem: (folder) => fileSystemOf(at(folder)),
    self: identityOfSelf,
    isOver: isProcessOver,
    list: (directory) => attempt(directory, () => ok(entriesOf(readdirSync(at(directory), { withFileTypes: true })))),
    kindOf: (path) => kindOf(at(path)),
    isSharedByUsers: async (path) => isSharedByUsers(at(path)),
    realPath: (path) => attempt(path, () => ok(realpathSync.native(at(path)))),
    monotonicMs: () => performance.now(),
    // `performance.now` stops while a machine sleeps.
    // oxlint-disable-next-line no-restricted-properties -- this is the host
    posixSeconds: () => Math.floor(Date.now() / 1000),
  };
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

async function attempt<T>(
  path: string,
  action: () => Result<T, FileProblem> | Promise<Result<T, FileProblem>>,
): Promise<Result<T, FileProblem>> {
  try {
    return await action();
  } catch (error) {
    return err(problemOf(path, error));
  }
}

function readBounded(
  path: string,
  absolute: string,
  maxBytes: number,
  pipes: boolean,
): Result<Uint8Array, FileProblem> | Promise<Result<Uint8Array, FileProblem>> {
  const found = statSync(absolute);
  if (pipes && found.isFIFO() && isOpen(absolute)) return readPipe(path, absolute, maxBytes);
  // Devices and pipes report size 0 and may never end, so only regular files are read.
  if (!found.isFile()) return err(notAFile(path, found.isDirectory()));
  if (found.size > maxBytes) return err(tooLarge(path, found.size, maxBytes));
  return ok(readFileSync(absolute));
}

/** A pipe that this process was started with has, or had, a writer; a named pipe may wait for one forever. */
const isOpen = (absolute: string): boolean => /^\/(?:dev|proc)\//.test(absolute);

async function readPipe(path: string, absolute: string, maxBytes: number): Promise<Result<Uint8Array, FileProblem>> {
  // Asynchronously: reading waits for what the writer makes, while signals must still be heard.
  const file = await open(absolute, 'r');
  try {
    const pieces: Uint8Array[] = [];
    let size = 0;
    for (;;) {
      const piece = new Uint8Array(CHUNK_BYTES);
      const { bytesRead } = await file.read(piece, 0, piece.length, null);
      if (bytesRead === 0) return ok(new Uint8Array(Buffer.concat(pieces, size)));
      size += bytesRead;
      if (size > maxBytes) return err(tooLarge(path, size, maxBytes));
      // A pipe gives what there is, often a little of it.
      pieces.push(bytesRead < piece.length / 2 ? piece.slice(0, bytesRead) : piece.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

/** Large enough that calls cost little compared with the bytes, small enough to stay in the processor's cache. */
const CHUNK_BYTES = 256 * 1024;

async function readInChunks(path: string, absolute: string, consume: ConsumeChunk): Promise<Result<void, FileProblem>> {
  const known = statSync(absolute);
  // Opening a pipe waits for a writer.
  if (!known.isFile()) return err(notAFile(path, known.isDirectory()));
  // Configs come in hundreds, and a pool of threads costs more than their bytes.
  if (known.size > 0 && known.size <= CHUNK_BYTES) {
    await consume(readFileSync(absolute));
    return ok(undefined);
  }
  const file = await open(absolute, 'r');
  try {
    const found = await file.stat();
    if (!found.isFile()) return err(notAFile(path, found.isDirectory()));
    const buffer = new Uint8Array(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0 || !(await consume(buffer.subarray(0, bytesRead)))) return ok(undefined);
    }
  } finally {
    await file.close();
  }
}

async function openRegular(path: string, absolute: string): Promise<Result<OpenFile, FileProblem>> {
  const known = statSync(absolute);
  // Opening a pipe waits for a writer.
  if (!known.isFile()) return err(notAFile(path, known.isDirectory()));
  const file = await open(absolute, 'r');
  const { dev, ino, size, mtimeNs, ctimeNs } = await file.stat({ bigint: true });
  return ok({
    size: Number(size),
    version: [dev, ino, size, mtimeNs, ctimeNs].join(),
    read: (offset, length, into) =>
      attempt(path, async () => {
        const bytes = into?.subarray(0, length) ?? new Uint8Array(length);
        for (let filled = 0; filled < length;) {
          const { bytesRead } = await file.read(bytes, filled, length - filled, offset + filled);
          if (bytesRead === 0) return err(endsEarly(path, offset + filled));
          filled += bytesRead;
        }
        return ok(bytes);
      }),
    close: () => file.close(),
  });
}

function notAFile(path: string, isDirectory: boolean): FileProblem {
  return { kind: 'not-a-file', path, message: isDirectory ? 'is a directory' : 'is not a regular file' };
}

async function kindOf(absolute: string): ReturnType<Host['kindOf']> {
  try {
    const found = statSync(absolute);
    return found.isFile() ? 'file' : found.isDirectory() ? 'directory' : 'other';
  } catch {
    return 'missing';
  }
}

/** The sticky bit and the right of all others to write, `man 7 inode`. */
const SHARED_MODE = 0o1002;

function isSharedByUsers(absolute: string): boolean {
  try {
    const found = statSync(absolute);
    return found.isDirectory() && (found.mode & SHARED_MODE) === SHARED_MODE;
  } catch {
    return false;
  }
}

function entriesOf(entries: readonly Dirent[]): readonly DirectoryEntry[] {
  return entries
    .map((entry): DirectoryEntry => ({ name: entry.name, kind: kindOfEntry(entry) }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function kindOfEntry(entry: Dirent): DirectoryEntry['kind'] {
  if (entry.isSymbolicLink()) return 'link';
  return entry.isFile() ? 'file' : entry.isDirectory() ? 'directory' : 'other';
}

/** Node's own `recursive` tries for ever where a folder exists and takes no other, as /proc does. */
async function makeFolders(absolute: string): Promise<void> {
  const missing: string[] = [];
  for (let path = absolute; !isDirectory(path) && dirname(path) !== path; path = dirname(path)) missing.unshift(path);
  for (const path of missing) await makeFolder(path);
}

async function makeFolder(absolute: string): Promise<void> {
  try {
    await mkdir(absolute);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    // Another process may have made it just now.
    if (code === 'EEXIST' && isDirectory(absolute)) return;
    if (code !== 'ENOENT') throw error;
    throw new Error(`no folder can be made in ${dirname(absolute)}`, { cause: error });
  }
}

const isDirectory = (absolute: string): boolean =>
  statSync(absolute, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Null if the path exists: POSIX's O_EXCL follows no link. */
async function openFresh(absolute: string, mode: number): Promise<FileHandle | null> {
  try {
    return await open(absolute, 'wx', mode);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return null;
    throw error;
  }
}

/** A file whose first `keep` bytes stay. */
async function openToGrow(path: string, absolute: string, keep: number): Promise<Result<FileWriter, FileProblem>> {
  const { size } = statSync(absolute);
  if (size < keep) return err(endsEarly(path, size));
  const file = await open(absolute, 'a');
  await file.truncate(keep);
  return ok(await writerOf(file, path, absolute));
}

async function writerOf(file: FileHandle, path: string, absolute: string): Promise<FileWriter> {
  const isRegular = (await file.stat()).isFile();
  return {
    append: (bytes) => appendBytes(file.fd, path, bytes),
    ...(isRegular ? { descriptor: file.fd } : {}),
    sync: () =>
      attempt(path, async () => {
        await file.sync();
        return ok(await syncDirectory(dirname(absolute)));
      }),
    close: () =>
      attempt(path, async () => {
        try {
          await file.sync();
        } finally {
          await file.close();
        }
        return ok(await syncDirectory(dirname(absolute)));
      }),
  };
}

let writes = 0;

/** A fresh path is claimed by an empty file, which the whole one replaces at once. */
async function writeThenRename(
  files: DurableFiles,
  path: string,
  absolute: string,
  content: Uint8Array,
  { mode, fresh }: { readonly mode: number; readonly fresh: boolean },
): Promise<Result<void, FileProblem>> {
  const directory = dirname(absolute);
  writes += 1;
  const temporary = join(directory, `.${basename(absolute).slice(0, 80)}.${process.pid}-${writes}.tmp`);
  try {
    const written = await writeSynced(files, temporary, [content], { mode });
    if (!written.ok) {
      await rm(temporary, { force: true });
      return err({ ...written.error, path });
    }
    if (fresh) {
      const claim = await openFresh(absolute, mode);
      if (claim === null) {
        await rm(temporary, { force: true });
        return err(standsThere(path));
      }
      await claim.close();
    }
    await rename(temporary, absolute);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  return ok(await syncDirectory(directory));
}

const bytesOf = (content: string | Uint8Array): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content;

/** Makes the rename itself durable. Windows cannot open directories, and some file systems refuse to sync them. */
async function syncDirectory(directory: string): Promise<void> {
  try {
    const handle = await open(directory, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code !== 'EISDIR' && code !== 'EPERM' && code !== 'EACCES' && code !== 'EINVAL') throw error;
  }
}
