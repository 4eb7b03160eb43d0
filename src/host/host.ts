/**
 * The outside world, behind one interface: files and a clock. Only `node-host.ts` touches the real ones.
 *
 * Paths are relative to `root` or absolute; both `/` and the platform's separator are understood.
 */
import type { Result } from '../base/result.ts';

/** What can go wrong with a path; `loop` is a cycle of links, `outside` a link that leaves the project. */
export type FileProblemKind =
  | 'missing'
  | 'exists'
  | 'not-a-file'
  | 'not-a-directory'
  | 'denied'
  | 'too-large'
  | 'loop'
  | 'outside'
  | 'no-space'
  | 'other';

/** Why a file operation failed; `message` is a sentence fragment for a person, without the path. */
export interface FileProblem {
  readonly kind: FileProblemKind;
  readonly path: string;
  readonly message: string;
}

/** One entry of a folder. */
export interface DirectoryEntry {
  readonly name: string;
  /** What the entry itself is; a link is not followed. */
  readonly kind: 'file' | 'directory' | 'link' | 'other';
}

interface ReadOptions {
  /** Refuses larger files as `too-large` before reading them; 64 MiB when absent. */
  readonly maxBytes?: number;
  /** Reads open pipes too, to their end: what a shell's `<(…)` and `/dev/stdin` are. */
  readonly pipes?: boolean;
}

/** How a file is created. */
export interface CreateOptions {
  /**
   * Refuses a path that exists, even as a dangling link (`exists`), and decides this while creating the file:
   * anyone who can write to the folder cannot put something there between a look and the write.
   */
  readonly fresh?: boolean;
}

/** How a file that grows is opened. */
interface GrowOptions extends CreateOptions {
  /** The first bytes of the file that is there are kept, this many, and the file must have them; by default none are. */
  readonly keep?: number;
}

/** How a file is written. */
export interface WriteOptions extends CreateOptions {
  /** For the owner's eyes alone, from the first byte on (mode 0600); Windows has no such bits. */
  readonly secret?: boolean;
}

/** Takes the next piece of a file; returns false when it needs no more. */
export type ConsumeChunk = (chunk: Uint8Array) => boolean | Promise<boolean>;

/** A regular file open for reading anywhere. */
export interface OpenFile {
  /** In bytes, when it was opened. */
  readonly size: number;
  /** Another text after every write that the file system notes (inode, size, times of the last changes), when it was opened. */
  readonly version: string;
  /** `length` bytes from `offset`, in the beginning of `into` if that is given; a problem if the file has become shorter. */
  readonly read: (offset: number, length: number, into?: Uint8Array) => Promise<Result<Uint8Array, FileProblem>>;
  readonly close: () => Promise<void>;
}

/** A file that grows. After a problem its end may hold part of what was to be appended. */
export interface FileWriter {
  /** Synchronous: when it returns, the operating system has the bytes, so that they outlive this process, if not the machine. */
  readonly append: (bytes: Uint8Array) => Result<void, FileProblem>;
  /**
   * The descriptor that `appendBytes` appends to from another thread of this process, until `close`; absent if this is not a
   * regular file.
   */
  readonly descriptor?: number;
  /** After it returns, everything appended so far outlives the machine too. */
  readonly sync: () => Promise<Result<void, FileProblem>>;
  /** The same, for the whole file. Nothing can be appended any more. */
  readonly close: () => Promise<Result<void, FileProblem>>;
}

/**
 * One operation of a durable write. A file is created (never one that exists), written at its end, synced and closed; what it
 * holds outlives the machine only once it is synced, and its name only once the folder is.
 */
export type FileOperation =
  | {
      readonly kind: 'make-folder' | 'sync' | 'close' | 'sync-folder' | 'remove' | 'remove-folder';
      readonly path: string;
    }
  /** `mode` are the permissions, as far as the process's mask allows them; 0666 when absent. */
  | { readonly kind: 'create'; readonly path: string; readonly mode?: number }
  | { readonly kind: 'write'; readonly path: string; readonly bytes: Uint8Array }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string };

