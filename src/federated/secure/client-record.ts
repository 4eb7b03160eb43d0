/** What a client must remember, so that it never answers a step twice in different ways: also not after a restart. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { fromHex } from '../../base/hex.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { encodeUtf8 } from '../../base/utf8.ts';
import { count, decodeJson, list, nullable, oneOf, record, text, type Decoder } from '../../evidence/decoder.ts';
import type { Host } from '../../host/host.ts';
import { sha256 } from '../../merkle/sha256.ts';
import { secretBytes } from './ciphers.ts';
import type { SecureRound } from './secure-round.ts';
import { participantSet, statementDecoders, type KeyAdvertisement } from './statement.ts';

/** The shares that another participant has sealed for this client. */
export interface ReceivedShares {
  readonly participant: string;
  /** In hexadecimal, as is the next. */
  readonly maskKeyShare: string;
  readonly selfMaskShare: string;
}

/** A client's state. Null is what has not happened yet. */
export interface ClientRecord {
  readonly format: 'pv-secure-client/1';
  /** Of the round that it belongs to; a second round of the same manifest is refused. */
  readonly context: string;
  /** 32 random bytes in hexadecimal, which all secrets come from; null once they are forgotten. */
  readonly root: string | null;
  readonly keyList: readonly KeyAdvertisement[] | null;
  /** Whose shares have come, and this client. */
  readonly sharers: readonly string[] | null;
  readonly received: readonly ReceivedShares[] | null;
  /** SHA-256 of the masked delta that was sent: a second one would show the difference of the two. */
  readonly vectorSha: string | null;
  readonly weight: number | null;
  /** The one set that the client has signed, and unmasks. */
  readonly survivors: readonly string[] | null;
}

const bytes32: Decoder<string> = (value, at) =>
  typeof value === 'string' && fromHex(value)?.length === secretBytes ? ok(value) : err(`${at} is not 32 bytes`);

const decodeRecord = record<ClientRecord>({
  format: oneOf('pv-secure-client/1'),
  context: bytes32,
  root: nullable(bytes32),
  keyList: nullable(list(statementDecoders.keys)),
  sharers: nullable(participantSet),
  received: nullable(
    list(record<ReceivedShares>({ participant: text, maskKeyShare: bytes32, selfMaskShare: bytes32 })),
  ),
  vectorSha: nullable(bytes32),
  weight: nullable(count),
  survivors: nullable(participantSet),
});

/** A client that has done nothing yet. */
export const newRecord = ({ context }: SecureRound, root: Uint8Array): ClientRecord => ({
  format: 'pv-secure-client/1',
  context,
  root: bytesToHex(root),
  keyList: null,
  sharers: null,
  received: null,
  vectorSha: null,
  weight: null,
  survivors: null,
});

/** Reads what `JSON.stringify` wrote of a record; the error says what is wrong with it. */
export const parseRecord = (content: string): Result<ClientRecord, string> => decodeJson(content, decodeRecord);

/** Where records are kept. They hold secrets. */
export interface ClientStore {
  /** What was saved last under this name, a file name of 64 hexadecimal digits; null if nothing ever was. */
  readonly load: (name: string) => Promise<Result<string | null, string>>;
  /** Durable when it returns: the client says nothing before. */
  readonly save: (name: string, content: string) => Promise<Result<void, string>>;
}

/** One name for each manifest and participant, whoever else takes part, so that one delta is never in two sums. */
export const recordName = ({ roundId, manifestSha }: SecureRound, participant: string): string =>
  bytesToHex(sha256(encodeUtf8(JSON.stringify([roundId, manifestSha, participant]))));

/** Records as files that only their owner can read (mode 0600), in `folder`. */
export const fileClientStore = (host: Pick<Host, 'readText' | 'writeFileAtomic'>, folder: string): ClientStore => ({
  async load(name) {
    const read = await host.readText(`${folder}/${name}.json`);
    if (read.ok) return read;
    return read.error.kind === 'missing' ? ok(null) : err(read.error.message);
  },
  async save(name, content) {
    const written = await host.writeFileAtomic(`${folder}/${name}.json`, encodeUtf8(content), { secret: true });
    return written.ok ? ok(undefined) : err(written.error.message);
  },
});
