import { traceOrigin } from '../../notes/checkpoint.ts';
import { parseSignerKey, type Signer } from '../../notes/signer.ts';
import { signTreeHead } from '../../notes/tree-head.ts';
import { orThrow, recorderError } from './recorder-error.ts';
import type { SignHead } from './sink.ts';

/**
 * Signs a finished trace: `recorder.finish(signWith([key], seconds))`. The origin is the first key's name and the
 * trace's own.
 *
 * `keys` are secret texts (`PRIVATE+KEY+…`), one at least; `time` is in whole POSIX seconds, for keys that state it.
 * Throws a RecorderError for a malformed key (PV-8052, PV-8053) at once, so that no generation is lost to it.
 */
export function signWith(keys: readonly string[], time: number): SignHead {
  return signBy(
    keys.map((key) => orThrow(parseSignerKey(key))),
    time,
  );
}

/** The same for keys that were already read. Throws a RecorderError (PV-8057) if there are none. */
export function signBy(signers: readonly Signer[], time: number): SignHead {
  const [first] = signers;
  if (first === undefined) {
    throw recorderError({ code: 'PV-8057', check: 'signers', message: 'A trace is signed by one key at least.' });
  }
  return (head) => orThrow(signTreeHead(head, traceOrigin(first.key.name, head.manifestHash), signers, time));
}
