/** A bus within one process, for a machine with one user and for tests: same interface, no server. */
import { invariant } from '../../base/invariant.ts';
import { err, ok } from '../../base/result.ts';
import { shaOf } from '../store/blobs.ts';
import { maxMessageBytes } from '../wire/message.ts';
import { isBusName, mostRead, type Bus, type BusMessage, type Handler, type Stop } from './bus.ts';

/** Where the connections of one process meet. */
export interface InProcessHub {
  /** Another connection. */
  readonly connect: () => Bus;
}

interface Hub {
  readonly now: () => number;
  readonly handlers: Map<string, Handler>;
  readonly topics: Map<string, BusMessage[]>;
  readonly watchers: Map<string, Set<() => void>>;
  readonly blobs: Map<string, Uint8Array>;
}

/** A hub without messages; `now` in milliseconds since 1970 stamps them. */
export function createInProcessHub(now: () => number): InProcessHub {
  const hub: Hub = { now, handlers: new Map(), topics: new Map(), watchers: new Map(), blobs: new Map() };
  return { connect: () => connectTo(hub) };
}

/** Not `slice`, which shares memory if the bytes are a Buffer. */
const copyOf = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes);

function connectTo(hub: Hub): Bus {
  const stops = new Set<Stop>();
  let isOpen = true;
  const registered = (undo: () => void): Stop => {
    const stop = async (): Promise<void> => {
      stops.delete(stop);
      undo();
    };
    stops.add(stop);
    return stop;
  };
  const unless = (names: readonly string[]): boolean => {
    invariant(names.every(isBusName), 'names on the bus are made by this program');
    return isOpen;
  };
  return {
    async serve(capability, address, handler) {
      if (!unless([capability, address])) return err('unreachable');
      const subject = `${capability}.${address}`;
      hub.handlers.set(subject, handler);
      return ok(registered(() => hub.handlers.get(subject) === handler && hub.handlers.delete(subject)));
    },
    async request(capability, address, message) {
      if (message.length > maxMessageBytes) return err('too-large');
      const handler = unless([capability, address]) ? hub.handlers.get(`${capability}.${address}`) : undefined;
      if (handler === undefined) return err('unreachable');
      const reply = await handler(copyOf(message)).catch(() => null);
      return reply === null || reply.length > maxMessageBytes ? err('failed') : ok(copyOf(reply));
    },
    async publish(topic, message, after) {
      if (message.length > maxMessageBytes) return err('too-large');
      if (!unless([topic])) return err('unreachable');
      const messages = hub.topics.get(topic) ?? [];
      const last = messages.at(-1)?.seq ?? 0;
      if (after !== null && after !== last) return err('conflict');
      messages.push({ seq: last + 1, at: hub.now(), bytes: copyOf(message) });
      hub.topics.set(topic, messages);
      for (const onChange of hub.watchers.get(topic) ?? []) queueMicrotask(onChange);
      return ok(last + 1);
    },
    async read(topic, after) {
      if (!unless([topic])) return err('unreachable');
      // Numbers are places in the list, counted from 1.
      return ok(
        (hub.topics.get(topic) ?? [])
          .slice(after, after + mostRead)
          .map((message) => ({ ...message, bytes: copyOf(message.bytes) })),
      );
    },
    async watch(topic, onChange) {
      if (!unless([topic])) return err('unreachable');
      const watchers = hub.watchers.get(topic) ?? new Set();
      hub.watchers.set(topic, watchers);
      const own = (): void => onChange();
      watchers.add(own);
      return ok(registered(() => watchers.delete(own)));
    },
    async putBlob(bytes) {
      if (!isOpen) return err('unreachable');
      const sha = shaOf(bytes);
      if (!hub.blobs.has(sha)) hub.blobs.set(sha, copyOf(bytes));
      return ok(sha);
    },
    async getBlob(sha, maxBytes) {
      const bytes = hub.blobs.get(sha);
      if (!isOpen) return err('unreachable');
      if (bytes === undefined) return err('missing');
      return bytes.length > maxBytes ? err('too-large') : ok(copyOf(bytes));
    },
    async close() {
      isOpen = false;
      for (const stop of stops) await stop();
    },
  };
}
