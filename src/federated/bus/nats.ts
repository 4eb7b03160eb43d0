/**
 * The bus over NATS, for nodes on different machines: capabilities as request and reply, topics in one JetStream stream, blobs in one
 * object store.
 *
 * The packages are optional peers, loaded here alone. Whatever else fails on the way to the server is `unreachable`: the connection
 * reconnects by itself.
 */
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { ObjectStore } from '@nats-io/obj';
import type { Msg, MsgHdrs, NatsConnection, NodeConnectionOptions } from '@nats-io/transport-node';
import { invariant } from '../../base/invariant.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { encodeUtf8 } from '../../base/utf8.ts';
import { shaOf } from '../store/blobs.ts';
import { maxMessageBytes } from '../wire/message.ts';
import { isBusName, mostRead, type Bus, type BusFault, type BusMessage, type Handler, type Stop } from './bus.ts';

/** How a server is reached. */
export interface NatsOptions {
  /** `nats://HOST:PORT`, or `HOST:PORT`. */
  readonly servers: string | readonly string[];
  /** How long a request may take, in milliseconds; aggregating takes longest. */
  readonly timeoutMs?: number;
  /** The text of a `.creds` file: a JWT and the seed of a key. */
  readonly credentials?: string;
  /** Other credentials and TLS, as @nats-io/transport-node takes them. */
  readonly connection?: Omit<NodeConnectionOptions, 'servers'>;
}

const streamName = 'PV_FEDLEARN';
const topics = 'fedlearn.>';
const bucket = 'pv-fedlearn';
const faultHeader = 'Pv-Fault';
/** JetStream's code for an expectation of the last sequence number that does not hold. */
const wrongLastSequence = 10_071;
const blobChunkBytes = 128 * 1024;
const defaultTimeoutMs = 60_000;
/** A connection that does not answer two of these in a row is given up and made anew. */
const pingMs = 10_000;

interface Nats {
  readonly connection: NatsConnection;
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly store: ObjectStore;
  readonly timeoutMs: number;
  readonly emptyHeaders: () => MsgHdrs;
  readonly isConflict: (error: unknown) => boolean;
  /** Makes the stream and the store where the server does not have them. */
  readonly prepare: () => Promise<ObjectStore>;
  /** Called when the connection is back. */
  readonly onReconnect: Set<() => void>;
}

/** Connects: PV-8602 where the packages are not installed, PV-8603 where the server does not answer or has no JetStream. */
export async function connectNats({
  servers,
  timeoutMs = defaultTimeoutMs,
  credentials,
  connection: more = {},
}: NatsOptions): Promise<Result<Bus, Problem>> {
  const packages = await loadPackages();
  if (packages === null)
    return wrong(
      'PV-8602',
      'packages',
      'The packages for NATS are not installed: npm install @nats-io/transport-node@3.4.0 @nats-io/jetstream@3.4.0 @nats-io/obj@3.4.0',
    );
  const { transport, jetstream, obj } = packages;
  let connection: NatsConnection | null = null;
  try {
    // A node outlives its server's restarts.
    connection = await transport.connect({
      maxReconnectAttempts: -1,
      pingInterval: pingMs,
      ...(credentials !== undefined && { authenticator: transport.credsAuthenticator(encodeUtf8(credentials)) }),
      ...more,
      servers: typeof servers === 'string' ? servers : [...servers],
    });
    const manager = await jetstream.jetstreamManager(connection);
    const objects = new obj.Objm(connection);
    const prepare = async (): Promise<ObjectStore> => {
      // Adding a stream that exists with the same settings changes nothing.
      await manager.streams.add({ name: streamName, subjects: [topics] });
      return objects.create(bucket);
    };
    const store = await prepare();
    const nats: Nats = {
      connection,
      client: jetstream.jetstream(connection),
      manager,
      store,
      prepare,
      timeoutMs,
      emptyHeaders: () => transport.headers(),
      isConflict: (error) => error instanceof jetstream.JetStreamApiError && error.code === wrongLastSequence,
      onReconnect: new Set(),
    };
    void watchConnection(nats);
    return ok(busOver(nats));
  } catch (error) {
    await connection?.close();
    return wrong(
      'PV-8603',
      'NATS',
      `${String(servers)} cannot be used: ${error instanceof Error ? error.message : String(error)}. Start nats-server with -js, and check the address and the credentials.`,
    );
  }
}

async function loadPackages() {
  try {
    return {
      transport: await import('@nats-io/transport-node'),
      jetstream: await import('@nats-io/jetstream'),
      obj: await import('@nats-io/obj'),
    };
  } catch {
    // An optional peer that is not there.
    return null;
  }
}

async function watchConnection({ connection, prepare, timeoutMs, onReconnect }: Nats): Promise<void> {
  for await (const { type } of connection.status()) {
    if (type !== 'reconnect') continue;
    // The server may have lost its folder. If it cannot be prepared now, operations fail until the next reconnect.
    await within(timeoutMs, async () => ok(await prepare()));
    for (const onChange of onReconnect) onChange();
  }
}

/** What `work` gives, or `unreachable` if it fails or takes too long: a consumer waits for ever where the server has restarted. */
async function within<T>(timeoutMs: number, work: () => Promise<Result<T, BusFault>>): Promise<Result<T, BusFault>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<Result<T, BusFault>>((resolve) => {
    timer = setTimeout(() => resolve(err('unreachable')), timeoutMs);
  });
  try {
    return await Promise.race([work(), tooLong]);
  } catch {
    return err('unreachable');
  } finally {
    clearTimeout(timer);
  }
}

