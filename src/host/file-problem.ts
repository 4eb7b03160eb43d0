import type { FileProblem, FileProblemKind } from './host.ts';

const kinds: Readonly<Record<string, readonly [FileProblemKind, string]>> = {
  ENOENT: ['missing', 'does not exist'],
  EISDIR: ['not-a-file', 'is a directory'],
  ENOTDIR: ['not-a-directory', 'is not a directory'],
  // The error of creating the folders of a path if a file is in their place.
  EEXIST: ['not-a-directory', 'cannot be written: a file is in the place of a folder of its path'],
  EACCES: ['denied', 'permission denied'],
  EPERM: ['denied', 'operation not permitted'],
  EROFS: ['denied', 'the file system is read-only'],
  ELOOP: ['loop', 'is a loop of symbolic links'],
  ENOSPC: ['no-space', 'no space left on the device'],
  EDQUOT: ['no-space', 'the quota of the disk is used up'],
  EFBIG: ['no-space', 'is as large as a file may be here'],
  ENAMETOOLONG: ['other', 'the name is too long'],
};

/** The problem behind an error that `node:fs` threw. */
export function problemOf(path: string, error: unknown): FileProblem {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const [kind, message] = kinds[code] ?? ['other', error instanceof Error ? error.message : String(error)];
  return { kind, path, message };
}

/** What is wrong with a file, to follow a colon: `it is a directory`, but `permission denied`. */
export const asClause = ({ message }: Pick<FileProblem, 'message'>): string =>
  /^(?:is|has|does|cannot|ends|takes|changed)\b/u.test(message) ? `it ${message}` : message;

/** A path that was to be created exists. */
export const standsThere = (path: string): FileProblem => ({
  kind: 'exists',
  path,
  message: 'it exists already',
});

/** A file that is not read, because of its size. */
export function tooLarge(path: string, bytes: number, maxBytes: number): FileProblem {
  return { kind: 'too-large', path, message: `has ${bytes} bytes, more than the ${maxBytes} that are read` };
}

/** A file that ends before the bytes that were to be read. */
export const endsEarly = (path: string, size: number): FileProblem => ({
  kind: 'other',
  path,
  message: `ends after ${size} bytes, although it was longer when it was opened`,
});
