/** The operations of durable writes, on the real file system. */
import { mkdir, open, rename, rmdir, unlink, type FileHandle } from 'node:fs/promises';
import { err, ok } from '../base/result.ts';
import { problemOf, standsThere } from './file-problem.ts';
import type { FileOperation, FileProblem, Host } from './host.ts';

/** Performs operations; `at` makes paths absolute. Files stay open between `create` and `close`. */
export function nodeOperations(at: (path: string) => string): Host['perform'] {
  const files = new Map<string, FileHandle>();
  return async (operation) => {
    try {
      return ok(await performOn(files, at, operation));
    } catch (error) {
      return err(problemOfOperation(operation, error));
    }
  };
}

async function performOn(
  files: Map<string, FileHandle>,
  at: (path: string) => string,
  operation: FileOperation,
): Promise<number> {
  switch (operation.kind) {
    case 'make-folder':
      await mkdir(at(operation.path));
      return 0;
    case 'create':
      files.set(at(operation.path), await open(at(operation.path), 'wx', operation.mode ?? 0o666));
      return 0;
    case 'write':
      return (await opened(files, at(operation.path)).write(operation.bytes)).bytesWritten;
    case 'sync':
      await opened(files, at(operation.path)).sync();
      return 0;
    case 'close': {
      const file = opened(files, at(operation.path));
      files.delete(at(operation.path));
      await file.close();
      return 0;
    }
    case 'rename':
      await rename(at(operation.from), at(operation.to));
      return 0;
    case 'sync-folder':
      await syncFolder(at(operation.path));
      return 0;
    case 'remove':
      await unlink(at(operation.path));
      return 0;
    case 'remove-folder':
      await rmdir(at(operation.path));
      return 0;
  }
}

function opened(files: ReadonlyMap<string, FileHandle>, path: string): FileHandle {
  const file = files.get(path);
  if (file === undefined) throw new Error('is not open');
  return file;
}

/** Makes the names in a folder durable. Windows cannot open folders: there, NTFS journals a rename itself. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Codes of an operation whose target is there; POSIX allows both for a folder that is not empty. */
const there: readonly unknown[] = ['EEXIST', 'ENOTEMPTY'];

function problemOfOperation(operation: FileOperation, error: unknown): FileProblem {
  const path = operation.kind === 'rename' ? operation.to : operation.path;
  const isThere = error instanceof Error && 'code' in error && there.includes(error.code);
  return isThere && operation.kind !== 'remove-folder' ? standsThere(path) : problemOf(path, error);
}
