/** Reads untrusted ledgers: every line, its attestation and the root. */
import { ok, type Result } from '../../base/result.ts';
import { fromHex } from '../../base/hex.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { encodeUtf8 } from '../../base/utf8.ts';
import { leafHash, type Hash } from '../../merkle/hash.ts';
import { createCompactRange } from '../../merkle/compact-range.ts';
import { attest, noAttestation } from './attestation.ts';
import { headerText, lineText } from './ledger.ts';
import { readRecord, type StepRecord } from './step-record.ts';

/** The content of a ledger, up to its last complete line. */
export interface LedgerFile {
  /** BLAKE3 of the configuration. */
  readonly config: Uint8Array;
  /** SHA-256 of the initial weights. */
  readonly initial: string;
  readonly records: readonly StepRecord[];
  /** The header and the line of each record, without newlines. */
  readonly lines: readonly string[];
  readonly root: Hash;
  /** The attestation of the last step. */
  readonly last: Uint8Array;
  /** Bytes after the last complete line, which a crash may leave behind. */
  readonly torn: number;
}

const header = /^\{"format":"pv-training-ledger\/1","config":"([0-9a-f]{64})","initial":"([0-9a-f]{64})"\}$/;
const line = /^\{"record":(\{.*\}),"attestation":"[A-Za-z0-9+/]{110}=="\}$/s;

/** Reads all complete lines and checks their chain of attestations; PV-8409 names the first line at fault. */
export function readLedger(content: string): Result<LedgerFile, Problem> {
  const end = content.lastIndexOf('\n') + 1;
  const lines = content.slice(0, end).split('\n').slice(0, -1);
  const [first = '', ...rest] = lines;
  const [, configHex = '', initial = ''] = header.exec(first) ?? [];
  const config = fromHex(configHex);
  if (config === null || config.length !== 32 || headerText({ config, initial }) !== first)
    return damaged('The first line is not the header of a training ledger.', 0);
  const tree = createCompactRange();
  tree.append(leafHash(encodeUtf8(first)));
  const records: StepRecord[] = [];
  let last = noAttestation;
  for (const [i, entry] of rest.entries()) {
    const step = i + 1;
    const [, text = ''] = line.exec(entry) ?? [];
    const record = readRecord(text);
    if (record === null) return damaged(`Line ${step + 1} is not the record of a step.`, step);
    if (record.step !== step)
      return damaged(`Line ${step + 1} is the record of step ${record.step}, not of step ${step}.`, step);
    last = attest({ record: encodeUtf8(text), previous: last, config, step, comparisons: record.measured.length });
    if (lineText(text, last) !== entry)
      return damaged(`The attestation of step ${step} does not match its record and the earlier steps.`, step);
    tree.append(leafHash(encodeUtf8(entry)));
    records.push(record);
  }
  return ok({ config, initial, records, lines, root: tree.root(), last, torn: content.length - end });
}

/** The header and the lines of the first `steps` steps, with their newlines, or as many whole ones as there are. */
export function ledgerUpTo(content: string, steps: number): string {
  let end = 0;
  for (let line = 0; line <= steps; line++) {
    const next = content.indexOf('\n', end);
    if (next < 0) break;
    end = next + 1;
  }
  return content.slice(0, end);
}

/** The record in a line of a ledger; null for the header. Does not check the attestation. */
export const recordOfLine = (text: string): StepRecord | null => readRecord(line.exec(text)?.[1] ?? '');

/** The digests in the header of a ledger. */
export function headerOf(text: string): { readonly config: string; readonly initial: string } {
  const [, config = '', initial = ''] = header.exec(text) ?? [];
  return { config, initial };
}

function damaged(message: string, position: number): Result<never, Problem> {
  return wrong('PV-8409', 'ledger', message, position === 0 ? {} : { position });
}
