/**
 * Writes a trace to its file while it grows: a block for each entry, immediately, so that a crash loses no accepted entry. At
 * the end the blocks are packed into a second file, which replaces the first. Memory does not grow with the trace.
 */
import { invariant } from '../../base/invariant.ts';
import { ok, type Result } from '../../base/result.ts';
import { count } from '../../base/text.ts';
import type { CreateOptions, FileProblem, FileWriter, Host } from '../../host/host.ts';
import { createFrameWriter, type FrameWriter } from '../format/frame.ts';
import { packJournal } from '../format/pack-journal.ts';
import type { Problem } from '../../base/problem.ts';
import { recorderError } from './recorder-error.ts';
import type { TraceSink } from './sink.ts';

/** A sink that writes a file; when finished, it returns the file's size in bytes. */
export interface FileSink extends TraceSink<{ readonly bytes: number }> {
  /** Gives the recording up: the file keeps the entries so far, and says that it is incomplete. */
  readonly abandon: () => Promise<Result<void, FileProblem>>;
}

/**
 * A sink that writes `path`, replacing an existing file unless it must be `fresh`. If it can no longer be written, the recorder
 * throws PV-8047.
 *
 * Each entry is handed to the operating system before the recorder's call returns, or, with a hashing thread, when that thread
 * appends it. `finish` makes the whole file durable.
 */
export async function createFileSink(
  host: Host,
  path: string,
  options: CreateOptions = {},
): Promise<Result<FileSink, FileProblem>> {
  const created = await host.createFile(path, options);
  if (!created.ok) return created;
  const file: FileWriter = created.value;
  const { descriptor } = file;
  /** Entries that are whole in the file. */
  let entries = 0;
  const whole = (): string => `${count(entries, 'entry', 'entries')}, whole`;
  let frames: FrameWriter | null = null;
  /** Waits for the thread that may be writing the next entry. */
  let lent: (() => unknown) | null = null;
  const begun = (): FrameWriter => {
    invariant(frames !== null, 'a recorder begins before it continues');
    return frames;
  };
  const lend: TraceSink<unknown>['lend'] = (begin) => {
    invariant(descriptor !== undefined, 'what has no descriptor is not lent');
    const outcome = begin({ descriptor, path, behind: begun().written });
    lent = outcome;
    return outcome;
  };
  return ok({
    begin(_, json) {
      frames = createFrameWriter(json);
      orThrow(file.append(frames.header()), 'It contains no manifest yet, so it is not a trace.');
    },
    entry(entry, appended) {
      lent = null;
      if (appended === null) orThrow(file.append(begun().plainBlock([entry])), `It holds ${whole()}.`);
      else begun().goOn(orThrow(appended, `It holds ${whole()}, and may hold this step.`));
      entries += 1;
    },
    ...(descriptor === undefined ? {} : { lend }),
    async finish(footer) {
      orThrow(await file.close(), 'Its last entries may be lost with this machine.');
      const packing = `${path}.packing`;
      const kept = `${path} holds ${whole()}, and is incomplete: neither finished nor signed.`;
      // A leftover of a crash, or of someone else; a link is removed itself, not its target.
      await host.remove(packing);
      const packed = await packJournal(host, path, packing, footer);
      if (!packed.ok) {
        await host.remove(packing);
        throw recorderError('kind' in packed.error ? unwritable(packed.error, kept) : packed.error);
      }
      orThrow(await host.rename(packing, path), kept);
      return { bytes: packed.value };
    },
    abandon() {
      lent?.();
      return file.close();
    },
  });
}

function orThrow<T>(result: Result<T, FileProblem>, whatIsThere: string): T {
  if (!result.ok) throw recorderError(unwritable(result.error, whatIsThere));
  return result.value;
}

function unwritable({ path, message }: FileProblem, whatIsThere: string): Problem {
  return { code: 'PV-8047', check: 'file', message: `The trace cannot be written: ${path} ${message}. ${whatIsThere}` };
}
