/** Verifies the certificate of a run up to a requested level; the verdict names the level reached. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { err, ok, type Result } from '../../base/result.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { sha256 } from '../../merkle/sha256.ts';
import type { CheckpointDigest, TrainingCertificate } from '../certificate/certificate.ts';
import { readCertificate } from '../certificate/read-certificate.ts';
import { readCompacted, type CompactedLedger } from '../ledger/compact.ts';
import { readLedger, type LedgerFile } from '../ledger/read-ledger.ts';
import { readCheckpoint } from '../run/checkpoint.ts';
import { checkEnvelope, parseEnvelope } from '../../notes/dsse.ts';
import type { VerifierKey } from '../../notes/key.ts';
import { sameBytes } from '../../merkle/hash.ts';
import { statementOf, statementType, type StatementFiles } from '../certificate/statement.ts';
import { isObject, textFileOf } from '../run/model-and-data.ts';
import type { Kept } from '../trainer/stepper.ts';
import { isTrainingError } from '../training-error.ts';
import { checkLedger } from './check-ledger.ts';
import { checkFinalNorms, checkWeights } from './check-weights.ts';
import { createReplay, type Replay } from './replay.ts';
import { trainAgain } from './train-again.ts';

/**
 * - `files`: the certificate, the weights and the configuration match.
 * - `ledger`: every count follows from the ledger, every verdict from its comparisons, and the final weights have its last norms.
 * - `spot`: some segments between checkpoints replay bit for bit.
 * - `full`: the whole run replays bit for bit.
 */
export type Level = 'files' | 'ledger' | 'spot' | 'full';

const levels: readonly Level[] = ['files', 'ledger', 'spot', 'full'];

/** The files of a run. */
export interface RunFiles {
  readonly certificate: Uint8Array;
  /** weights.safetensors. */
  readonly weights: Uint8Array;
  /** training.intoto.json; null if it is missing. */
  readonly envelope: Uint8Array | null;
  /** ledger.jsonl; null if it is missing. */
  readonly ledger: Uint8Array | null;
  /** ledger.compacted.json, which may replace the ledger; null if it is missing. */
  readonly compacted: Uint8Array | null;
  /** data.txt, the text that the run trained on; null if it is missing. Read only for a replay of a run on a text. */
  readonly text: () => Promise<Uint8Array | null>;
  /** The file of a checkpoint; null if it is missing. */
  readonly checkpoint: (step: number) => Promise<Uint8Array | null>;
}

/** The level to reach. */
export interface VerifyOptions {
  readonly level: Level;
  /** The keys whose signatures are required. */
  readonly keys: readonly VerifierKey[];
  /** The names of the files in the signed statement. */
  readonly names: StatementFiles;
  /** Number of segments that a spot check replays, at least 1. */
  readonly segments: number;
  /** A random whole number in [0, n), unpredictable to the author of the run. */
  readonly pick: (n: number) => number;
}

/** The verdict. */
export interface CertificateVerdict {
  readonly certificate: TrainingCertificate | null;
  /** The highest level reached; null if not even `files` is. */
  readonly reached: Level | null;
  /** The keys whose signatures were required and found. */
  readonly signedBy: readonly string[];
  /** Why the requested level was not reached. */
  readonly problem: Problem | null;
  /** Number of steps replayed. */
  readonly replayed: number;
}

/** Verifies one level after another, and stops at the first that fails. */
export async function verifyCertificate(files: RunFiles, options: VerifyOptions): Promise<CertificateVerdict> {
  const read = readCertificate(files.certificate);
  if (!read.ok) return { certificate: null, reached: null, problem: read.error, signedBy: [], replayed: 0 };
  const certificate = read.value;
  let reached: Level | null = null;
  let replayed = 0;
  let signedBy: readonly string[] = [];
  const wanted = levels.indexOf(options.level);
  const stop = (problem: Problem | null): CertificateVerdict => ({ certificate, reached, problem, signedBy, replayed });

  const weights = checkWeights(certificate, files.weights);
  if (!weights.ok) return stop(weights.error);
  const signed = await checkSignatures(files, certificate, options);
  if (!signed.ok) return stop(signed.error);
  signedBy = signed.value;
  reached = 'files';
  if (wanted < 1) return stop(null);

  const ledger = ledgerOf(certificate, files, options.level);
  if (!ledger.ok) return stop(ledger.error);
  const whole = 'records' in ledger.value ? ledger.value : null;
  if (whole !== null) {
    const norms = checkFinalNorms(certificate, whole.records, files.weights);
    if (!norms.ok) return stop(norms.error);
    reached = 'ledger';
  }
  if (wanted < 2) return stop(null);

  const { run: document } = certificate.config;
  const text = isObject(document) && textFileOf(document) !== null ? await files.text() : null;
  const replay = createReplay(certificate, text);
  if (!replay.ok) return stop(replay.error);
  const steps = await caught(() =>
    options.level === 'full' || whole === null
      ? trainAgain(replay.value.run, certificate, ledger.value)
      : replaySome(replay.value, certificate, whole, files, options),
  );
  if (!steps.ok) return stop(steps.error);
  const kept = options.level === 'full' ? await checkCheckpoints(files, certificate) : ok(null);
  if (!kept.ok) return stop(kept.error);
  reached = options.level;
  replayed = steps.value;
  return stop(null);
}

/** A stranger's run file may ask for what its model cannot do, which is a problem of that run and not of the verifier. */
async function caught<T>(replay: () => Promise<Result<T, Problem>>): Promise<Result<T, Problem>> {
  try {
    return await replay();
  } catch (error) {
    if (isTrainingError(error)) return err(error.problem);
    throw error;
  }
}

