/**
 * One line of an event log: canonical JSON with the event, its place, the digest of the line before and its own.
 *
 * `{"at":…,"event":{…},"prev":"…","seq":…,"sha256":"…"}`, where `sha256` is that of everything else. Each line has exactly one text, so
 * that a changed byte anywhere is noticed, in the last line too.
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import { canonicalJson, type JsonObject } from '../../base/canonical-json.ts';
import { err, type Result } from '../../base/result.ts';
import { parseStrictJson } from '../../base/strict-json.ts';
import { encodeUtf8 } from '../../base/utf8.ts';
import { sha256 } from '../../merkle/sha256.ts';
import { eventCodec, type FedEvent } from '../events.ts';
import { count, digest, instant, recordCodec } from '../wire/codec.ts';

/** An event in its place. */
export interface LoggedEvent {
  /** Counts from 0. */
  readonly seq: number;
  /** When it happened, in milliseconds since 1970: by the bus for a shared event, by the node's clock for others. */
  readonly at: number;
  readonly event: FedEvent;
  /** The `sha256` of the line before; zeros in the first. */
  readonly prev: string;
  readonly sha256: string;
}

/** What the first line follows. */
export const noLine = '0'.repeat(64);

const lineCodec = recordCodec<LoggedEvent>({
  seq: count,
  at: instant,
  event: eventCodec,
  prev: digest,
  sha256: digest,
});

const domain = encodeUtf8('provable-contracts fedlearn log v1\n');

const digestOf = (rest: JsonObject): string => bytesToHex(sha256(domain, encodeUtf8(canonicalJson(rest))));

/** The line after `prev` and its text, without a newline. */
export function nextLine(
  { seq, prev }: Pick<LoggedEvent, 'seq' | 'prev'>,
  at: number,
  event: FedEvent,
): { readonly line: LoggedEvent; readonly text: string } {
  const { sha256: _, ...rest } = lineCodec.encode({ seq, at, event, prev, sha256: '' });
  const own = digestOf(rest);
  return { line: { seq, at, event, prev, sha256: own }, text: canonicalJson({ ...rest, sha256: own }) };
}

/** Reads a line that must follow `prev`; an error says what is wrong. */
export function readLine(text: string, expected: Pick<LoggedEvent, 'seq' | 'prev'>): Result<LoggedEvent, string> {
  const json = parseStrictJson(text, 'line');
  if (!json.ok) return json;
  const read = lineCodec.decode(json.value, 'line');
  if (!read.ok) return read;
  const { seq, prev, at, event } = read.value;
  if (seq !== expected.seq || prev !== expected.prev) return err('It does not follow the line before.');
  return nextLine(expected, at, event).text === text ? read : err('It does not have the digest of its content.');
}
