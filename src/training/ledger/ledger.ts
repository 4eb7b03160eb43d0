/**
 * The append-only list of a run's steps: one line of JSON per step, chained by attestations and hashed in a Merkle tree.
 *
 * Line 0 is the header. Line k is step k: `{"record":…,"attestation":"…"}`, with the attestation in base64. The leaves of the tree
 * (RFC 9162 §2.1) are the lines without their newlines.
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import { invariant } from '../../base/invariant.ts';
import { encodeUtf8 } from '../../base/utf8.ts';
import { leafHash, type Hash } from '../../merkle/hash.ts';
import { createCompactRange } from '../../merkle/compact-range.ts';
import { encodeBase64 } from '../../notes/base64.ts';
import { trainingError } from '../training-error.ts';
import { attest, noAttestation } from './attestation.ts';
import { recordText, type StepRecord } from './step-record.ts';

const ledgerFormat = 'pv-training-ledger/1';

/** The header of a ledger. */
export interface LedgerHeader {
  /** BLAKE3 of the configuration's canonical JSON. */
  readonly config: Uint8Array;
  /** SHA-256, in hexadecimal, of the initial weights as safetensors. */
  readonly initial: string;
}

/** Takes each line, with its newline, before the step is reported; throws if it cannot. */
export type LedgerSink = (line: string) => void;

/** A ledger that is being written. */
export interface Ledger {
  /** Steps so far. */
  readonly steps: number;
  /** The attestation of the last step; {@link noAttestation} before the first. */
  readonly last: Uint8Array;
  /** Appends the next step; returns its attestation. */
  readonly append: (record: StepRecord) => Uint8Array;
  /** The root over the header and all steps. */
  readonly root: () => Hash;
}

/** The first line, without its newline. */
export const headerText = ({ config, initial }: LedgerHeader): string =>
  JSON.stringify({ format: ledgerFormat, config: bytesToHex(config), initial });

/** The line of a step, without its newline. */
export const lineText = (record: string, attestation: Uint8Array): string =>
  `{"record":${record},"attestation":"${encodeBase64(attestation)}"}`;

/** What a ledger that is continued has so far. */
export interface EarlierLines {
  /** The header and the line of each step, without newlines. */
  readonly lines: readonly string[];
  /** The attestation of the last step. */
  readonly last: Uint8Array;
}

/** Begins a ledger, and passes its header to the sink; or continues one, whose earlier lines are not passed again. */
export function createLedger(
  header: LedgerHeader,
  sink: LedgerSink = () => undefined,
  earlier: EarlierLines | null = null,
): Ledger {
  const tree = createCompactRange();
  let last = earlier?.last ?? noAttestation;
  const write = (line: string): void => {
    const written: unknown = sink(`${line}\n`);
    if (written instanceof Promise)
      throw trainingError({
        code: 'PV-8403',
        check: 'ledger',
        message: 'The ledger sink returns a promise; it must have written the line when it returns.',
      });
    tree.append(leafHash(encodeUtf8(line)));
  };
  if (earlier === null) write(headerText(header));
  else for (const line of earlier.lines) tree.append(leafHash(encodeUtf8(line)));
  return {
    get steps() {
      return tree.size - 1;
    },
    get last() {
      return last;
    },
    append(record) {
      invariant(record.step === tree.size, 'steps are recorded in order');
      const text = recordText(record);
      const attestation = attest({
        record: encodeUtf8(text),
        previous: last,
        config: header.config,
        step: record.step,
        comparisons: record.measured.length,
      });
      write(lineText(text, attestation));
      last = attestation;
      return attestation;
    },
    root: () => tree.root(),
  };
}
