/** The laws of a bus. Every implementation must keep them, so that nodes need not know which one they meet over. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mostRead, type Bus } from '../../../src/federated/bus/bus.ts';
import { shaOf } from '../../../src/federated/store/blobs.ts';
import { maxMessageBytes } from '../../../src/federated/wire/message.ts';
import { good } from '../nodes.ts';

/** A bus of its own for one suite. */
export interface BusUnderTest {
  readonly connect: () => Promise<Bus>;
  readonly close: () => Promise<void>;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (message: Uint8Array): string => new TextDecoder().decode(message);

/** Waits until `isDone`; fails after five seconds. */
async function until(isDone: () => boolean): Promise<void> {
  for (let i = 0; i < 500 && !isDone(); i++) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(isDone()).toBe(true);
}

/** Runs the suite against a bus. */
export function busConformance(name: string, makeBus: () => Promise<BusUnderTest>): void {
  describe(`the bus ${name}`, () => {
    let under: BusUnderTest;
    let [left, right]: Bus[] = [];
    let topics = 0;
    const freshTopic = (): string => `fedlearn.test.${++topics}`;
    const both = (): readonly [Bus, Bus] => {
      if (left === undefined || right === undefined) throw new Error('not connected');
      return [left, right];
    };
    beforeAll(async () => {
      under = await makeBus();
      left = await under.connect();
      right = await under.connect();
    });
    afterAll(async () => {
      await left?.close();
      await right?.close();
      await under.close();
    });

    it('carries a request to the one who serves it, and the reply back', async () => {
      const [a, b] = both();
      const stop = good(await a.serve('test.echo', 'a1', async (message) => bytes(`echo ${text(message)}`)));
      expect(text(good(await b.request('test.echo', 'a1', bytes('hello'))))).toBe('echo hello');
      expect(text(good(await a.request('test.echo', 'a1', bytes('myself'))))).toBe('echo myself');
      expect(await b.request('test.echo', 'a2', bytes('hello'))).toEqual({ ok: false, error: 'unreachable' });
      await stop();
      expect(await b.request('test.echo', 'a1', bytes('hello'))).toEqual({ ok: false, error: 'unreachable' });
    });

    it('keeps the sender of a message from changing it afterwards', async () => {
      const [a, b] = both();
      let got: Uint8Array | null = null;
      good(
        await a.serve('test.keep', 'a1', async (message) => {
          got = message;
          return message;
        }),
      );
      const sent = bytes('abc');
      const reply = good(await b.request('test.keep', 'a1', sent));
      sent[0] = 0;
      reply[1] = 0;
      expect(got === null ? '' : text(got)).toBe('abc');
    });

    it('answers for a handler that throws', async () => {
      const [a, b] = both();
      good(await a.serve('test.throws', 'a1', () => Promise.reject(new Error('on purpose'))));
      expect(await b.request('test.throws', 'a1', bytes('x'))).toEqual({ ok: false, error: 'failed' });
    });

    it('answers for a handler whose reply is too large, and goes on', async () => {
      const [a, b] = both();
      const replyOf = async ([size]: Uint8Array) => new Uint8Array(size === 0 ? maxMessageBytes + 1 : 1);
      good(await a.serve('test.long', 'a1', replyOf));
      expect(await b.request('test.long', 'a1', Uint8Array.of(0))).toEqual({ ok: false, error: 'failed' });
      expect(good(await b.request('test.long', 'a1', Uint8Array.of(1)))).toHaveLength(1);
    });

    it('refuses messages that are too large', async () => {
      const [a] = both();
      const large = new Uint8Array(maxMessageBytes + 1);
      expect(await a.request('test.large', 'a1', large)).toEqual({ ok: false, error: 'too-large' });
      expect(await a.publish(freshTopic(), large, null)).toEqual({ ok: false, error: 'too-large' });
    });

    it('orders a topic for all, and lets only one of those who append after the same message succeed', async () => {
      const [a, b] = both();
      const topic = freshTopic();
      expect(good(await a.read(topic, 0))).toEqual([]);
      const first = good(await a.publish(topic, bytes('1'), 0));
      expect(await b.publish(topic, bytes('no'), 0)).toEqual({ ok: false, error: 'conflict' });
      const raced = await Promise.all([a.publish(topic, bytes('2'), first), b.publish(topic, bytes('2'), first)]);
      expect(raced.filter(({ ok }) => ok)).toHaveLength(1);
      const third = good(await b.publish(topic, bytes('3'), null));
      expect(third).toBeGreaterThan(first);
      const all = good(await a.read(topic, 0));
      expect(all.map((message) => text(message.bytes))).toEqual(['1', '2', '3']);
      expect(good(await b.read(topic, 0))).toEqual(all);
      expect(good(await b.read(topic, first)).map((message) => text(message.bytes))).toEqual(['2', '3']);
      expect(good(await b.read(topic, third))).toEqual([]);
      expect(all.every(({ at }, i) => Number.isSafeInteger(at) && at >= (all[i - 1]?.at ?? 0))).toBe(true);
      expect(good(await a.read(freshTopic(), 0))).toEqual([]);
    });

    it('gives many messages in parts, each in order', async () => {
      const [a, b] = both();
      const topic = freshTopic();
      const count = mostRead + 3;
      for (let i = 1; i <= count; i++) good(await a.publish(topic, bytes(`${i}`), null));
      const first = good(await b.read(topic, 0));
      expect(first).toHaveLength(mostRead);
      const rest = good(await b.read(topic, first.at(-1)?.seq ?? 0));
      const all = [...first, ...rest].map((message) => text(message.bytes));
      expect(all).toEqual(Array.from({ length: count }, (_, i) => `${i + 1}`));
    });

    it('wakes those who watch a topic', async () => {
      const [a, b] = both();
      const topic = freshTopic();
      let [woken, others] = [0, 0];
      const stop = good(await a.watch(topic, () => void (woken += 1)));
      good(await a.watch(freshTopic(), () => void (others += 1)));
      good(await b.publish(topic, bytes('1'), null));
      await until(() => woken > 0);
      expect(good(await a.read(topic, 0))).toHaveLength(1);
      await stop();
      const before = woken;
      good(await b.publish(topic, bytes('2'), null));
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(woken).toBe(before);
      expect(others).toBe(0);
    });

    it('keeps blobs under their hashes', async () => {
      const [a, b] = both();
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 300_000 }), async (blob) => {
          const sha = good(await a.putBlob(blob));
          expect(sha).toBe(shaOf(blob));
          expect(good(await a.putBlob(blob))).toBe(sha);
          expect(Buffer.compare(good(await b.getBlob(sha, blob.length)), blob)).toBe(0);
          if (blob.length > 0) expect(await b.getBlob(sha, blob.length - 1)).toEqual({ ok: false, error: 'too-large' });
        }),
        { numRuns: 10 },
      );
      expect(await b.getBlob('0'.repeat(64), 10)).toEqual({ ok: false, error: 'missing' });
    });

    it('takes a blob of some megabytes', async () => {
      const [a, b] = both();
      const blob = new Uint8Array(5_000_001).map((_, i) => i % 251);
      const sha = good(await a.putBlob(blob));
      expect(Buffer.compare(good(await b.getBlob(sha, blob.length)), blob)).toBe(0);
    });

    it('serves nothing and answers nothing once a connection is closed', async () => {
      const [a] = both();
      const gone = await under.connect();
      good(await gone.serve('test.gone', 'a1', async (message) => message));
      await gone.close();
      expect(await a.request('test.gone', 'a1', bytes('x'))).toEqual({ ok: false, error: 'unreachable' });
      expect(await gone.request('test.gone', 'a1', bytes('x'))).toEqual({ ok: false, error: 'unreachable' });
      expect(await gone.publish(freshTopic(), bytes('x'), null)).toEqual({ ok: false, error: 'unreachable' });
      expect(await gone.read(freshTopic(), 0)).toEqual({ ok: false, error: 'unreachable' });
    });
  });
}
