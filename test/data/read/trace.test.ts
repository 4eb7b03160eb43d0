/**
 * Profiles of a training step: `read-trace.ts`, and in `trace/` the files `collect.ts`, `kineto-event.ts`, `order-copies.ts`,
 * `ordered-trace.ts`, `split-events.ts` and `trace-tables.ts`.
 *
 * Holds src/data/read/read-trace.ts, src/data/read/trace/collect.ts, src/data/read/trace/kineto-event.ts,
 * src/data/read/trace/order-copies.ts, src/data/read/trace/ordered-trace.ts, src/data/read/trace/split-events.ts,
 * src/data/read/trace/trace-tables.ts.
 */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createEventSplitter } from '../../../src/data/read/trace/split-events.ts';
import { copy, kernel, kinetoEvents, step, sync, type TraceEvent } from '../../support/kineto-trace.ts';
import { readFileContent, type ReadFile } from '../../support/read-data-file.ts';

const trace = (events: readonly TraceEvent[]): string =>
  JSON.stringify({ schemaVersion: 1, deviceProperties: [{ id: 0 }], traceEvents: events });
const read = (events: readonly TraceEvent[]): Promise<ReadFile> => readFileContent('x', trace(events));

describe('splitting a trace', () => {
  const text =
    '{"a": ["{", "traceEvents"], "b": {"traceEvents": [{"no": 1}]}, "traceEvents": [ {"s": "}\\"]"}, {"d": {"e": [{}]}} ], "z": [{"no": 2}]}';

  test('in pieces of any size the same events come out, from the list at the top alone', () => {
    const bytes = new TextEncoder().encode(text);
    for (let size = 1; size <= bytes.length; size++) {
      const found: string[] = [];
      const splitter = createEventSplitter(
        (all, start, end) => found.push(new TextDecoder().decode(all.subarray(start, end))) > 0,
      );
      for (let at = 0; at < bytes.length; at += size) splitter.push(bytes.slice(at, at + size));
      expect(found).toEqual(['{"s": "}\\"]"}', '{"d": {"e": [{}]}}']);
      expect(splitter.state()).toBe('complete');
    }
  });

  test('offsets are those of the file', () => {
    const offsets: number[] = [];
    const splitter = createEventSplitter((_, __, ___, offset) => offsets.push(offset) > 0);
    splitter.push(new TextEncoder().encode(text));
    expect(offsets.map((at) => text.slice(at, at + 4))).toEqual(['{"s"', '{"d"']);
  });
});

describe('a healthy training step', () => {
  test('has three transfers, its bytes, its kernels and its idle time', async () => {
    const found = await read([...kinetoEvents(3, 10), ...kinetoEvents(4, 10)]);
    expect([found.data?.format, found.codes]).toEqual(['kineto', []]);
    expect([
      found.column('steps', 'step'),
      found.column('steps', 'transfers'),
      found.column('steps', 'transfers_d2h'),
    ]).toEqual([
      [3, 4],
      [3, 3],
      [1, 1],
    ]);
    expect([found.column('steps', 'bytes_h2d'), found.column('steps', 'kernels')]).toEqual([
      [142_606_336, 142_606_336],
      [10, 10],
    ]);
    expect([
      found.column('steps', 'kernel_time'),
      found.column('steps', 'busy'),
      found.column('steps', 'idle'),
    ]).toEqual([
      [3500, 3500],
      [4330, 4330],
      [5670, 5670],
    ]);
    expect(found.column('transfers', 'direction')).toEqual([0, 1, 0, 0, 1, 0]);
    expect(found.column('transfers', 'step')).toEqual([3, 3, 3, 4, 4, 4]);
    expect(found.column('transfers', 'unsynchronised')).toEqual([0, 0, 0, 0, 0, 0]);
    expect(found.data?.tables.get('kernels')?.labels).toContain('gemm_0');
  });

  test('as a bare list, in gzip, and with the categories of older versions', async () => {
    const bare = JSON.stringify(kinetoEvents(1, 5));
    expect((await readFileContent('x', bare)).column('steps', 'kernels')).toEqual([5]);
    expect((await readFileContent('x', gzipSync(bare))).column('steps', 'kernels')).toEqual([5]);
    const older = bare
      .replaceAll('"gpu_memcpy"', '"Memcpy"')
      .replaceAll('"kernel"', '"Kernel"')
      .replaceAll('"cuda_runtime"', '"Runtime"');
    expect((await readFileContent('x', older)).column('steps', 'transfers')).toEqual([3]);
  });
});

