/** Runs that did not happen, as consistent as their author can make them. */
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from '../../../src/base/canonical-json.ts';
import { encodeBase64 } from '../../../src/notes/base64.ts';
import type { TrainingCertificate } from '../../../src/training/certificate/certificate.ts';
import { digestsOf } from '../../../src/training/certificate/seal.ts';
import { composeAttestation } from '../../../src/training/ledger/attestation.ts';
import { createLedger } from '../../../src/training/ledger/ledger.ts';
import { readLedger } from '../../../src/training/ledger/read-ledger.ts';
import type { StepRecord } from '../../../src/training/ledger/step-record.ts';
import { createTally } from '../../../src/training/ledger/tally.ts';
import type { TrainedFiles } from './small-run.ts';

/** The records of a run. */
export function recordsOf({ ledger }: Pick<TrainedFiles, 'ledger'>): readonly StepRecord[] {
  const read = readLedger(ledger);
  if (!read.ok) throw new Error(read.error.message);
  return read.value.records;
}

/** A competent forger: edits the records, and recomputes everything that follows from them. */
export function forged(
  files: TrainedFiles,
  edit: (records: readonly StepRecord[]) => readonly StepRecord[],
  change: (certificate: TrainingCertificate) => Partial<TrainingCertificate> = () => ({}),
): TrainedFiles {
  const changed: TrainingCertificate = { ...files.certificate, ...change(files.certificate) };
  const configDigest = digestsOf(utf8ToBytes(canonicalJson(changed.config)));
  const config = Uint8Array.from(configDigest.blake3.match(/../g) ?? [], (byte) => parseInt(byte, 16));
  let text = '';
  const ledger = createLedger({ config, initial: changed.initialWeights }, (line) => (text += line));
  const tally = createTally();
  for (const record of edit(recordsOf(files))) {
    ledger.append(record);
    tally.add(record);
  }
  const root = ledger.root();
  const leaves = ledger.steps + 1;
  const attestation = composeAttestation({ root, leaves, last: ledger.last, config, comparisons: tally.comparisons() });
  const certificate: TrainingCertificate = {
    ...changed,
    configDigest,
    totalSteps: ledger.steps,
    ...tally.counts(),
    violationList: tally.violations(),
    finalLoss: tally.finalLoss(),
    ledger: { leaves, root: bytesToHex(root) },
    attestation: encodeBase64(attestation),
  };
  return { ...files, certificate, ledger: text };
}

/** A record of another learning rate, with the step size that follows from it. */
export function atRate(record: StepRecord, rate: number): StepRecord {
  const norm = record.measured.find(({ what }) => what === 'gradient norm')?.value ?? NaN;
  const measured = record.measured.map((one) => (one.what === 'step size' ? { ...one, value: rate * norm } : one));
  return { ...record, rate, measured };
}

/** Changes one record. */
export const editStep =
  (step: number, change: (record: StepRecord) => StepRecord) => (records: readonly StepRecord[]) =>
    records.map((record) => (record.step === step ? change(record) : record));
