/**
 * Proof files, `c2sp.org/tlog-proof@v1`: extra data, the index of a leaf, its path to the root, and the checkpoint.
 *
 * Source: C2SP tlog-proof. `extra` holds the bytes of the leaf; it need not be trusted, since its hash is what the path proves.
 * The checkpoint may lack the blank line and signatures, which the standard does not provide for: such a proof says which root
 * it leads to, and the one who checks must know that root from elsewhere.
 */
import { err, ok, type Result } from '../base/result.ts';
import { hashBytes, type Hash } from '../merkle/hash.ts';
import type { Problem } from '../base/problem.ts';
import { decodeUtf8 } from '../base/utf8.ts';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { byteOrderMark, changedLineEnds } from './line-ends.ts';

/** The content of a proof file. */
export interface ProofFile {
  readonly extra: Uint8Array | null;
  readonly index: number;
  /** From the sibling of the leaf to the child of the root. */
  readonly path: readonly Hash[];
  /** A signed note (`parseNote`), or the text of a checkpoint alone (`parseCheckpoint`). */
  readonly checkpoint: string;
}

const firstLine = 'c2sp.org/tlog-proof@v1';
/** A leaf is a step with its sketch or a manifest with its prompt; a megabyte holds 100,000 prompt tokens. */
const maxProofBytes = 4 << 20;
/** Trees have at most 2^53 leaves. */
const maxPath = 53;

const malformed = (message: string, places: Pick<Problem, 'expected' | 'actual'> = {}): Result<never, Problem> =>
  err({ code: 'PV-8058', check: 'proof file', message, ...places });

/** The beginning of a line, short enough for a message. */
const found = (expected: string, line: string | undefined): Pick<Problem, 'expected' | 'actual'> => ({
  expected,
  actual: line === undefined ? 'the end of the proof' : line.slice(0, 80),
});

/** Whether bytes claim to be a proof file: a truncated or changed one still does, so that its fault is reported. */
export const isProofFile = (bytes: Uint8Array): boolean =>
  String.fromCharCode(...bytes.subarray(0, 8)) === firstLine.slice(0, 8);

/**
 * Parses a proof file: PV-8058 with the line at fault if it is malformed, PV-8084 if its line ends were changed. Verifies
 * nothing.
 */
export function parseProof(input: string | Uint8Array): Result<ProofFile, Problem> {
  if (input.length > maxProofBytes) return malformed(`The proof has more than ${maxProofBytes} bytes.`);
  const text = typeof input === 'string' ? input : decodeUtf8(input);
  if (text === null) return malformed('The proof is not valid UTF-8.');
  const changed = changedLineEnds('proof', text) ?? byteOrderMark('proof', text);
  if (changed !== null) return err(changed);
  const split = text.indexOf('\n\n');
  if (split < 0) return malformed('The proof has no blank line between its path and its checkpoint: is it cut off?');
  const lines = text.slice(0, split).split('\n');
  if (lines[0] !== firstLine) {
    return malformed(`Line 1 of the proof is not "${firstLine}".`, found(firstLine, lines[0]));
  }
  let next = 1;
  let extra: Uint8Array | null = null;
  if (lines[next]?.startsWith('extra ') === true) {
    extra = decodeBase64((lines[next] ?? '').slice('extra '.length));
    if (extra === null) return malformed('The extra data on line 2 of the proof is not base64.');
    next++;
  }
  const index = /^index (0|[1-9][0-9]*)$/.exec(lines[next] ?? '')?.[1];
  if (index === undefined || !Number.isSafeInteger(Number(index))) {
    return malformed(
      `Line ${next + 1} of the proof is not "index" and a whole number below 2^53.`,
      found('index and a number', lines[next]),
    );
  }
  next++;
  if (lines.length - next > maxPath) return malformed(`The path of the proof has more than ${maxPath} hashes.`);
  const path: Hash[] = [];
  for (const line of lines.slice(next)) {
    const hash = decodeBase64(line);
    if (hash?.length !== hashBytes) {
      return malformed(
        `Line ${next + path.length + 1} of the proof is not the base64 of a hash of ${hashBytes} bytes.`,
        found(`the base64 of ${hashBytes} bytes`, line),
      );
    }
    path.push(hash);
  }
  return ok({ extra, index: Number(index), path, checkpoint: text.slice(split + 2) });
}

/** The text of a proof file, which {@link parseProof} reads back. */
export function formatProof({ extra, index, path, checkpoint }: ProofFile): string {
  const lines = [firstLine, ...(extra === null ? [] : [`extra ${encodeBase64(extra)}`]), `index ${index}`];
  return `${[...lines, ...path.map(encodeBase64)].join('\n')}\n\n${checkpoint}`;
}
