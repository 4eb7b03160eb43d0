/**
 * What recording costs, counted rather than timed, as bound by `contracts/trace-recording-v1.yaml`: SHA-256 digests, the
 * bytes that go into them, and appends to the file.
 *
 * A recording of `m` steps of `v` logits, `s` of them kept with each, is written to a file while it grows. Logits and
 * tokens differ from step to step, and say nothing else.
 */
import { ok } from '../../base/result.ts';
import type { Host } from '../../host/host.ts';
import { createMemoryHost } from '../../host/memory-host.ts';
import { hashedSoFar } from '../../merkle/sha256.ts';
import { createFileSink } from '../record/file-sink.ts';
import { createRecorder } from '../record/recorder.ts';
import type { TraceSink } from '../record/sink.ts';
import { wholeNumbers } from './bytes.ts';
import { manifestOf } from './recordings.ts';
import { valueOf } from './value-of.ts';

/** Digests, bytes hashed and appends: for each step's logits, then for its token; after all steps, for the root. */
export async function costs(m: number, v: number, s: number): Promise<Int32Array> {
  return wholeNumbers((await record(m, v, s, 'unpacked')).recorder);
}

/**
 * Digests, bytes hashed and appends of making the finished file, once the root is known; bytes of the growing file, of
 * its header, and of the finished one.
 */
export async function packing(m: number, v: number, s: number): Promise<Int32Array> {
  return wholeNumbers((await record(m, v, s, 'packed')).packing);
}

/** Digests, bytes hashed, appends. */
type Cost = readonly [number, number, number];

interface Costs {
  readonly recorder: readonly number[];
  readonly packing: readonly number[];
}

/** Packing takes as long as recording: to get only the recorder's costs, the file is left as it grew. */
async function record(m: number, v: number, s: number, end: 'packed' | 'unpacked'): Promise<Costs> {
  const { host, appends, fileBytes } = countingHost();
  let before: Cost = [0, 0, 0];
  /** What was spent since the last call. */
  const spent = (): Cost => {
    const { digests, bytes } = hashedSoFar();
    const [thenDigests, thenBytes, thenAppends] = before;
    before = [digests, bytes, appends()];
    return [digests - thenDigests, bytes - thenBytes, appends() - thenAppends];
  };
  const created = valueOf(await createFileSink(host, path));
  const sums: Cost[] = [];
  const sink: TraceSink<unknown> = {
    ...created,
    finish(footer) {
      sums.push(spent());
      return end === 'packed' ? created.finish(footer) : created.abandon();
    },
  };
  const recorder = createRecorder(manifestOf(v, s), { sink });
  const logits = new Float32Array(v);
  const header = fileBytes();
  spent();
  for (let position = 0; position < m; position++) {
    logits[position % v] = position + 1;
    recorder.logits(position, position % v, logits);
    sums.push(spent());
    recorder.token((position + 1) % v);
    sums.push(spent());
  }
  const growing = fileBytes();
  await recorder.finish();
  return { recorder: sums.flat(), packing: [...spent(), growing, header, fileBytes()] };
}

const path = '/run.trace';

interface CountingHost {
  readonly host: Host;
  readonly appends: () => number;
  readonly fileBytes: () => number;
}

function countingHost(): CountingHost {
  const memory = createMemoryHost();
  let appends = 0;
  const host: Host = {
    ...memory,
    async createFile(path) {
      const created = await memory.createFile(path);
      if (!created.ok) return created;
      const file = created.value;
      return ok({
        ...file,
        append(bytes) {
          appends += 1;
          return file.append(bytes);
        },
      });
    },
  };
  return { host, appends: () => appends, fileBytes: () => memory.files.get(path)?.length ?? 0 };
}
