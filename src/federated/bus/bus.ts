/**
 * What nodes meet over: capabilities as requests and replies, an ordered history for each topic, and content-addressed blobs.
 *
 * A bus is trusted to deliver and to order, never to authenticate: everything on it is signed by nodes, and each node keeps its own
 * log. Messages are copies; nobody shares memory over a bus.
 */
import type { Result } from '../../base/result.ts';

/**
 * - `unreachable`: nobody serves this capability at this address, or the bus does not answer in time.
 * - `conflict`: the topic has later messages than the publisher has seen.
 * - `too-large`: a message above `maxMessageBytes`, or a blob above the caller's limit.
 * - `missing`: no blob of this hash.
 * - `damaged`: a blob that does not have the hash that it is named by.
 * - `failed`: the handler threw, or its reply is above `maxMessageBytes`.
 */
export type BusFault = 'unreachable' | 'conflict' | 'too-large' | 'missing' | 'damaged' | 'failed';

/** A message of a topic. */
export interface BusMessage {
  /** Grows within a topic, from 1, not without gaps. */
  readonly seq: number;
  /** When the bus took it, in milliseconds since 1970. */
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** Answers a request. Must not throw. */
export type Handler = (message: Uint8Array) => Promise<Uint8Array>;

/** Ends a registration. */
export type Stop = () => Promise<void>;

/** A reader who gets so many messages reads on: of a flood, and over a slow link, all at once would never come in time. */
export const mostRead = 256;

/** One node's connection. Capabilities, addresses and topics are `[A-Za-z0-9_-]` with dots between. */
export interface Bus {
  /** Answers a capability at an address until stopped. */
  readonly serve: (capability: string, address: string, handler: Handler) => Promise<Result<Stop, BusFault>>;
  readonly request: (capability: string, address: string, message: Uint8Array) => Promise<Result<Uint8Array, BusFault>>;
  /**
   * Appends to a topic if `after` is the sequence number of its last message (0 if it has none), or whatever it has if `after` is null.
   * Returns the message's own number.
   */
  readonly publish: (topic: string, message: Uint8Array, after: number | null) => Promise<Result<number, BusFault>>;
  /** The first {@link mostRead} messages of a topic after a sequence number, in order; fewer if there are no more. */
  readonly read: (topic: string, after: number) => Promise<Result<readonly BusMessage[], BusFault>>;
  /** Calls `onChange` after each later message, and after a loss of the connection; calls may be fewer than messages. */
  readonly watch: (topic: string, onChange: () => void) => Promise<Result<Stop, BusFault>>;
  /** Stores a blob; returns its SHA-256 in hexadecimal. */
  readonly putBlob: (bytes: Uint8Array) => Promise<Result<string, BusFault>>;
  /** The blob, whose hash was checked. */
  readonly getBlob: (sha: string, maxBytes: number) => Promise<Result<Uint8Array, BusFault>>;
  /** Stops everything that this connection serves and watches. */
  readonly close: () => Promise<void>;
}

/** Whether a text can be a topic, a capability or an address. */
export const isBusName = (name: string): boolean =>
  name.length <= 128 && /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/.test(name);
