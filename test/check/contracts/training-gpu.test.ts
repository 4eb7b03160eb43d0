/** What copies of a profile cost, and what orders them. Holds src/data/read/trace/copy-cost.ts. */
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkData } from '../../../src/data/judge/check-data.ts';
import { readData } from '../../../src/data/read/read-data.ts';
import { createNodeHost } from '../../../src/host/node-host.ts';
import { copy, kernel, step, sync, type TraceEvent } from '../../support/kineto-trace.ts';
import { checkTexts, idsOf, obligationOf, shippedContract } from './shipped.ts';

const contract = await shippedContract('training-gpu-kernel-v1');
const shape = { seq_len: 128, hidden_size: 64, vocab_size: 1000 };
const budget = { transfers_h2d: 2, transfers_d2h: 1 };
const asked = { ...shape, ...budget };
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
    ...copy({
      call: at + 10,
      start: at + 20,
      duration: 30,
      direction: 'HtoD',
      bytes: toDevice,
      pageable: false,
      correlation: id + 1,
    }),
    ...kernel({ launch: at + 500, start: at + 510, duration: 3000, stream: 20, correlation: id + 2 }),
    ...(synchronised ? [sync(at + 600, at + 3600)] : []),
    ...copy({
      call: at + (synchronised ? 3700 : 700),
      start: at + (synchronised ? 3710 : 710),
      duration: 200,
      direction: 'DtoH',
      bytes: readBytes,
      pageable: false,
      correlation: id + 3,
    }),
    ...copy({
      call: at + 5000,
      start: at + 5010,
      duration: 200,
      direction: 'HtoD',
      bytes: logits,
      pageable: false,
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

const costs = ['GPU-008', 'GPU-009', 'GPU-010', 'GPU-011', 'GPU-012'];

const trace = (events: readonly TraceEvent[]): Readonly<Record<string, string>> => ({
  'trace.json': JSON.stringify({ schemaVersion: 1, traceEvents: events }),
});

describe('a profile', () => {
  it('of three transfers per step, read after a synchronisation, is sound', async () => {
    const found = await checkTexts(contract, trace([1, 2, 3].flatMap((i) => trainingStep(i))), asked);
    expect([idsOf(found, 'violated'), idsOf(found, 'undetermined'), idsOf(found, 'vacuous')]).toEqual([[], [], []]);
    expect(idsOf(found, 'satisfied')).toHaveLength(12);
  });

  it('with a fourth transfer shows the step that makes it', async () => {
    const extra = copy({ call: 28_000, start: 28_010, duration: 5, direction: 'DtoH', bytes: 4, correlation: 990 });
    const found = await checkTexts(
      contract,
      trace([1, 2, 3].flatMap((i) => trainingStep(i, i === 2 ? { extra } : {}))),
      asked,
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

  it('without a budget and shapes is judged by what its copies cost, and the sizes are requested', async () => {
    const found = await checkTexts(contract, trace(trainingStep(1)));
    expect(idsOf(found, 'satisfied')).toEqual(['GPU-006', 'GPU-007', ...costs]);
    expect(idsOf(found, 'inapplicable')).toEqual(['GPU-001', 'GPU-002', 'GPU-003', 'GPU-004', 'GPU-005']);
    expect(obligationOf(found, 'GPU-005').missing.map(({ name }) => name)).toEqual(['seq_len', 'vocab_size']);
  });

  it('that reads nothing stays within its budget', async () => {
    const read = (event: TraceEvent): boolean =>
      event['name'] === 'Memcpy DtoH (Device -> Pinned)' ||
      (event['name'] === 'cudaMemcpyAsync' && event['ts'] === 13_700);
    const events = trainingStep(1).filter((event) => !read(event));
    const found = await checkTexts(contract, trace(events), budget);
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
    const found = await checkTexts(contract, trace(change(trainingStep(1))), asked);
    expect(idsOf(found, 'satisfied').filter((id) => !['GPU-006', 'GPU-007'].includes(id))).toEqual([]);
    expect(idsOf(found, 'undetermined')).toEqual(expect.arrayContaining(['GPU-001', 'GPU-002', 'GPU-003', ...costs]));
  });

  it.each([1, 2, 40, 400])('cut off %d characters before its end shows nothing', async (characters) => {
    const whole = trace([1, 2].flatMap((i) => trainingStep(i)))['trace.json'] ?? '';
    const found = await checkTexts(contract, { 'trace.json': whole.slice(0, -1 - characters) }, shape);
    expect([idsOf(found, 'satisfied'), idsOf(found, 'vacuous')]).toEqual([[], []]);
  });

  it('of a device that copies nothing has nothing to order', async () => {
    const events = trainingStep(1).filter(({ cat, name }) => cat !== 'gpu_memcpy' && name !== 'cudaMemcpyAsync');
    const found = await checkTexts(contract, trace(events));
    expect(idsOf(found, 'satisfied')).toEqual(costs);
    expect(idsOf(found, 'vacuous')).toEqual(['GPU-006', 'GPU-007']);
  });

  it('of a device that reports none of the copies that the host asked for shows nothing about them', async () => {
    const events = trainingStep(1).filter(({ cat }) => cat !== 'gpu_memcpy');
    const found = await checkTexts(contract, trace(events));
    expect([idsOf(found, 'satisfied'), idsOf(found, 'vacuous')]).toEqual([[], []]);
  });

  it('without steps passes nothing about steps', async () => {
    const events = trainingStep(1).filter(({ cat }) => cat !== 'user_annotation');
    const found = await checkTexts(contract, trace(events), asked);
    const ofSteps = ['GPU-001', 'GPU-002', 'GPU-003', 'GPU-004', 'GPU-005', ...costs];
    expect(idsOf(found, 'undetermined')).toEqual(ofSteps);
  });
});

/** Steps of 10 ms that keep the device busy for 9.6 ms on stream 7, launched 8 ms ahead; `extra` is what each step does besides. */
function busySteps(extra: (at: number, id: number) => readonly TraceEvent[], gap: number = 400): readonly TraceEvent[] {
  return [1, 2, 3, 4].flatMap((index) => {
    const [at, id] = [index * 10_000, index * 100];
    return [
      step(index, at),
      ...kernel({ launch: at + 100, start: at + gap, duration: 10_000 - gap, correlation: id + 1 }),
      ...extra(at, id),
    ];
  });
}

describe('what copies cost', () => {
  const violatedBy = async (events: readonly TraceEvent[], settings = {}): Promise<readonly string[]> =>
    idsOf(await checkTexts(contract, trace(events), settings), 'violated');
  const toDevice = { direction: 'HtoD', bytes: 10_000_000, stream: 20 } as const;

  it('is nothing for a batch of pinned memory that is copied ahead', async () => {
    const ahead = (at: number, id: number): readonly TraceEvent[] =>
      copy({ ...toDevice, call: at + 500, start: at + 510, duration: 800, pageable: false, correlation: id + 2 });
    expect(await violatedBy(busySteps(ahead))).toEqual([]);
  });

  it('is exposed where a batch of pinned memory is copied between the steps', async () => {
    const late = (at: number, id: number): readonly TraceEvent[] =>
      copy({ ...toDevice, call: at + 5, start: at + 10, duration: 800, pageable: false, correlation: id + 2 });
    expect(await violatedBy(busySteps(late, 900))).toEqual(['GPU-008']);
    expect(await violatedBy(busySteps(late, 900), { max_exposed_share: 0.1 })).toEqual([]);
  });

  it('is pageable where 100 MB of it are copied, even next to kernels', async () => {
    const staged = (at: number, id: number): readonly TraceEvent[] =>
      copy({ ...toDevice, bytes: 100_000_000, call: at + 500, start: at + 510, duration: 9_000, correlation: id + 2 });
    expect(await violatedBy(busySteps(staged))).toEqual(['GPU-010']);
  });

  it('is a stall where the loss is read in every step, and nothing where the device idles anyway', async () => {
    const item =
      (waits: number) =>
      (at: number, id: number): readonly TraceEvent[] => [
        ...copy({
          call: at + 10_000 - waits,
          start: at + 10_001,
          duration: 2,
          direction: 'DtoH',
          bytes: 4,
          correlation: id + 2,
        }),
        sync(at + 10_005, at + 10_010),
      ];
    const found = await checkTexts(contract, trace(busySteps(item(9_000), 900)));
    expect(idsOf(found, 'violated')).toEqual(['GPU-009']);
    expect(obligationOf(found, 'GPU-009').numbers.join(' ')).toContain('stall_share');
    expect(await violatedBy(busySteps(item(9_000), 300))).toEqual([]);
    expect(await violatedBy(busySteps(item(50), 900))).toEqual([]);
  });

  it('is a stall where the host synchronises after a copy of pinned memory, and none where it launches on', async () => {
    const read =
      (wait: readonly [number, number]) =>
      (at: number, id: number): readonly TraceEvent[] => [
        ...copy({
          call: at + 200,
          start: at + 10_000,
          duration: 2,
          direction: 'DtoH',
          bytes: 4,
          pageable: false,
          correlation: id + 2,
        }),
        sync(at + wait[0], at + wait[1]),
      ];
    expect(await violatedBy(busySteps(read([250, 10_050]), 900))).toEqual(['GPU-009']);
    expect(await violatedBy(busySteps(read([250, 9_000]), 900))).toEqual([]);
    expect(await violatedBy(busySteps(read([10_150, 10_160]), 900))).toEqual([]);
  });

  it('shows copies on a stream of their own that wait for the kernels of another stream', async () => {
    const behind =
      (stream: number, start: number) =>
      (at: number, id: number): readonly TraceEvent[] =>
        copy({
          ...toDevice,
          stream,
          call: at + 500,
          start: at + start,
          duration: 300,
          pageable: false,
          correlation: id + 2,
        });
    expect(await violatedBy(busySteps(behind(20, 10_005)))).toEqual(['GPU-011']);
    expect(await violatedBy(busySteps(behind(7, 10_005)))).toEqual([]);
    expect(await violatedBy(busySteps(behind(20, 10_050)))).toEqual([]);
    const ahead = (at: number, id: number): readonly TraceEvent[] =>
      copy({ ...toDevice, call: at + 9_990, start: at + 10_005, duration: 300, pageable: false, correlation: id + 2 });
    expect(await violatedBy(busySteps(ahead))).toEqual([]);
  });

  it('counts bytes against the bus', async () => {
    const many = (at: number, id: number): readonly TraceEvent[] =>
      copy({
        ...toDevice,
        bytes: 126_000_000,
        call: at + 500,
        start: at + 510,
        duration: 5_000,
        pageable: false,
        correlation: id + 2,
      });
    expect(await violatedBy(busySteps(many))).toEqual(['GPU-012']);
    expect(await violatedBy(busySteps(many), { bus_rate: 50_000 })).toEqual([]);
  });

  it('does not judge a copy on a stream with kernels of its own by those of others', async () => {
    const pipeline =
      (own: readonly TraceEvent[]) =>
      (at: number, id: number): readonly TraceEvent[] => [
        ...own.map((event) => ({
          ...event,
          ts: Number(event['ts']) + at,
          args: { ...Object(event['args']), correlation: id + 3 },
        })),
        ...copy({
          call: at + 600,
          start: at + 610,
          duration: 2,
          direction: 'DtoH',
          bytes: 8,
          stream: 20,
          correlation: id + 2,
        }),
      ];
    const own = kernel({ launch: 500, start: 510, duration: 20, stream: 20, correlation: 3 });
    expect(await violatedBy(busySteps(pipeline(own)))).toEqual([]);
    expect(await violatedBy(busySteps(pipeline([])))).toEqual(['GPU-006', 'GPU-007']);
  });

  it('is not known where no kernels were recorded', async () => {
    const events = busySteps((at, id) =>
      copy({ ...toDevice, call: at + 500, start: at + 510, duration: 10, correlation: id + 2 }),
    );
    const found = await checkTexts(contract, trace(events.filter(({ cat }) => cat !== 'kernel')));
    expect(idsOf(found, 'undetermined')).toEqual(['GPU-008', 'GPU-009', 'GPU-011']);
  });
});

const profiles = fileURLToPath(new URL('../../../../shared/data/strangers/profiles', import.meta.url));

describe.runIf(existsSync(profiles))('profiles of trainers that others wrote', () => {
  it.each(
    readdirSync(existsSync(profiles) ? profiles : '.').filter((name) => /^(?:modded|hta-nccl|hta-sampled)/.test(name)),
  )('%s passes', async (name) => {
    const { value } = await readData(createNodeHost(), `${profiles}/${name}`);
    if (!value) throw new Error(`${name} cannot be read`);
    const found = await checkData(contract, [value], new Map());
    expect([idsOf(found, 'violated'), idsOf(found, 'undetermined')]).toEqual([[], []]);
    expect(idsOf(found, 'satisfied')).toEqual(costs);
  });
});