/** A process, as others can recognise it. */
export interface ProcessIdentity {
  /** The machine, its boot and its namespace of processes. */
  readonly machine: string;
  readonly boot: string;
  readonly namespace: string;
  readonly pid: number;
  /** When it started, in the machine's own words; empty if unknown. */
  readonly started: string;
}

/** The file system of a folder. */
export interface FileSystem {
  /** Bytes that may still be written. */
  readonly freeBytes: number;
  /** Its name if it may not keep what was synced (`NFS`, `FUSE`, `tmpfs`); null for others, and if unknown. */
  readonly unreliable: string | null;
}

/** Files and time. A file that is missing or cannot be read is a problem in the result, never an exception. */
export interface Host {
  /** Absolute; relative paths start here. */
  readonly root: string;
  /** UTF-8; a byte order mark is kept, invalid sequences become U+FFFD. */
  readonly readText: (path: string, options?: ReadOptions) => Promise<Result<string, FileProblem>>;
  readonly readBytes: (path: string, options?: ReadOptions) => Promise<Result<Uint8Array, FileProblem>>;
  /**
   * Reads a regular file of any size piece by piece. A piece is valid only until `consume` returns; false ends reading.
   */
  readonly readChunks: (path: string, consume: ConsumeChunk) => Promise<Result<void, FileProblem>>;
  /** Opens a regular file of any size, to read parts of it. */
  readonly openFile: (path: string) => Promise<Result<OpenFile, FileProblem>>;
  /**
   * Atomic and durable: the file has either its old content or all of `content`, even after a crash. Creates parent
   * directories.
   */
  readonly writeFileAtomic: (
    path: string,
    content: string | Uint8Array,
    options?: WriteOptions,
  ) => Promise<Result<void, FileProblem>>;
  /** A new, empty file, or the one that is there, emptied or cut to what `keep` keeps. Makes parent directories. */
  readonly createFile: (path: string, options?: GrowOptions) => Promise<Result<FileWriter, FileProblem>>;
  /** Renames a file atomically over an existing one: at every moment, even after a crash, one of them is there. */
  readonly rename: (from: string, to: string) => Promise<Result<void, FileProblem>>;
  /** Removes a file; a missing one is not an error. */
  readonly remove: (path: string) => Promise<Result<void, FileProblem>>;
  /** Removes an empty folder and returns whether it did; others are left unchanged. */
  readonly removeEmptyFolder: (path: string) => Promise<Result<boolean, FileProblem>>;
  /**
   * Performs one operation of a durable write; returns how many bytes a write took, which may be fewer than were given, and 0 for
   * the others. `exists` for a file, folder or target of a rename that is there. Nothing follows a link at the end of a path.
   */
  readonly perform: (operation: FileOperation) => Promise<Result<number, FileProblem>>;
  /** Null if the system does not say. */
  readonly fileSystem: (folder: string) => Promise<FileSystem | null>;
  readonly self: () => ProcessIdentity;
  /** Whether a process is certainly over: false for processes of other machines, and for those that cannot be seen. */
  readonly isOver: (process: ProcessIdentity) => boolean;
  /** Entries sorted by name in code-unit order. */
  readonly list: (directory: string) => Promise<Result<readonly DirectoryEntry[], FileProblem>>;
  /** What is at the path, following links. */
  readonly kindOf: (path: string) => Promise<'file' | 'directory' | 'other' | 'missing'>;
  /** Whether the path is a folder in which all users of the machine put what is theirs, as `/tmp` is (world-writable and sticky). */
  readonly isSharedByUsers: (path: string) => Promise<boolean>;
  /** The path with every link resolved, absolute. */
  readonly realPath: (path: string) => Promise<Result<string, FileProblem>>;
  /** Milliseconds from a fixed but unspecified start; never decreases. */
  readonly monotonicMs: () => number;
  /** Whole seconds since 1970 (POSIX time): for what states when it was signed, never for what is to be reproduced. */
  readonly posixSeconds: () => number;
}

/** Largest file that is read whole unless the caller says otherwise: 64 MiB. */
export const defaultMaxBytes = 64 * 1024 * 1024;