describe('a copy to the host, and a kernel of another stream before it', () => {
  const written = kernel({ launch: 100, start: 110, duration: 500, stream: 13, correlation: 1 });
  const copied = (call: number, start: number, more: { readonly stream?: number; readonly pageable?: boolean } = {}) =>
    copy({ call, start, duration: 50, direction: 'DtoH', bytes: 4, correlation: 2, ...more });
  const order = async (events: readonly TraceEvent[]): Promise<readonly (number | null | undefined)[]> => {
    const found = await read([step(1, 0), ...events]);
    return ['unsynchronised', 'overlapping'].map((name) => found.column('transfers', name)?.at(-1));
  };

  test.each<readonly [string, readonly TraceEvent[], readonly number[]]>([
    ['nothing waits: the copy reads what is not finished', [...written, ...copied(200, 210)], [1, 1]],
    ['nothing waits, and the kernel happens to be done', [...written, ...copied(700, 710)], [1, 0]],
    ['the host waits for the kernel', [...written, sync(150, 620), ...copied(700, 710)], [0, 0]],
    [
      'the host waits for the device',
      [...written, sync(150, 620, 'cudaDeviceSynchronize'), ...copied(700, 710)],
      [0, 0],
    ],
    [
      'the host waits for another stream and returns too early',
      [...written, sync(150, 160), ...copied(700, 710)],
      [1, 0],
    ],
    ['the host waits before the launch', [sync(50, 90), ...written, ...copied(700, 710)], [1, 0]],
    ['the stream is told to wait', [...written, sync(150, 152, 'cudaStreamWaitEvent'), ...copied(200, 620)], [0, 0]],
    ['the kernel is on the stream of the copy', [...written, ...copied(200, 620, { stream: 13 })], [0, 0]],
    [
      'a blocking copy on the stream of the kernel',
      [
        ...written,
        ...copy({ call: 150, start: 620, duration: 10, direction: 'DtoH', bytes: 4, stream: 13, correlation: 9 }),
        ...copied(700, 710),
      ],
      [0, 0],
    ],
    ['a copy to pinned memory makes nobody wait', [...written, ...copied(200, 210, { pageable: false })], [1, 1]],
  ])('%s', async (_, events, expected) => {
    expect(await order(events)).toEqual(expected);
  });

  test('times of the launch, of the end and of the waits are in the row', async () => {
    const found = await read([step(1, 0), ...written, sync(150, 620), ...copied(700, 710), sync(800, 810)]);
    const row = [
      'last_other_kernel_launch',
      'last_kernel_end',
      'last_sync_end',
      'next_sync_end',
      'blocking',
      'call_start',
    ].map((name) => found.column('transfers', name)?.[0]);
    expect(row).toEqual([100, 610, 620, 810, 1, 700]);
  });
});

describe('profiles that lack something', () => {
  test.each<readonly [string, string, readonly string[]]>([
    ['no steps', trace(kinetoEvents(1, 2).slice(1)), ['PV-7029']],
    ['no events', trace([]), ['PV-7029', 'PV-7029', 'PV-7029']],
    ['cut in the middle', trace(kinetoEvents(1, 5)).slice(0, -40), ['PV-7028']],
    ['no list', '{"schemaVersion": 1, "deviceProperties": []}', ['PV-7028']],
    ['an event that is no JSON', trace(kinetoEvents(1, 5)).replace('"cat":"kernel"', '"cat":"kernel",,'), ['PV-7028']],
  ])('%s', async (_, text, codes) => {
    expect((await readFileContent('x', text)).codes).toEqual(codes);
  });

  test('a table without rows has its columns', async () => {
    expect((await read([])).column('transfers', 'bytes')).toEqual([]);
  });
});
