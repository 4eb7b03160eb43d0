/** The ledger, as bound to `contracts/training-ledger-v1.yaml`: bytes are whole numbers, and each loss is a step. */
import { present } from '../../base/invariant.ts';
import { encodeUtf8 } from '../../base/utf8.ts';
import { leafHash } from '../../merkle/hash.ts';
import { attest } from '../ledger/attestation.ts';
import { createLedger, type Ledger } from '../ledger/ledger.ts';
import { readLedger } from '../ledger/read-ledger.ts';

/** The 82-byte attestation of a record. */
export function attestation(
  record: Int32Array,
  previous: Int32Array,
  config: Int32Array,
  step: number,
  comparisons: number,
): Int32Array {
  const attested = { record: bytesOf(record), previous: bytesOf(previous), config: bytesOf(config) };
  return Int32Array.from(attest({ ...attested, step, comparisons }));
}

/** Bytes that a contract knows as whole numbers. */
const bytesOf = (numbers: Int32Array): Uint8Array => Uint8Array.from(numbers);

/** A ledger with one committed step per loss, and its lines. */
function written(losses: Float32Array): { readonly ledger: Ledger; readonly lines: readonly string[] } {
  const lines: string[] = [];
  const digest = '0'.repeat(64);
  const ledger = createLedger({ config: new Uint8Array(32), initial: digest }, (line) => lines.push(line));
  for (const [i, loss] of losses.entries())
    ledger.append({
      step: i + 1,
      verdict: 'committed',
      warmup: false,
      loss,
      rate: 1,
      before: digest,
      after: digest,
      measured: [],
    });
  return { ledger, lines };
}

/** The attestation of the last step. */
export function lastAttestation(losses: Float32Array): Int32Array {
  return Int32Array.from(written(losses).ledger.last);
}

/** The root over the header and all steps. */
export function ledgerRoot(losses: Float32Array): Int32Array {
  return Int32Array.from(written(losses).ledger.root());
}

/** The leaf hash of the header for 0, and of step `i` from 1 on. */
export function lineHash(losses: Float32Array, i: number): Int32Array {
  const line = present(written(losses).lines[i], 'every step has a line');
  return Int32Array.from(leafHash(encodeUtf8(line.slice(0, -1))));
}

/** The number of steps and the root of a ledger; nothing if it is refused. */
function readBack(content: string): Int32Array {
  const read = readLedger(content);
  return read.ok ? Int32Array.of(read.value.records.length, ...read.value.root) : new Int32Array();
}

/** What is read of the ledger after a bit was flipped, counted around; −1 flips none. */
export function readFlipped(losses: Float32Array, bit: number): Int32Array {
  const bytes = encodeUtf8(written(losses).lines.join(''));
  const at = Math.floor(bit / 8) % bytes.length;
  if (bit >= 0) bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit % 8));
  return readBack(new TextDecoder().decode(bytes));
}

/** What is read of the ledger after the lines of the steps `i` and `j`, counted from 0, were exchanged. */
export function readExchanged(losses: Float32Array, i: number, j: number): Int32Array {
  const [header, ...steps] = written(losses).lines;
  const [one, other] = [present(steps[i], 'step i has a line'), present(steps[j], 'step j has a line')];
  return readBack([header, ...steps.with(i, other).with(j, one)].join(''));
}
