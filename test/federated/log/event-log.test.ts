/** Holds src/federated/log/log-line.ts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import type { FedEvent } from '../../../src/federated/events.ts';
import { openEventLog, readLog } from '../../../src/federated/log/event-log.ts';
import { good, start } from '../nodes.ts';

const events: readonly FedEvent[] = [0, 1, 2].map((count) => ({
  type: 'fedlearn.refused',
  capability: 'x',
  code: 'round_full',
  roundId: null,
  sender: null,
  count,
}));

async function written(host = createMemoryHost()) {
  const log = good(await openEventLog(host, 'log'));
  for (const event of events) good(log.append(event, start));
  good(await log.sync());
  return { host, bytes: good(await host.readBytes('log')) };
}

describe('the event log', () => {
  it('gives back what was appended, and goes on after it', async () => {
    const { host } = await written();
    const again = good(await openEventLog(host, 'log'));
    expect(again.earlier.map(({ event }) => event)).toEqual(events);
    const line = good(again.append({ type: 'fedlearn.command.used', nonce: 'ab'.repeat(32) }, start));
    expect(line.seq).toBe(3);
    expect(good(readLog(good(await host.readBytes('log')))).lines).toHaveLength(4);
  });

  it('drops a torn last line and nothing else, wherever it was cut', async () => {
    const { bytes } = await written();
    for (let cut = 0; cut <= bytes.length; cut++) {
      const host = createMemoryHost();
      host.files.set('/project/log', bytes.slice(0, cut));
      const whole = bytes.slice(0, cut).filter((byte) => byte === 0x0a).length;
      const log = good(await openEventLog(host, 'log'));
      expect(log.earlier).toHaveLength(whole);
      good(log.append(events[0] as FedEvent, start));
      expect(good(readLog(good(await host.readBytes('log')))).lines).toHaveLength(whole + 1);
    }
  });

  it('notices each changed bit of its whole lines', async () => {
    const { bytes } = await written();
    fc.assert(
      fc.property(fc.nat(bytes.length - 2), fc.nat(7), (at, bit) => {
        const changed = bytes.slice();
        changed[at] = (changed[at] ?? 0) ^ (1 << bit);
        const read = readLog(changed);
        expect(read.ok && read.value.tornBytes === 0).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it('notices lines that are removed, repeated or swapped', async () => {
    const { bytes } = await written();
    const lines = new TextDecoder().decode(bytes).split('\n').slice(0, -1);
    const [a = '', b = '', c = ''] = lines;
    for (const other of [
      [b, c],
      [a, c],
      [a, a, b],
      [b, a, c],
      [a, b, c, c],
    ])
      expect(readLog(new TextEncoder().encode(`${other.join('\n')}\n`))).toMatchObject({
        ok: false,
        error: { code: 'PV-8600' },
      });
  });

  it('takes nothing more after a failed write, whose rest could swallow the next line', async () => {
    const host = createMemoryHost();
    const failing = {
      ...host,
      createFile: async (...given: Parameters<typeof host.createFile>) => {
        const file = good(await host.createFile(...given));
        let calls = 0;
        return {
          ok: true as const,
          value: {
            ...file,
            append: (bytes: Uint8Array) => {
              calls += 1;
              if (calls !== 2) return file.append(bytes);
              file.append(bytes.subarray(0, 10));
              return { ok: false as const, error: { kind: 'no-space' as const, path: 'log', message: 'is full' } };
            },
          },
        };
      },
    };
    const log = good(await openEventLog(failing, 'log'));
    expect(events.map((event) => log.append(event, start).ok)).toEqual([true, false, false]);
    expect(good(await openEventLog(host, 'log')).earlier).toHaveLength(1);
  });
});
