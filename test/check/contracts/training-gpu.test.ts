import { describe, expect, it } from 'vitest';
import { copy, kernel, step, sync, type TraceEvent } from '../../support/kineto-trace.ts';
import { checkTexts, idsOf, obligationOf, shippedContract } from './shipped.ts';

const contract = await shippedContract('training-gpu-kernel-v1');
const shape = { seq_len: 128, hidden_size: 64, vocab_size: 1000 };
const toDevice = 128 * 64 * 4;
const logits = 128 * 1000 * 4;

interface Change {
  readonly synchronised?: boolean;
  readonly extra?: readonly TraceEvent[];
  readonly readBytes?: number;
}

/** A step as the contract asks for it: kernels on stream 20, copies on stream 7. */
function trainingStep(
  index: number,
  { synchronised = true, extra = [], readBytes = logits }: Change = {},
): TraceEvent[] {
  const at = index * 10_000;
  const id = index * 100;
  return [
    step(index, at),
    ...copy({ call: at + 10, start: at + 20, duration: 30, direction: 'HtoD', bytes: toDevice, correlation: id + 1 }),
    ...kernel({ launch: at + 500, start: at + 510, duration: 3000, stream: 20, correlation: id + 2 }),
    ...(synchronised ? [sync(at + 600, at + 3600)] : []),
    ...copy({
      call: at + (synchronised ? 3700 : 700),
      start: at + (synchronised ? 3710 : 710),
      duration: 200,
      direction: 'DtoH',
      bytes: readBytes,
      correlation: id + 3,
    }),
    ...copy({
      call: at + 5000,
      start: at + 5010,
      duration: 200,
      direction: 'HtoD',
      bytes: logits,
      correlation: id + 4,
    }),
    ...extra,
  ];
}

function firstCopy(events: readonly TraceEvent[]): TraceEvent | undefined {
  return events.find(({ cat }) => cat === 'gpu_memcpy');
}

function changed(events: readonly TraceEvent[], fields: TraceEvent): readonly TraceEvent[] {
  const first = firstCopy(events);
  return events.map((event) => (event === first ? { ...event, ...fields } : event));
}

const trace = (events: readonly TraceEvent[]): Readonly<Record<string, string>> => ({
  'trace.json': JSON.stringify({ schemaVersion: 1, traceEvents: events }),
});