/** Checks that every required key signed a statement about exactly these files; returns the labels of the keys. */
async function checkSignatures(
  { envelope, certificate: file }: RunFiles,
  certificate: TrainingCertificate,
  { keys, names }: VerifyOptions,
): Promise<Result<readonly string[], Problem>> {
  if (keys.length === 0) return ok([]);
  if (envelope === null) return wrong('PV-8414', 'signature', `The run is not signed: it has no signed statement.`);
  const parsed = parseEnvelope(envelope);
  if (!parsed.ok) return parsed;
  const { payloadType, payload } = parsed.value;
  if (payloadType !== statementType || !sameBytes(payload, statementOf(certificate, file, names)))
    return wrong('PV-8414', 'statement', 'The signed statement is not about these files.');
  return checkEnvelope(parsed.value, keys);
}

/** The ledger; a compacted one only if the whole run will be replayed, which does not need its lines. */
function ledgerOf(
  certificate: TrainingCertificate,
  { ledger: bytes, compacted }: RunFiles,
  level: Level,
): Result<LedgerFile | CompactedLedger, Problem> {
  if (bytes === null && compacted !== null) return withoutLines(certificate, compacted, level);
  const content = bytes === null ? null : decodeUtf8(bytes);
  if (content === null)
    return wrong('PV-8409', 'ledger', bytes === null ? 'The ledger is missing.' : 'The ledger is not UTF-8.');
  const ledger = readLedger(content);
  if (!ledger.ok) return ledger;
  if (ledger.value.torn > 0)
    return wrong('PV-8409', 'ledger', `The ledger ends with ${ledger.value.torn} bytes of an incomplete line.`);
  const checked = checkLedger(certificate, ledger.value);
  return checked.ok ? ledger : checked;
}

/** Checks a compacted ledger, which supports only its own proofs and a replay of the whole run. */
function withoutLines(
  certificate: TrainingCertificate,
  bytes: Uint8Array,
  level: Level,
): Result<CompactedLedger, Problem> {
  const compacted = readCompacted(decodeUtf8(bytes) ?? '');
  if (!compacted.ok) return compacted;
  const { leaves, root, kept } = compacted.value;
  if (leaves !== certificate.ledger.leaves || root !== certificate.ledger.root)
    return wrong('PV-8416', 'compacted ledger', 'The compacted ledger does not match the certificate.', {
      expected: certificate.ledger.root,
      actual: root,
    });
  if (level === 'full') return compacted;
  const left = `${kept.length} of ${leaves} lines are left, each with a proof that it belongs to the ledger`;
  return wrong('PV-8409', 'ledger', `The ledger was compacted: ${left}. Only --level full can verify the others.`);
}

/** Replays segments between checkpoints that `pick` chooses, each at most once. */
async function replaySome(
  replay: Replay,
  { checkpoints }: TrainingCertificate,
  { records }: LedgerFile,
  files: RunFiles,
  { segments, pick }: VerifyOptions,
): Promise<Result<number, Problem>> {
  const starts = [null, ...checkpoints.filter(({ step }) => step < records.length)];
  const ends = [...starts.slice(1).map((one) => one?.step ?? 0), records.length];
  const left = starts.map((start, i) => ({ start, end: ends[i] ?? records.length, next: starts[i + 1] ?? null }));
  let replayed = 0;
  for (let n = 0; n < segments && left.length > 0; n++) {
    const [chosen] = left.splice(pick(left.length), 1);
    if (chosen === undefined) break;
    const from = chosen.start === null ? ok(null) : await checkpointOf(files, chosen.start);
    if (!from.ok) return from;
    const steps = replay.compare(from.value, chosen.end, records);
    if (!steps.ok) return steps;
    // Optimizer state and what invariants remember are in no record, so the end of a stretch must be the start of the next.
    const reached = bytesToHex(sha256(steps.value.checkpoint));
    if (chosen.next !== null && reached !== chosen.next.sha256)
      return wrong('PV-8412', 'replay', `Replaying does not lead to the checkpoint of step ${chosen.end}.`, {
        position: chosen.end,
        expected: chosen.next.sha256,
        actual: reached,
      });
    replayed += steps.value.steps;
  }
  return ok(replayed);
}

/** Checks the checkpoints that the folder still has: a replay makes its own, and does not read them. */
async function checkCheckpoints(files: RunFiles, { checkpoints }: TrainingCertificate): Promise<Result<null, Problem>> {
  for (const checkpoint of checkpoints) {
    const file = await files.checkpoint(checkpoint.step);
    const found = file === null ? ok(null) : checkDigest(checkpoint, file);
    if (!found.ok) return found;
  }
  return ok(null);
}

function checkDigest({ step, sha256: expected }: CheckpointDigest, file: Uint8Array): Result<null, Problem> {
  const actual = bytesToHex(sha256(file));
  return actual === expected
    ? ok(null)
    : wrong('PV-8421', 'checkpoint', `The checkpoint of step ${step} does not match the certificate.`, {
        position: step,
        expected,
        actual,
      });
}

async function checkpointOf(files: RunFiles, checkpoint: CheckpointDigest): Promise<Result<Kept, Problem>> {
  const { step } = checkpoint;
  const file = await files.checkpoint(step);
  if (file === null)
    return wrong('PV-8421', 'checkpoint', `The checkpoint of step ${step} is missing.`, { position: step });
  const digest = checkDigest(checkpoint, file);
  if (!digest.ok) return digest;
  const kept = readCheckpoint(file);
  if (kept.ok && kept.value.step !== step)
    return wrong('PV-8421', 'checkpoint', `The checkpoint of step ${step} is labelled as step ${kept.value.step}.`);
  return kept;
}
