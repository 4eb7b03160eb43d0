/**
 * The append-only log of a node: a text file of hash-chained lines, synced before anything is acknowledged.
 *
 * A plain file, not SQLite: its only operations are to append and to read everything, one line a transaction, and anybody can check
 * it with a text editor and SHA-256. A database would add a native dependency and a second format of the truth.
 */
import { ok, type Result } from '../../base/result.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { decodeUtf8, encodeUtf8 } from '../../base/utf8.ts';
import type { FileProblem, Host } from '../../host/host.ts';
import type { FedEvent } from '../events.ts';
import { nextLine, noLine, readLine, type LoggedEvent } from './log-line.ts';

/** An open log. One process at a time may have it open. */
export interface EventLog {
  /** What was there when it was opened. */
  readonly earlier: readonly LoggedEvent[];
  /** Appends an event; the operating system has it when this returns, the disk only after `sync`. */
  readonly append: (event: FedEvent, at: number) => Result<LoggedEvent, FileProblem>;
  readonly sync: () => Promise<Result<void, FileProblem>>;
  readonly close: () => Promise<Result<void, FileProblem>>;
}

/** The largest log that is read: about a million events. */
export const maxLogBytes = 1024 ** 3;

/** What a log file holds. */
export interface LogFile {
  readonly lines: readonly LoggedEvent[];
  /** Bytes of the whole lines; what follows them is the rest of an append that a crash cut short. */
  readonly wholeBytes: number;
  readonly tornBytes: number;
}

/** Reads a log: PV-8600 names the first line at fault. Bytes after the last newline are not a fault. */
export function readLog(bytes: Uint8Array): Result<LogFile, Problem> {
  const wholeBytes = bytes.lastIndexOf(0x0a) + 1;
  const content = decodeUtf8(bytes.subarray(0, wholeBytes));
  if (content === null) return damaged('It is not UTF-8.');
  const lines: LoggedEvent[] = [];
  let next = { seq: 0, prev: noLine };
  for (const text of content.split('\n').slice(0, -1)) {
    const line = readLine(text, next);
    if (!line.ok) return damaged(`Line ${next.seq + 1} is not a valid one: ${line.error}`, next.seq);
    lines.push(line.value);
    next = { seq: next.seq + 1, prev: line.value.sha256 };
  }
  return ok({ lines, wholeBytes, tornBytes: bytes.length - wholeBytes });
}

const damaged = (message: string, position?: number): Result<never, Problem> =>
  wrong('PV-8600', 'event log', `The event log is damaged: ${message}`, position === undefined ? {} : { position });

/** Opens a log, or begins one. Drops a torn last line; any other damage is PV-8600, and a file that cannot be used PV-8601. */
export async function openEventLog(host: Host, path: string): Promise<Result<EventLog, Problem>> {
  const exists = (await host.kindOf(path)) !== 'missing';
  const bytes = exists ? await host.readBytes(path, { maxBytes: maxLogBytes }) : ok(new Uint8Array(0));
  if (!bytes.ok) return unusable(bytes.error);
  const read = readLog(bytes.value);
  if (!read.ok) return read;
  const file = await host.createFile(path, { keep: read.value.wholeBytes });
  if (!file.ok) return unusable(file.error);
  const synced = await file.value.sync();
  if (!synced.ok) return unusable(synced.error);
  const { lines } = read.value;
  const last = lines.at(-1);
  let next = last === undefined ? { seq: 0, prev: noLine } : { seq: last.seq + 1, prev: last.sha256 };
  let broken: FileProblem | null = null;
  return ok({
    earlier: lines,
    append(event, at) {
      // After a failed append the end may hold part of a line, and nothing may follow that.
      if (broken !== null) return { ok: false, error: broken };
      const { line, text } = nextLine(next, at, event);
      const written = file.value.append(encodeUtf8(`${text}\n`));
      if (!written.ok) {
        broken = written.error;
        return written;
      }
      next = { seq: line.seq + 1, prev: line.sha256 };
      return ok(line);
    },
    sync: async () => {
      const done = await file.value.sync();
      // What a failed sync has lost, a later one does not report again.
      if (!done.ok) broken = done.error;
      return done;
    },
    close: file.value.close,
  });
}

/** PV-8601. */
export const unusable = ({ path, message }: FileProblem): Result<never, Problem> =>
  wrong('PV-8601', 'node folder', `${path} ${message}. Choose a folder that this node can read and write.`);
