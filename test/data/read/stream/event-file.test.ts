/**
 * TensorBoard's event files, with `protobuf.ts`, `series-rows.ts` and the checksum in `crc32c.ts`.
 *
 * Holds src/data/read/stream/crc32c.ts, src/data/read/stream/findings.ts, src/data/read/stream/protobuf.ts,
 * src/data/read/stream/series-rows.ts, src/data/read/stream/tensor-scalar.ts.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crc32c } from '../../../../src/data/read/stream/crc32c.ts';
import { eventFile, eventMessage, frame, slowCrc32c, type ScalarEvent } from '../../../support/event-file.ts';
import { readFileContent } from '../../../support/read-data-file.ts';

const event = (step: number, tag: string, value: number, as: ScalarEvent['as'] = 'simple'): ScalarEvent => ({
  step,
  tag,
  value,
  wallTime: 1000 + step,
  as,
});

describe('CRC-32C', () => {
  test('of the check string of the catalogue, and of RFC 3720 B.4', () => {
    expect(crc32c(new TextEncoder().encode('123456789'), 0, 9)).toBe(0xe3069283);
    expect(crc32c(new Uint8Array(32), 0, 32)).toBe(0x8a9136aa);
    expect(crc32c(new Uint8Array(32).fill(0xff), 0, 32)).toBe(0x62a8ab43);
  });

  test('by table as bit by bit', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(crc32c(bytes, 0, bytes.length)).toBe(slowCrc32c(bytes));
      }),
    );
  });
});

describe('TensorBoard event files', () => {
  test('tags of one step are one row, in whatever form their values are', async () => {
    const read = await readFileContent(
      'x',
      eventFile([
        event(1, 'train/loss', 2.5),
        event(1, 'train/learning_rate', 0.25, 'double'),
        event(2, 'train/loss', 2, 'tensor'),
        event(2, 'train/grad_norm', 0.5),
        event(2, 'eval/loss', 3),
      ]),
    );
    expect(read.data?.format).toBe('tensorboard');
    expect([read.column('log', 'step'), read.column('log', 'loss')]).toEqual([
      [1, 2],
      [2.5, 2],
    ]);
    expect([
      read.column('log', 'learning_rate'),
      read.column('log', 'grad_norm'),
      read.column('eval', 'eval_loss'),
    ]).toEqual([[0.25, null], [null, 0.5], [3]]);
    expect([read.column('log', 'wall_time'), read.codes]).toEqual([[1001, 1002], []]);
    expect(read.lines('log')[0]).toBe(0);
  });

  test('a tag after the other, and a run that started again', async () => {
    const read = await readFileContent(
      'x',
      eventFile([
        event(1, 'loss', 3),
        event(2, 'loss', 2),
        event(1, 'lr', 0.5),
        event(2, 'lr', 0.25),
        event(1, 'loss', 9),
        event(1, 'lr', 8),
      ]),
    );
    expect([read.column('log', 'step'), read.column('log', 'loss'), read.column('log', 'learning_rate')]).toEqual([
      [1, 2, 1],
      [3, 2, 9],
      [0.5, 0.25, 8],
    ]);
    expect(read.codes).toEqual(['PV-7024']);
  });

  test('NaN is a value; a step beyond 2^31 is one', async () => {
    const read = await readFileContent('x', eventFile([event(5_000_000_000, 'loss', NaN)]));
    expect([read.column('log', 'step'), read.column('log', 'loss')]).toEqual([[5_000_000_000], [NaN]]);
  });

  const whole = eventFile([event(1, 'loss', 3), event(2, 'loss', 2), event(3, 'loss', 1)]);
  const length = whole.length / 3;

  test('a file cut anywhere keeps its whole records and says where it ends', async () => {
    for (let cut = length + 1; cut < whole.length; cut++) {
      if (cut % length === 0) continue;
      const read = await readFileContent('x', whole.subarray(0, cut));
      expect([cut, read.column('log', 'loss'), read.codes]).toEqual([
        cut,
        [3, 2].slice(0, Math.floor(cut / length)),
        ['PV-7020'],
      ]);
    }
  });

  test('a flipped byte is found, wherever it is, and no value of its record is believed', async () => {
    for (let at = length; at < 2 * length; at++) {
      const bytes = whole.slice();
      bytes[at] = (bytes[at] ?? 0) ^ 0x10;
      const read = await readFileContent('x', bytes);
      expect(read.codes).toContain('PV-7027');
      expect(read.column('log', 'loss')).toEqual(at < length + 12 ? [3] : [3, 1]);
    }
  });

  test('a record that is no message, and large records, are passed over', async () => {
    const image = frame(new Uint8Array(5 * 1024 * 1024));
    const parts = [
      eventFile([event(1, 'loss', 3)]),
      frame(Uint8Array.from([0xff, 0xff])),
      image,
      frame(eventMessage(event(2, 'loss', 2))),
    ];
    const read = await readFileContent('x', Uint8Array.from(parts.flatMap((part) => [...part])));
    expect([read.column('log', 'loss'), read.codes]).toEqual([[3, 2], ['PV-7027']]);
  });
});