const subjectOf = (...names: readonly string[]): string => {
  invariant(names.every(isBusName), 'names on the bus are made by this program');
  return names.join('.');
};

function busOver(nats: Nats): Bus {
  const { connection, timeoutMs } = nats;
  const reaching = <T>(work: () => Promise<Result<T, BusFault>>): Promise<Result<T, BusFault>> =>
    within(timeoutMs, work);
  return {
    serve: (capability, address, handler) => reaching(async () => serve(nats, subjectOf(capability, address), handler)),
    request: (capability, address, message) => reaching(() => request(nats, subjectOf(capability, address), message)),
    publish: (topic, message, after) => reaching(() => publish(nats, subjectOf(topic), message, after)),
    read: (topic, after) => read(nats, subjectOf(topic), after),
    watch: (topic, onChange) => reaching(() => watch(nats, subjectOf(topic), onChange)),
    putBlob: (bytes) => reaching(() => putBlob(nats, bytes)),
    getBlob: (sha, maxBytes) => reaching(() => getBlob(nats, sha, maxBytes)),
    close: () => connection.close(),
  };
}

async function serve(
  { connection, emptyHeaders }: Nats,
  subject: string,
  handler: Handler,
): Promise<Result<Stop, BusFault>> {
  const answer = async (message: Msg): Promise<void> => {
    const reply = await handler(Uint8Array.from(message.data)).catch(() => null);
    if (reply !== null && reply.length <= maxMessageBytes) return void message.respond(reply);
    const headers = emptyHeaders();
    headers.set(faultHeader, 'failed');
    message.respond(new Uint8Array(0), { headers });
  };
  const subscription = connection.subscribe(subject, {
    callback: (error, message) => {
      // If the connection has been closed, whoever asked hears from the server that nobody answers.
      if (error === null) answer(message).catch(() => undefined);
    },
  });
  await connection.flush();
  return ok(async () => subscription.unsubscribe());
}

async function request(
  { connection, timeoutMs }: Nats,
  subject: string,
  message: Uint8Array,
): Promise<Result<Uint8Array, BusFault>> {
  if (message.length > maxMessageBytes) return err('too-large');
  const reply = await connection.request(subject, message, { timeout: timeoutMs });
  return reply.headers?.get(faultHeader) === 'failed' ? err('failed') : ok(Uint8Array.from(reply.data));
}

/** Watchers are woken by a message of their own: the one on the topic may reach them before the stream has it. */
const wakeSubject = (topic: string): string => `wake.${topic}`;

async function publish(
  { client, connection, isConflict }: Nats,
  topic: string,
  message: Uint8Array,
  after: number | null,
): Promise<Result<number, BusFault>> {
  if (message.length > maxMessageBytes) return err('too-large');
  try {
    const { seq } = await client.publish(
      topic,
      message,
      after === null ? {} : { expect: { lastSubjectSequence: after } },
    );
    connection.publish(wakeSubject(topic));
    return ok(seq);
  } catch (error) {
    if (isConflict(error)) return err('conflict');
    throw error;
  }
}

async function read(
  { manager, timeoutMs }: Nats,
  topic: string,
  after: number,
): Promise<Result<readonly BusMessage[], BusFault>> {
  const messages: BusMessage[] = [];
  for (let last = after; messages.length < mostRead;) {
    // The declarations of the package lack what the server takes: the first message of a subject from a number on.
    const query = { seq: last + 1, next_by_subj: topic };
    const found = await within(timeoutMs, async () => ok(await manager.streams.getMessage(streamName, query)));
    if (!found.ok) return found;
    if (found.value === null) break;
    const { seq, time, data } = found.value;
    messages.push({ seq, at: Math.floor(time.getTime()), bytes: Uint8Array.from(data) });
    last = seq;
  }
  return ok(messages);
}

async function watch(
  { connection, onReconnect }: Nats,
  topic: string,
  onChange: () => void,
): Promise<Result<Stop, BusFault>> {
  const subscription = connection.subscribe(wakeSubject(topic), { callback: () => onChange() });
  onReconnect.add(onChange);
  await connection.flush();
  return ok(async () => {
    onReconnect.delete(onChange);
    subscription.unsubscribe();
  });
}

async function putBlob(nats: Nats, bytes: Uint8Array): Promise<Result<string, BusFault>> {
  const sha = shaOf(bytes);
  // Writing again what is there would disturb those who read it; what is there and damaged is replaced.
  const present = await getBlob(nats, sha, bytes.length);
  if (!present.ok) await nats.store.putBlob({ name: sha, options: { max_chunk_size: blobChunkBytes } }, bytes);
  return ok(sha);
}

async function getBlob({ store }: Nats, sha: string, maxBytes: number): Promise<Result<Uint8Array, BusFault>> {
  const found = await store.get(sha);
  if (found === null) return err('missing');
  // The stream fails with the same error, where it is waited for.
  found.error.catch(() => null);
  const pieces: Uint8Array[] = [];
  let size = 0;
  // The size that the store states is whatever the writer stated.
  for await (const piece of found.data) {
    size += piece.length;
    if (size > maxBytes) return err('too-large');
    pieces.push(piece);
  }
  const bytes = new Uint8Array(Buffer.concat(pieces, size));
  return shaOf(bytes) === sha ? ok(bytes) : err('damaged');
}
