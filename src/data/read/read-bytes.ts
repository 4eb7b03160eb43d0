/** The bytes of a data file, unpacked when it is gzip, pushed into a reader. */
import { err, ok, type Result } from '../../base/result.ts';
import type { Code } from '../../diagnostics/codes.ts';
import { diagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { FileProblem, Host } from '../../host/host.ts';
import { createUnpacker, isGzip, type PushBytes } from './stream/gunzip.ts';

/** Pushes every byte until `consume` returns false; returns a finding if the file cannot be read or unpacked. */
export async function pushBytes(host: Host, path: string, consume: PushBytes): Promise<Result<void, Diagnostic>> {
  let unpacker: ReturnType<typeof createUnpacker> | null = null;
  let isFirst = true;
  const read = await host.readChunks(path, (chunk) => {
    if (isFirst && isGzip(chunk)) unpacker = createUnpacker(consume);
    isFirst = false;
    return unpacker ? unpacker.push(chunk) : consume(chunk);
  });
  const problem = await endOf(unpacker);
  if (!read.ok) return err(unreadable(read.error));
  if (problem === null) return ok(undefined);
  return err(
    diagnostic('PV-7036', null, `The file is compressed with gzip and does not unpack: ${problem}`, {
      subject: path,
      hint: 'Copy it again, or unpack it by hand to see how far it goes.',
    }),
  );
}

function endOf(unpacker: ReturnType<typeof createUnpacker> | null): Promise<string | null> | null {
  return unpacker === null ? null : unpacker.end();
}

function unreadable(problem: FileProblem): Diagnostic {
  const code: Code = problem.kind === 'missing' ? 'PV-8001' : 'PV-8002';
  return diagnostic(code, null, `The data file ${problem.message}`, { subject: problem.path });
}

const HEAD_BYTES = 64 * 1024;

/** The beginning of a file, from which its format is recognised. */
export interface Head {
  readonly bytes: Uint8Array;
  /** The file has no more than these. */
  readonly isWhole: boolean;
}

/** The first bytes of a file, unpacked: enough to recognise it. */
export async function readHead(host: Host, path: string): Promise<Result<Head, Diagnostic>> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const read = await pushBytes(host, path, (chunk) => {
    const piece = chunk.slice(0, HEAD_BYTES - length);
    pieces.push(piece);
    length += piece.length;
    return length < HEAD_BYTES;
  });
  if (!read.ok && length === 0) return read;
  return ok({ bytes: concat(pieces, length), isWhole: read.ok && length < HEAD_BYTES });
}

/** The text of a file, its byte order mark kept. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** In bytes; a log is streamed, a config is held in memory. */
export const MAX_HELD = 64 * 1024 * 1024;

/** The whole text of a config. */
export async function readWhole(host: Host, path: string): Promise<Result<string, Diagnostic>> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const read = await pushBytes(host, path, (chunk) => {
    length += chunk.length;
    if (length <= MAX_HELD) pieces.push(chunk.slice());
    return length <= MAX_HELD;
  });
  if (!read.ok) return read;
  if (length <= MAX_HELD) return ok(decodeText(concat(pieces, length)));
  return err(
    diagnostic('PV-7034', null, `The file is a config or a JSON document of more than ${MAX_HELD / 1024 / 1024} MiB`, {
      subject: path,
      hint: 'Write logs as JSON Lines, one object per line: they are read piece by piece.',
    }),
  );
}

function concat(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
