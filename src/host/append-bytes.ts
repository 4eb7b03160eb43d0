import { writeSync } from 'node:fs';
import { ok, err, type Result } from '../base/result.ts';
import { problemOf } from './file-problem.ts';
import type { FileProblem } from './host.ts';

/**
 * Writes `bytes` where the last ones of an open file ended; `path` is what a problem names.
 *
 * Synchronous, and from any thread of the process: all of them share the file's end, so that one at a time may append.
 */
export function appendBytes(descriptor: number, path: string, bytes: Uint8Array): Result<void, FileProblem> {
  try {
    // A full disk takes a part of the bytes before it refuses the rest.
    for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
    return ok(undefined);
  } catch (error) {
    return err(problemOf(path, error));
  }
}
