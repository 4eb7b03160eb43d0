/** A node's settings, which its operator writes in YAML. */
import { dirname } from 'node:path';
import type { JsonObject, JsonValue } from '../../base/canonical-json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { oneOf, record, text, type Decoder } from '../../evidence/decoder.ts';
import { readFedLearnConfig, type FedLearnConfig } from '../../federated/config.ts';

/** What kind of source the training text comes from. */
type ProviderKind = 'file' | 'chat_history' | 'knowledge_base';

/** The settings. Paths are as they must be opened. */
export interface NodeFile {
  /** A `.key` file of `pv trace keygen`. */
  readonly key: string;
  /** The node's own folder. */
  readonly folder: string;
  /** Trusted node IDs, one on each line. */
  readonly roster: string;
  /** A run folder of `pv train`. */
  readonly base: string;
  readonly nats: string;
  /** A `.creds` file, a file with a token, and certificates of the authorities that the server's must come from; null without. */
  readonly natsFiles: Readonly<Record<'credentials' | 'token' | 'ca', string | null>>;
  /** How long the node waits for an answer of the bus. */
  readonly timeoutMs: number;
  /** Null for a node that trains on nothing. */
  readonly data: { readonly provider: ProviderKind; readonly path: string } | null;
  readonly config: FedLearnConfig;
}

interface Written {
  readonly key: string;
  readonly folder: string;
  readonly roster: string;
  readonly base: string;
  readonly nats?: string;
  readonly nats_credentials_file?: string;
  readonly nats_token_file?: string;
  readonly nats_ca_file?: string;
  readonly request_timeout_seconds?: number;
  readonly data?: { readonly provider: ProviderKind; readonly path: string };
  readonly experimental: { readonly fedlearn: FedLearnConfig };
}

const path: Decoder<string> = (value, at) => {
  const read = text(value, at);
  return read.ok && read.value.trim() === '' ? err(`${at} is empty`) : read;
};

const longestTimeout = 86_400;

const seconds: Decoder<number> = (value, at) =>
  typeof value === 'number' && value > 0 && value <= longestTimeout
    ? ok(value)
    : err(`${at} is not a number of seconds above 0 and up to ${longestTimeout}`);

const written = record<Written>(
  {
    key: path,
    folder: path,
    roster: path,
    base: path,
    nats: path,
    nats_credentials_file: path,
    nats_token_file: path,
    nats_ca_file: path,
    request_timeout_seconds: seconds,
    data: record({ provider: oneOf('file', 'chat_history', 'knowledge_base'), path }),
    experimental: record({ fedlearn: (value: unknown, at: string) => readFedLearnConfig(value as JsonValue, at) }), // of a JSON document
  },
  ['nats', 'nats_credentials_file', 'nats_token_file', 'nats_ca_file', 'request_timeout_seconds', 'data'],
);

const localServer = 'nats://127.0.0.1:4222';

/** Reads the document of a settings file, whose relative paths start at its folder; PV-8620 begins with the place of the fault. */
export function readNodeFile(document: JsonObject, file: string): Result<NodeFile, Problem> {
  const read = written(document, 'file');
  if (!read.ok) return wrong('PV-8620', 'node settings', `${read.error}.`);
  const at = (relative: string): string =>
    relative.startsWith('/') || dirname(file) === '.' ? relative : `${dirname(file)}/${relative}`;
  const { key, folder, roster, base, nats, data, experimental } = read.value;
  const { nats_credentials_file: credentials, nats_token_file: token, nats_ca_file: ca } = read.value;
  const { request_timeout_seconds: timeout = 60 } = read.value;
  const perhaps = (relative: string | undefined): string | null => (relative === undefined ? null : at(relative));
  return ok({
    key: at(key),
    folder: at(folder),
    roster: at(roster),
    base: at(base),
    nats: nats ?? localServer,
    natsFiles: { credentials: perhaps(credentials), token: perhaps(token), ca: perhaps(ca) },
    timeoutMs: 1000 * timeout,
    data: data === undefined ? null : { ...data, path: at(data.path) },
    config: experimental.fedlearn,
  });
}
