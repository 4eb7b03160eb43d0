/** The time of recording, finishing and checking a trace, and its size in bytes. */
import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { invariant } from '../../src/base/invariant.ts';
import { ok } from '../../src/base/result.ts';
import { createNodeHost } from '../../src/host/node-host.ts';
import type { Manifest, Step, Trace } from '../../src/trace/format/trace.ts';
import { hashColumn, packColumns } from '../../src/trace/format/columns.ts';
import { treeOf } from '../../src/trace/format/leaves.ts';
import { encodeTrace } from '../../src/trace/format/write-trace.ts';
import { sha256 } from '../../src/merkle/sha256.ts';
import { parseVerifierKey } from '../../src/notes/key.ts';
import { generateSigner, parseSignerKey } from '../../src/notes/signer.ts';
import { signTreeHead } from '../../src/notes/tree-head.ts';
import { startLogitsThread } from '../../src/trace/record/logits-thread.ts';
import { createFileSink } from '../../src/trace/record/file-sink.ts';
import { memorySink } from '../../src/trace/record/memory-sink.ts';
import { createRecorder, type Recorder } from '../../src/trace/record/recorder.ts';
import type { Anchor } from '../../src/trace/verify/anchor.ts';
import { checkProof } from '../../src/trace/verify/check-proof.ts';
import { makeProof } from '../../src/trace/verify/make-proof.ts';
import { least, leastAsync } from './processor-time.ts';
import { leastOfThread } from './thread-time.ts';
import { valueOf } from './value-of.ts';

const builtWorker = pathToFileURL('dist/cli/keep-logits.worker.js').href;

const manifestOf = (vocabSize: number): Manifest => ({
  format: 'pv-trace/2',
  tool: { name: 'pv', version: '0.0.0' },
  model: { name: 'synthetic', digest: null },
  tokenizer: { name: 'synthetic', digest: null },
  config: null,
  vocabSize,
  prompt: { tokens: [1], text: null },
  steps: null,
  sampler: { kind: 'greedy' },
  profile: 'f32-strict/1',
  sketch: 0,
});

/**
 * Microseconds of the generating thread that recording one step takes: hashed by that thread or by another one, kept in
 * memory or written to a file.
 */
export async function recordingStep(
  logits: Float32Array,
  { beside, file }: { readonly beside: boolean; readonly file: string | null },
  rounds: number,
): Promise<number> {
  const thread = beside ? startLogitsThread(logits.length, 0, builtWorker) : null;
  const made = file === null ? ok(memorySink()) : await createFileSink(createNodeHost(), file);
  invariant(made.ok, 'the file can be written');
  const recorder = createRecorder<unknown>(manifestOf(logits.length), { sink: made.value, thread });
  let position = 0;
  const step = (): void => {
    recorder.logits(position++, 1, logits);
    recorder.token(1);
  };
  for (let tries = 0; thread?.taken() === 0; tries++) {
    invariant(tries < 1000, 'the thread starts: is dist/ there?');
    await sleep(5);
    step();
  }
  // The logits are in the cache, because an engine has just written them.
  const computed = logits.slice();
  const microseconds = leastOfThread(rounds, 100, () => logits.set(computed), step);
  await recorder.finish();
  return microseconds;
}

function recorded(logits: Float32Array, steps: number): Recorder<Uint8Array> {
  const recorder = createRecorder(manifestOf(logits.length));
  for (let position = 0; position < steps; position++) {
    recorder.logits(position, 1, logits);
    recorder.token(1);
  }
  return recorder;
}

/** Microseconds for the root after `steps` recorded steps, and for the whole file with it. */
export async function finishing(
  logits: Float32Array,
  steps: number,
  rounds: number,
): Promise<{ root: number; file: number }> {
  const recorder = recorded(logits, steps);
  return {
    root: least(rounds, () => void recorder.head()),
    file: await leastAsync(
      rounds,
      () => recorded(logits, steps),
      (one) => one.finish(),
    ),
  };
}

/** A trace of random tokens, which do not compress. */
function madeTrace(steps: number, vocabSize: number): Trace {
  const token = (position: number): number => (position === 0 ? 1 : (position * 7919) % vocabSize);
  const entries = Array.from({ length: steps }, (_, position): Step => ({
    kind: 'step',
    position,
    inputToken: token(position),
    outputToken: token(position + 1),
    logitsHash: sha256(Uint8Array.of(position & 255, position >> 8)),
    sketch: null,
  }));
  return { manifest: manifestOf(vocabSize), entries };
}

/**
 * Microseconds for checking the proof of one step in a trace of `steps`: against a root and a size that the verifier has,
 * or against a signed checkpoint (new for every proof, or the same for all), whose key is parsed for each check.
 */
export async function proofCheck(
  steps: number,
  rounds: number,
  by: 'root' | 'a new signature' | 'a known signature' = 'root',
): Promise<number> {
  const trace = madeTrace(steps, 32_000);
  const tree = treeOf(trace);
  const head = { size: tree.size, root: tree.root() };
  const keys = valueOf(generateSigner('bench.example', 'ed25519'));
  const signer = valueOf(parseSignerKey(keys.signerKey));
  // More signatures than are remembered.
  const calls = 100;
  const proofs = Array.from({ length: calls }, (_, call) => {
    const origin = `bench.example/trace${by === 'a new signature' ? `/${call}` : ''}`;
    const checkpoint = by === 'root' ? null : valueOf(signTreeHead(head, origin, [signer], 0));
    return valueOf(makeProof(trace, Math.floor(steps / 2), checkpoint));
  });
  const anchor = (): Anchor =>
    by === 'root' ? head : { policy: { keys: [valueOf(parseVerifierKey(keys.verifierKey))], threshold: 1 } };
  const whole = await leastAsync(
    rounds,
    () => null,
    async () => {
      for (const proof of proofs) {
        const { verdict } = await checkProof(proof, anchor());
        invariant(verdict === 'verified', 'the proof holds');
      }
    },
  );
  return whole / calls;
}

/** Microseconds of Node's own Ed25519 for one signature: the least that a signed proof can take. */
export function bareSignatureCheck(rounds: number): number {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const message = new Uint8Array(150);
  const signature = sign(null, message, privateKey);
  const calls = 100;
  const whole = least(rounds, () => {
    for (let call = 0; call < calls; call++) verify(null, message, publicKey, signature);
  });
  return whole / calls;
}

/** Bytes per step without the manifest: before compression, and in the file. */
export async function bytesPerStep(steps: number): Promise<{ plain: number; file: number }> {
  const trace = madeTrace(steps, 32_000);
  const plain = packColumns(trace.entries, false).length + hashColumn(trace.entries).length;
  const empty = await encodeTrace({ ...trace, entries: [] }, null);
  const whole = await encodeTrace(trace, null);
  return { plain: plain / steps, file: (whole.length - empty.length) / steps };
}
