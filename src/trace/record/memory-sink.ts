import { invariant } from '../../base/invariant.ts';
import type { Entry, Manifest } from '../format/trace.ts';
import { packTrace } from '../format/write-trace.ts';
import type { TraceSink } from './sink.ts';

/** Keeps the entries, and makes the bytes of the finished file of them. */
export function memorySink(): TraceSink<Uint8Array> {
  let begun: { readonly manifest: Manifest; readonly json: Uint8Array } | null = null;
  const entries: Entry[] = [];
  return {
    begin: (manifest, json) => void (begun = { manifest, json }),
    entry: (entry) => void entries.push(entry),
    finish(footer) {
      invariant(begun !== null, 'a recorder begins before it finishes');
      return packTrace({ manifest: begun.manifest, entries }, footer, begun.json);
    },
  };
}