describe('a profile', () => {
  it('of three transfers per step, read after a synchronisation, is sound', async () => {
    const found = await checkTexts(contract, trace([1, 2, 3].flatMap((i) => trainingStep(i))), shape);
    expect([idsOf(found, 'violated'), idsOf(found, 'undetermined'), idsOf(found, 'vacuous')]).toEqual([[], [], []]);
  });

  it('with a fourth transfer shows the step that makes it', async () => {
    const extra = copy({ call: 28_000, start: 28_010, duration: 5, direction: 'DtoH', bytes: 4, correlation: 990 });
    const found = await checkTexts(
      contract,
      trace([1, 2, 3].flatMap((i) => trainingStep(i, i === 2 ? { extra } : {}))),
      shape,
    );
    expect(idsOf(found, 'violated')).toEqual(['GPU-001', 'GPU-003', 'GPU-005']);
    expect(obligationOf(found, 'GPU-001').rows).toEqual({ evaluated: 3, of: 3, failing: 1 });
    expect(obligationOf(found, 'GPU-001').numbers[0]).toContain('4 ≤ 3 is false');
  });

  it('whose logits are read before the kernels of another stream are done is a race', async () => {
    const found = await checkTexts(
      contract,
      trace([1, 2].flatMap((i) => trainingStep(i, { synchronised: i === 1 }))),
      shape,
    );
    expect(idsOf(found, 'violated')).toEqual(['GPU-006', 'GPU-007']);
    expect(obligationOf(found, 'GPU-006').places[0]?.position).toBe('event');
  });

  it('that reads a buffer of the wrong size shows it', async () => {
    const found = await checkTexts(contract, trace(trainingStep(1, { readBytes: 2 * logits })), shape);
    expect(idsOf(found, 'violated')).toEqual(['GPU-005']);
    expect(obligationOf(found, 'GPU-005').numbers[0]).toContain('1024000 = 512000 is false');
  });

  it('without the shapes is judged by its transfers, and the sizes are requested', async () => {
    const found = await checkTexts(contract, trace(trainingStep(1)));
    expect(idsOf(found, 'satisfied')).toEqual(['GPU-001', 'GPU-002', 'GPU-003', 'GPU-006', 'GPU-007']);
    expect(idsOf(found, 'inapplicable')).toEqual(['GPU-004', 'GPU-005']);
    expect(obligationOf(found, 'GPU-005').missing.map(({ name }) => name)).toEqual(['seq_len', 'vocab_size']);
  });

  it('that reads nothing stays within a budget that was not given', async () => {
    const read = (event: TraceEvent): boolean =>
      event['name'] === 'Memcpy DtoH (Device -> Pageable)' ||
      (event['name'] === 'cudaMemcpyAsync' && event['ts'] === 13_700);
    const events = trainingStep(1).filter((event) => !read(event));
    const found = await checkTexts(contract, trace(events));
    expect(idsOf(found, 'satisfied')).toEqual(expect.arrayContaining(['GPU-001', 'GPU-002', 'GPU-003']));
    const given = await checkTexts(contract, trace(events), { transfers_h2d: 1, transfers_d2h: 0 });
    expect(idsOf(given, 'violated')).toEqual(['GPU-001', 'GPU-002']);
  });

  it.each<readonly [string, (events: readonly TraceEvent[]) => readonly TraceEvent[]]>([
    ['of the host alone', (events) => events.filter(({ cat }) => cat === 'user_annotation' || cat === 'cuda_runtime')],
    ['of the host alone, without its calls', (events) => events.filter(({ cat }) => cat === 'user_annotation')],
    ['whose copies were not recorded', (events) => events.filter(({ cat }) => cat !== 'gpu_memcpy')],
    ['with a copy that was not recorded', (events) => events.filter((event) => event !== firstCopy(events))],
    [
      'with negative bytes',
      (events) => changed(events, { args: { device: 0, stream: 7, correlation: 101, bytes: -4 } }),
    ],
    ['that does not say the bytes', (events) => changed(events, { args: { device: 0, stream: 7, correlation: 101 } })],
    ['with a negative time', (events) => changed(events, { dur: -30 })],
    ['with a time that is not a number', (events) => changed(events, { dur: 'NaN' })],
    ['with a copy without a start', (events) => changed(events, { ts: null })],
    ['with a step that is in it twice', (events) => [...events, step(1, 10_000)]],
    [
      'with a copy that is in it twice',
      (events) => [...events, ...events.filter((event) => event === firstCopy(events))],
    ],
  ])('%s shows nothing about transfers', async (_, change) => {
    const found = await checkTexts(contract, trace(change(trainingStep(1))), shape);
    expect(idsOf(found, 'satisfied').filter((id) => id < 'GPU-006')).toEqual([]);
    expect(idsOf(found, 'undetermined')).toEqual(expect.arrayContaining(['GPU-001', 'GPU-002', 'GPU-003']));
  });

  it.each([1, 2, 40, 400])('cut off %d characters before its end shows nothing', async (characters) => {
    const whole = trace([1, 2].flatMap((i) => trainingStep(i)))['trace.json'] ?? '';
    const found = await checkTexts(contract, { 'trace.json': whole.slice(0, -1 - characters) }, shape);
    expect([idsOf(found, 'satisfied'), idsOf(found, 'vacuous')]).toEqual([[], []]);
  });

  it('of a device that copies nothing has nothing to order', async () => {
    const events = trainingStep(1).filter(({ cat, name }) => cat !== 'gpu_memcpy' && name !== 'cudaMemcpyAsync');
    const found = await checkTexts(contract, trace(events));
    expect(idsOf(found, 'satisfied')).toEqual(['GPU-001', 'GPU-002', 'GPU-003']);
    expect(idsOf(found, 'vacuous')).toEqual(['GPU-006', 'GPU-007']);
  });

  it('of a device that reports none of the copies that the host asked for shows nothing about them', async () => {
    const events = trainingStep(1).filter(({ cat }) => cat !== 'gpu_memcpy');
    const found = await checkTexts(contract, trace(events));
    expect([idsOf(found, 'satisfied'), idsOf(found, 'vacuous')]).toEqual([[], []]);
  });

  it('without steps passes nothing about steps', async () => {
    const events = trainingStep(1).filter(({ cat }) => cat !== 'user_annotation');
    const found = await checkTexts(contract, trace(events), shape);
    expect(idsOf(found, 'undetermined')).toEqual(['GPU-001', 'GPU-002', 'GPU-003', 'GPU-004', 'GPU-005']);
  });
});
