/** Verifies the certificate of a run, as far as is asked: the level that was reached is part of the verdict. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { ok, type Result } from '../../base/result.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { sha256 } from '../../merkle/sha256.ts';
import type { TrainingCertificate } from '../certificate/certificate.ts';
import { readCertificate } from '../certificate/read-certificate.ts';
import { readCompacted } from '../ledger/compact.ts';
import { readLedger, type LedgerFile } from '../ledger/read-ledger.ts';
import { readCheckpoint } from '../run/checkpoint.ts';
import { checkEnvelope, parseEnvelope } from '../../notes/dsse.ts';
import type { VerifierKey } from '../../notes/key.ts';
import { sameBytes } from '../../merkle/hash.ts';
import { statementOf, statementType, type StatementFiles } from '../certificate/statement.ts';
import type { Kept } from '../trainer/stepper.ts';
import { checkLedger } from './check-ledger.ts';
import { checkWeights } from './check-weights.ts';
import { createReplay, type Replay } from './replay.ts';
import { trainAgain } from './train-again.ts';

/**
 * - `files`: the certificate, the weights and the configuration belong together.
 * - `ledger`: every count follows from the ledger, every verdict from its comparisons.
 * - `spot`: some stretches between checkpoints were replayed, bit for bit.
 * - `full`: the whole run was.
 */
export type Level = 'files' | 'ledger' | 'spot' | 'full';

const levels: readonly Level[] = ['files', 'ledger', 'spot', 'full'];

/** The files of a run. */
export interface RunFiles {
  readonly certificate: Uint8Array;
  /** weights.safetensors. */
  readonly weights: Uint8Array;
  /** training.intoto.json; null where there is none. */
  readonly envelope: Uint8Array | null;
  /** ledger.jsonl; null where it is missing. */
  readonly ledger: Uint8Array | null;
  /** ledger.compacted.json, which may take the place of the ledger; null where there is none. */
  readonly compacted: Uint8Array | null;
  /** A checkpoint's file; null where it is missing. */
  readonly checkpoint: (step: number) => Promise<Uint8Array | null>;
}

/** How far to go. */
export interface VerifyOptions {
  readonly level: Level;
  /** Whose signatures are required. */
  readonly keys: readonly VerifierKey[];
  /** The names of the files in the signed statement. */
  readonly names: StatementFiles;
  /** Stretches that a spot check replays, at least 1. */
  readonly segments: number;
  /** A whole number from 0 to below `n`, which the recorder of the run must not foresee. */
  readonly pick: (n: number) => number;
}

/** What was found. */
export interface CertificateVerdict {
  readonly certificate: TrainingCertificate | null;
  /** The highest level that holds; null where not even the files do. */
  readonly reached: Level | null;
  /** The keys that are known to have signed: those that were required. */
  readonly signedBy: readonly string[];
  /** Why a level that was asked for was not reached. */
  readonly problem: Problem | null;
  /** Steps replayed, of all. */
  readonly replayed: number;
}

/** Verifies level after level, and stops at the first that does not hold. */
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
  if (ledger.value !== null) reached = 'ledger';
  if (wanted < 2) return stop(null);

  const replay = createReplay(certificate);
  if (!replay.ok) return stop(replay.error);
  const steps =
    options.level === 'full' || ledger.value === null
      ? await trainAgain(replay.value.run, certificate, ledger.value)
      : await replaySome(replay.value, certificate, ledger.value, files, options);
  if (!steps.ok) return stop(steps.error);
  reached = options.level;
  replayed = steps.value;
  return stop(null);
}

/** The labels of the required keys, all of which signed a statement about just these files. */
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

/** The ledger; null where it was compacted and the whole run is to be trained again, which needs no line of it. */
function ledgerOf(
  certificate: TrainingCertificate,
  { ledger: bytes, compacted }: RunFiles,
  level: Level,
): Result<LedgerFile | null, Problem> {
  if (bytes === null && compacted !== null) return withoutLines(certificate, compacted, level);
  const content = bytes === null ? null : decodeUtf8(bytes);
  if (content === null)
    return wrong('PV-8409', 'ledger', bytes === null ? 'There is no ledger.' : 'The ledger is not UTF-8.');
  const ledger = readLedger(content);
  if (!ledger.ok) return ledger;
  if (ledger.value.torn > 0)
    return wrong('PV-8409', 'ledger', `The ledger ends with ${ledger.value.torn} bytes that are not a whole line.`);
  const checked = checkLedger(certificate, ledger.value);
  return checked.ok ? ledger : checked;
}

/** What a compacted ledger is enough for: its proofs, and a replay of everything. */
function withoutLines(certificate: TrainingCertificate, bytes: Uint8Array, level: Level): Result<null, Problem> {
  const compacted = readCompacted(decodeUtf8(bytes) ?? '');
  if (!compacted.ok) return compacted;
  const { leaves, root, kept } = compacted.value;
  if (leaves !== certificate.ledger.leaves || root !== certificate.ledger.root)
    return wrong('PV-8416', 'compacted ledger', 'The compacted ledger is not that of the certificate.', {
      expected: certificate.ledger.root,
      actual: root,
    });
  if (level === 'full') return ok(null);
  const left = `${kept.length} of ${leaves} lines are left, each proved to be one of them`;
  return wrong('PV-8409', 'ledger', `The ledger was compacted: ${left}. Only --level full can verify the others.`);
}

/** Replays stretches between checkpoints that `pick` chooses: each at most once. */
async function replaySome(
  replay: Replay,
  { checkpoints }: TrainingCertificate,
  { records }: LedgerFile,
  files: RunFiles,
  { segments, pick }: VerifyOptions,
): Promise<Result<number, Problem>> {
  const starts = [null, ...checkpoints.filter(({ step }) => step > 0 && step < records.length)];
  const ends = [...starts.slice(1).map((one) => one?.step ?? 0), records.length];
  const left = starts.map((start, i) => ({ start, end: ends[i] ?? records.length }));
  let replayed = 0;
  for (let n = 0; n < segments && left.length > 0 && records.length > 0; n++) {
    const [chosen] = left.splice(pick(left.length), 1);
    if (chosen === undefined) break;
    const from = chosen.start === null ? ok(null) : await checkpointOf(files, chosen.start);
    if (!from.ok) return from;
    const steps = replay.compare(from.value, chosen.end, records);
    if (!steps.ok) return steps;
    replayed += steps.value;
  }
  return ok(replayed);
}

async function checkpointOf(
  files: RunFiles,
  { step, sha256: expected }: { readonly step: number; readonly sha256: string },
): Promise<Result<Kept, Problem>> {
  const file = await files.checkpoint(step);
  if (file === null)
    return wrong('PV-8421', 'checkpoint', `The checkpoint of step ${step} is missing.`, { position: step });
  const actual = bytesToHex(sha256(file));
  if (actual !== expected)
    return wrong('PV-8421', 'checkpoint', `The checkpoint of step ${step} is not the one of the certificate.`, {
      position: step,
      expected,
      actual,
    });
  const kept = readCheckpoint(file);
  if (kept.ok && kept.value.step !== step)
    return wrong('PV-8421', 'checkpoint', `The checkpoint of step ${step} says that it is of step ${kept.value.step}.`);
  return kept;
}
