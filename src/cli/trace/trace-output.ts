/** Writes the steps of a generation to a file in either format. */
import { err, ok, type Result } from '../../base/result.ts';
import { count } from '../../base/text.ts';
import type { GenerationStep } from '../../trace/engine/generate.ts';
import type { Entry, Manifest } from '../../trace/format/trace.ts';
import { sha256 } from '../../merkle/sha256.ts';
import { legacyTrace, type LegacyEntry } from '../../trace/legacy/trace.ts';
import { writeLegacyTrace } from '../../trace/legacy/write-trace.ts';
import type { Hash } from '../../merkle/hash.ts';
import type { Tokenizer } from '../../trace/model/model.ts';
import type { Problem } from '../../base/problem.ts';
import { littleEndianBytes } from '../../tensors/float32-bytes.ts';
import type { SignHead } from '../../trace/record/sink.ts';
import { createFileSink } from '../../trace/record/file-sink.ts';
import type { Appended } from '../../trace/record/kept-logits.ts';
import { isRecorderError } from '../../trace/record/recorder-error.ts';
import { logitsThreadFor } from '../../trace/record/logits-thread.ts';
import { createRecorder } from '../../trace/record/recorder.ts';
import { say, type Cli } from '../cli.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { unwritten, writeOutput, type Target } from './output-file.ts';
import { sayProblem } from '../problem-text.ts';
import type { RecordFlags } from './record-flags.ts';

/** What was written; llama2-rs does not bind the number of leaves, so it is missing there. */
interface Recorded {
  readonly bytes: number;
  readonly root: Hash;
  readonly leaves: number | null;
}

/** A file that takes the steps of one generation. */
export interface TraceOutput {
  /** Takes a step before the engine reuses its logits. */
  readonly step: (step: GenerationStep) => Problem | null;
  /** Ends the file, or the exit code after saying why it could not. */
  readonly finish: () => Promise<Recorded | ExitCode>;
  /** Keeps the steps taken so far, and reports what was written. */
  readonly abandon: () => Promise<void>;
}

/** Written while it grows, or the exit code after saying why the file could not be made. */
export async function v2Output(
  cli: Cli,
  { name, path, fresh }: Target,
  manifest: Manifest,
  sign: SignHead | null,
): Promise<TraceOutput | ExitCode> {
  const sink = await createFileSink(cli.host, path, { fresh });
  if (!sink.ok) return unwritten(cli, name, sink.error);
  const thread = logitsThreadFor(manifest);
  let written = 0;
  const entry = (one: Entry, appended: Appended | null): void => {
    sink.value.entry(one, appended);
    written += 1;
  };
  const started = attempt(() => createRecorder(manifest, { sink: { ...sink.value, entry }, thread }));
  if (!started.ok) {
    sayProblem(cli, started.error);
    thread?.end();
    await sink.value.abandon();
    // It has no complete manifest and is worthless.
    await cli.host.remove(path);
    return exitCodes.findings;
  }
  const recorder = started.value;
  /** What ended the recording and has already been reported. */
  let told: Problem | null = null;
  return {
    step({ position, inputToken, logits, outputToken }) {
      const taken = attempt(() => {
        recorder.logits(position, inputToken, logits);
        recorder.token(outputToken);
      });
      if (!taken.ok) told = taken.error;
      return told;
    },
    async finish() {
      try {
        const { file, root, size } = await recorder.finish(sign ?? undefined);
        return { bytes: file.bytes, root, leaves: size };
      } catch (error) {
        if (!isRecorderError(error)) throw error;
        sayProblem(cli, error.problem);
        return exitCodes.findings;
      }
    },
    async abandon() {
      // The last step may still be waiting for its hash.
      const last = attempt(recorder.head);
      if (!last.ok && last.error !== told) sayProblem(cli, last.error);
      thread?.end();
      const closed = await sink.value.abandon();
      if (closed.ok) say(cli, `${name} holds ${count(written, 'step')} and is incomplete`);
      else say(cli, `pv: '${name}' cannot be written: ${closed.error.message}`);
    },
  };
}

/** What a recorder refuses, as a value. */
function attempt<T>(record: () => T): Result<T, Problem> {
  try {
    return ok(record());
  } catch (error) {
    if (isRecorderError(error)) return err(error.problem);
    throw error;
  }
}

/** Kept in memory: in that format leaves follow entries, and an incomplete trace cannot be represented. */
export function legacyOutput(
  cli: Cli,
  target: Target,
  { model, format }: RecordFlags,
  manifest: Manifest,
  tokenizer: Tokenizer,
): TraceOutput {
  const entries: LegacyEntry[] = [];
  const { prompt, steps } = manifest;
  return {
    step({ position, inputToken, logits, outputToken }) {
      const text = format === 'legacy-text' ? legacyText(tokenizer, inputToken, outputToken) : null;
      entries.push({ position, token: inputToken, text, logitsHash: sha256(littleEndianBytes(logits)) });
      return null;
    },
    async finish() {
      // llama2-rs stores the path as given; nothing binds it.
      const trace = legacyTrace(entries, {
        modelPath: model,
        prompt: prompt.text ?? '',
        steps: steps ?? entries.length,
      });
      if (!trace.ok) {
        sayProblem(cli, trace.error);
        return exitCodes.usage;
      }
      const bytes = writeLegacyTrace(trace.value);
      const ended = await writeOutput(cli, target, bytes);
      return ended === exitCodes.ok ? { bytes: bytes.length, root: trace.value.root, leaves: null } : ended;
    },
    async abandon() {
      say(cli, `${target.name} was not written: the format of llama2-rs cannot represent an incomplete trace`);
    },
  };
}

/** As llama2-rs decodes: each token by itself, so that a byte of a longer character is U+FFFD. */
function legacyText(tokenizer: Tokenizer, previous: number, token: number): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(tokenizer.decode(previous, token));
}
