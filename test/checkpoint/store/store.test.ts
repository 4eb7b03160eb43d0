/** Holds src/checkpoint/store/load.ts, training-state.ts, state-file.ts, manifest.ts, layout.ts, lock.ts and read-tensors.ts. */
import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  loadCheckpoint,
  openCheckpointFolder,
  saveCheckpoint,
  type TrainingState,
} from '../../../src/checkpoint/index.ts';
import { loadFrom } from '../../../src/checkpoint/store/load.ts';
import { openCheckpoints } from '../../../src/checkpoint/store/writer.ts';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import { createNodeHost } from '../../../src/host/node-host.ts';
import { arrayOfBytes, bytesOfArray, type DType, type TensorArray } from '../../../src/tensors/typed-arrays.ts';
import { stateOf, textOf } from './states.ts';

const scratch = await mkdtemp(join(tmpdir(), 'pv-store-'));
afterAll(() => rm(scratch, { recursive: true, force: true }));

let cases = 0;
let folder = '';
beforeEach(() => void (folder = join(scratch, `case-${++cases}`)));

const position = { step: 1, epoch: 0, nextBatch: 0, accumulated: 0 };
const weights = [{ name: 'w', shape: [2], data: Float32Array.of(1, 2) }];

describe('a round trip', () => {
  it('gives back every part of a state, bit for bit', async () => {
    for (let n = 1; n <= 4; n++) {
      const { path, sequence } = await saveCheckpoint(folder, stateOf(n));
      expect(sequence).toBe(n);
      const loaded = await loadCheckpoint(folder);
      expect(textOf(loaded.state)).toBe(textOf(stateOf(n)));
      expect(loaded).toMatchObject({ path, sequence, passedOver: [] });
    }
    expect((await readdir(folder)).toSorted()).toEqual(['checkpoint-00000003', 'checkpoint-00000004', 'latest.json']);
  });

  it('holds for tensors of every type, and any bits', async () => {
    const types: readonly DType[] = [
      'F32',
      'F64',
      'I8',
      'U8',
      'I16',
      'U16',
      'I32',
      'U32',
      'I64',
      'U64',
      'F16',
      'BF16',
      'BOOL',
    ];
    const tensor = fc.record({
      dtype: fc.constantFrom(...types),
      bytes: fc.uint8Array({ minLength: 0, maxLength: 64 }),
    });
    const host = createMemoryHost({ 'other.txt': '' });
    const writer = await openCheckpoints(host, 'run');
    await fc.assert(
      fc.asyncProperty(fc.array(tensor, { maxLength: 6 }), async (list) => {
        const tensors = list.map(({ dtype, bytes }, i) => {
          const data = arrayOfBytes(dtype, bytes.slice(0, bytes.length - (bytes.length % 8)));
          return { name: `${i}/__proto__`, shape: [data.length], data, dtype };
        });
        const state: TrainingState = { position, weights, others: tensors };
        expect(writer.ok && (await writer.value.save(state))).toMatchObject({ ok: true });
        const loaded = await loadFrom(host, 'run');
        const found = loaded.ok ? (loaded.value.state.others ?? []) : [];
        expect(found.map(({ name, data }) => [name, data])).toEqual(tensors.map(({ name, data }) => [name, data]));
      }),
      { numRuns: 40 },
    );
  });

  it('is little-endian on machines that are not', () => {
    const numbers: readonly TensorArray[] = [Float32Array.of(1, -2), BigInt64Array.of(5n), Uint16Array.of(258)];
    for (const array of numbers) {
      const bytes = bytesOfArray(array, false);
      expect([...bytes.subarray(0, array.BYTES_PER_ELEMENT)]).toEqual(
        [...bytesOfArray(array, true).subarray(0, array.BYTES_PER_ELEMENT)].toReversed(),
      );
    }
    expect(arrayOfBytes('U16', Uint8Array.of(1, 2), false)).toEqual(Uint16Array.of(0x102));
  });

  it('takes objects without a prototype, as parsers make them', async () => {
    const extra = Object.assign(Object.create(null), { a: Object.create(null) });
    await saveCheckpoint(folder, { position, weights, extra });
    expect((await loadCheckpoint(folder)).state.extra).toEqual({ a: {} });
  });

  it('numbers grow though the run goes back, and later checkpoints do not win by their step', async () => {
    await saveCheckpoint(folder, stateOf(4));
    await saveCheckpoint(folder, stateOf(1));
    expect((await loadCheckpoint(folder)).state.position.step).toBe(10);
  });
});

describe('training that goes on while a save is pending', () => {
  const still = (fill: number) => new Float32Array(100_000).fill(fill);
  it.each([0, 1, 5, 20])('changes nothing of what is saved, after %i ms', async (wait) => {
    const writer = await openCheckpointFolder(folder, { keep: 1 });
    const [w, m, sum, state] = [still(1), still(1), Buffer.alloc(100_000, 1), { kind: 'cosine', last_step: 1 }];
    const tensor = (name: string, data: TensorArray) => ({ name, shape: [data.length], data });
    const random = { data: [1] };
    for (let step = 1; step <= 3; step++) {
      const saving = writer.save({
        position: { ...position, step },
        weights: [tensor('w', w)],
        optimizer: [tensor('w.exp_avg', m)],
        others: [tensor('sum', sum)],
        scheduler: state,
        random,
      });
      if (wait > 0) await new Promise((resolve) => void setTimeout(resolve, wait));
      [w, m, sum].forEach((array) => array.fill(step + 1));
      [state.last_step, random.data[0]] = [step + 1, step + 1];
      await saving;
      const { state: loaded, passedOver } = await loadCheckpoint(folder);
      const arrays = [...loaded.weights, ...(loaded.optimizer ?? []), ...(loaded.others ?? [])];
      expect(arrays.map(({ data }) => [...new Set<number | bigint>(data)])).toEqual([[step], [step], [step]]);
      expect([loaded.scheduler?.['last_step'], loaded.random, passedOver]).toEqual([step, { data: [step] }, []]);
    }
    await writer.close();
  });
});

describe('a state that a checkpoint could not give back is refused', () => {
  it.each<readonly [string, object, RegExp]>([
    ['partial gradients that are missing', { position: { ...position, accumulated: 2 } }, /lose 2 batches/],
    ['gradients of no batch', { gradients: weights }, /position.accumulated is 0/],
    ['a step that is not whole', { position: { ...position, step: 1.5 } }, /position.step is 1.5/],
    ['a NaN in JSON', { scheduler: { rate: NaN } }, /scheduler.rate is NaN/],
    ['a map', { random: { data: new Map() } }, /random.data is a Map/],
    ['undefined', { extra: { a: [undefined] } }, /extra.a.0 is a undefined/],
    ['a lone surrogate', { versions: { pv: '\ud800' } }, /not Unicode/],
    [
      'a shape of another size',
      { weights: [{ name: 'w', shape: [3], data: Float32Array.of(1, 2) }] },
      /shape \[3\] but 2/,
    ],
    ['a name twice', { weights: [...weights, ...weights] }, /two tensors named/],
    ['a plain array', { weights: [{ name: 'w', shape: [1], data: [1] }] }, /not a typed array/],
    ['a key that is misspelt', { optimiser: weights }, /has a key 'optimiser'.*did you mean optimizer/],
    ['a key of another library', { rng: { a: [1] } }, /has a key 'rng', which a checkpoint does not hold/],
    [
      'a key of the position',
      { position: { ...position, next_batch: 3 } },
      /position has a key 'next_batch'.*nextBatch/,
    ],
    ['a position that lacks a number', { position: { step: 1, epoch: 0, nextBatch: 0 } }, /accumulated is undefined/],
    ['no position', { position: undefined }, /position is missing/],
    ['no weights', { weights: [] }, /has no weights/],
    ['weights that are not given', { weights: undefined }, /has no weights/],
    ['half floats in floats', { weights: [{ ...weights[0], dtype: 'F16' }] }, /F16, which a Float32Array/],
  ])('%s', async (_, part, message) => {
    const save = saveCheckpoint(folder, { position, weights, ...part });
    await expect(save).rejects.toMatchObject({ problem: { code: 'PV-8540', message: expect.stringMatching(message) } });
    await expect(loadCheckpoint(folder)).rejects.toMatchObject({ problem: { code: 'PV-8544' } });
  });
});

it('an option that is unknown and an empty path are refused; errors have a code', async () => {
  const state = { position, weights };
  const misspelt: object = { keeps: 3 };
  await expect(openCheckpointFolder(folder, misspelt)).rejects.toMatchObject({ code: 'PV-8540' });
  await expect(saveCheckpoint('', state)).rejects.toMatchObject({ name: 'CheckpointError', code: 'PV-8540' });
  await expect(loadCheckpoint('')).rejects.toMatchObject({
    code: 'PV-8544',
    message: expect.stringContaining('empty'),
  });
});

describe('a folder that is read while another process saves to it', () => {
  /** A host that lets `save` run before every `every`-th opening of a file for reading. */
  async function reading(keep: number, every: number) {
    const host = createMemoryHost({ 'other.txt': '' });
    const writer = await openCheckpoints(host, 'run', { keep });
    let n = 0;
    let opened = 0;
    const save = async () => writer.ok && (await writer.value.save(stateOf(++n)));
    await save();
    const read: typeof host = {
      ...host,
      openFile: async (path) => {
        if (++opened % every === 0) await save();
        return host.openFile(path);
      },
    };
    return { read, last: () => n };
  }

  it('gives a whole checkpoint, and calls nothing damaged that was removed', async () => {
    for (const every of [5, 6, 7, 11, 13]) {
      const { read, last } = await reading(1, every);
      for (let i = 0; i < 20; i++) {
        const before = last();
        const loaded = await loadFrom(read, 'run');
        expect(loaded.ok ? loaded.value.passedOver : loaded.error.message).toEqual([]);
        const step = loaded.ok ? loaded.value.state.position.step : 0;
        expect(step).toBeGreaterThanOrEqual(10 * before);
        expect(loaded.ok && textOf(loaded.value.state)).toBe(textOf(stateOf(step / 10)));
      }
    }
  });

  it('says so if the writer is always faster', async () => {
    const { read } = await reading(1, 1);
    const loaded = await loadFrom(read, 'run');
    expect(loaded).toMatchObject({ ok: false, error: { code: 'PV-8544' } });
    expect(loaded.ok ? '' : loaded.error.message).toMatch(/changed while it was read: a writer saved 20 times/);
    expect(loaded.ok ? '' : loaded.error.message).not.toContain('damaged');
  });
});

describe('damage', () => {
  const last = 'checkpoint-00000003';
  const files = [
    'weights.safetensors',
    'optimizer.safetensors',
    'gradients.safetensors',
    'state.json',
    'manifest.json',
  ];
  beforeEach(async () => {
    for (let n = 1; n <= 3; n++) await saveCheckpoint(folder, stateOf(n), { keep: 3 });
  });

  async function expectPredecessor(what: RegExp): Promise<void> {
    const { state, passedOver } = await loadCheckpoint(folder);
    expect(textOf(state)).toBe(textOf(stateOf(2)));
    expect(passedOver).toHaveLength(1);
    expect(passedOver[0]).toMatchObject({ code: 'PV-8545', message: expect.stringMatching(what) });
  }

  it.each(files)('of any byte of %s is found, and the predecessor is loaded', async (name) => {
    const path = join(folder, last, name);
    const whole = await readFile(path);
    for (let at = 0; at < whole.length; at += 13) {
      const flipped = Uint8Array.from(whole);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
      await writeFile(path, flipped);
      await expectPredecessor(/damaged/);
    }
  });

  it.each(files)('a %s that is empty, truncated, missing or a link is found', async (name) => {
    const path = join(folder, last, name);
    const whole = await readFile(path);
    await truncate(path, whole.length - 1);
    await expectPredecessor(/./);
    await truncate(path, 0);
    await expectPredecessor(/./);
    await rename(path, join(scratch, 'elsewhere'));
    await expectPredecessor(/missing/);
    // The bytes are right, but they are read from outside the folder.
    await symlink(join(scratch, 'elsewhere'), path);
    await expectPredecessor(/not a regular file/);
  });

  it('a checkpoint whose folder is a link is not followed', async () => {
    await rename(join(folder, last), join(scratch, `moved-${cases}`));
    await symlink(join(scratch, `moved-${cases}`), join(folder, last));
    await expectPredecessor(/missing or not a folder/);
  });

  it('a manifest of another checkpoint is found, and one that lists a path outside is refused', async () => {
    const manifest = join(folder, last, 'manifest.json');
    const own = await readFile(manifest, 'utf8');
    await writeFile(manifest, await readFile(join(folder, 'checkpoint-00000002/manifest.json')));
    await expectPredecessor(/not the one that latest.json names/);
    await rm(join(folder, 'latest.json'));
    await expectPredecessor(/is that of checkpoint-00000002/);
    await writeFile(manifest, own.replace('weights.safetensors', '../../../etc/passwd'));
    await expectPredecessor(/is not one of/);
  });

  it.each([
    ['{}', /is missing/],
    [
      '{"checkpoint":"../../etc","format":"pv-checkpoint-pointer/1","manifest":"","token":1}',
      /not the name of a checkpoint/,
    ],
    ['', /not JSON/],
    ['x'.repeat(5000), /more than the 4096/],
  ])('a latest.json of %j is passed over', async (content, message) => {
    await writeFile(join(folder, 'latest.json'), content);
    const { sequence, passedOver } = await loadCheckpoint(folder);
    expect(sequence).toBe(3);
    expect(passedOver[0]?.message).toMatch(message);
  });

  it('of every checkpoint is an error that names the first fault', async () => {
    for (const name of await readdir(folder))
      if (name.startsWith('checkpoint-')) await truncate(join(folder, name, 'state.json'), 3);
    await expect(loadCheckpoint(folder)).rejects.toMatchObject({
      problem: { code: 'PV-8544', message: expect.stringContaining('state.json has 3 bytes') },
    });
  });
});

it('a latest.json that is a link is replaced, and what it led to is left alone', async () => {
  await mkdir(folder);
  const target = join(scratch, `target-${cases}`);
  await writeFile(target, 'mine');
  await symlink(target, join(folder, 'latest.json'));
  await saveCheckpoint(folder, stateOf(1));
  await expect(readlink(join(folder, 'latest.json'))).rejects.toThrow('EINVAL');
  expect(await readFile(target, 'utf8')).toBe('mine');
  expect((await loadCheckpoint(folder)).sequence).toBe(1);
});

describe('the lock', () => {
  it('keeps a second writer out until the first is closed, and tokens grow', async () => {
    const first = await openCheckpointFolder(folder);
    await expect(openCheckpointFolder(folder)).rejects.toMatchObject({
      problem: { code: 'PV-8542', message: expect.stringContaining(`process ${process.pid} of this machine`) },
    });
    await first.save(stateOf(1));
    await first.close();
    await expect(first.save(stateOf(2))).rejects.toMatchObject({ problem: { code: 'PV-8543' } });
    await saveCheckpoint(folder, stateOf(2));
    const pointer = await readFile(join(folder, 'latest.json'), 'utf8');
    expect(JSON.parse(pointer)).toMatchObject({ token: 2 });
  });

  it('of ten writers that open at once, one gets in', async () => {
    const host = createNodeHost();
    const opened = await Promise.all(Array.from({ length: 10 }, () => openCheckpoints(host, folder)));
    expect(opened.filter(({ ok }) => ok)).toHaveLength(1);
  });

  it('two saves of one writer at once come one after the other', async () => {
    const writer = await openCheckpointFolder(folder, { keep: 5 });
    const saved = await Promise.all([1, 2, 3].map((n) => writer.save(stateOf(n))));
    expect(saved.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    expect(textOf((await loadCheckpoint(folder)).state)).toBe(textOf(stateOf(3)));
    await writer.close();
  });

  /** A folder with the lock of another process. */
  async function lockedBy(owner: object): Promise<void> {
    await mkdir(join(folder, 'lock-00000009'), { recursive: true });
    await writeFile(join(folder, 'lock-00000009/owner.json'), JSON.stringify({ ...createNodeHost().self(), ...owner }));
  }

  it('of a process that is over is taken over, with a higher token', async () => {
    const dead = Number(execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }));
    await lockedBy({ pid: dead });
    await saveCheckpoint(folder, stateOf(1));
    expect(JSON.parse(await readFile(join(folder, 'latest.json'), 'utf8'))).toMatchObject({ token: 10 });
    expect(await readdir(folder)).toEqual(['checkpoint-00000001', 'latest.json']);
  });

  it.runIf(process.platform === 'linux')(
    'of a process before a reboot, or whose number was given away, is taken over',
    async () => {
      await lockedBy({ boot: 'earlier' });
      await saveCheckpoint(folder, stateOf(1));
      await lockedBy({ started: '1' });
      await saveCheckpoint(folder, stateOf(2));
      expect((await loadCheckpoint(folder)).sequence).toBe(2);
    },
  );

  it.each([
    ['of another machine', { machine: 'elsewhere/1' }, 'of elsewhere'],
    ['in another container', { namespace: 'pid:[1]' }, 'remove '],
  ])('of a process %s is respected', async (_, owner, message) => {
    await lockedBy(owner);
    await expect(saveCheckpoint(folder, stateOf(1))).rejects.toMatchObject({
      problem: { code: 'PV-8542', message: expect.stringContaining(message) },
    });
  });

  it('a writer that was taken for dead publishes nothing any more', async () => {
    const host = createMemoryHost({ 'other.txt': '' });
    const stalled = await openCheckpoints(host, 'run');
    await (stalled.ok && stalled.value.save(stateOf(1)));
    const next = await openCheckpoints({ ...host, isOver: () => true }, 'run');
    await (next.ok && next.value.save(stateOf(2)));
    expect(stalled.ok && (await stalled.value.save(stateOf(3)))).toMatchObject({
      ok: false,
      error: { code: 'PV-8543' },
    });
    const loaded = await loadFrom(host, 'run');
    expect(loaded.ok && textOf(loaded.value.state)).toBe(textOf(stateOf(2)));
    expect(next.ok && (await next.value.save(stateOf(4)))).toMatchObject({ ok: true });
  });

  it('a writer that is taken for dead in the middle of a save stops before its next rename', async () => {
    const host = createMemoryHost({ 'other.txt': '' });
    let takeOver: (() => Promise<unknown>) | null = null;
    const stalling = {
      ...host,
      perform: async (operation: Parameters<typeof host.perform>[0]) => {
        if (takeOver !== null && operation.kind === 'sync-folder' && operation.path.includes('.saving'))
          await takeOver();
        return host.perform(operation);
      },
    };
    const stalled = await openCheckpoints(stalling, 'run');
    takeOver = async () => {
      takeOver = null;
      const next = await openCheckpoints({ ...host, isOver: () => true }, 'run');
      return next.ok && next.value.save(stateOf(2));
    };
    const saved = stalled.ok && (await stalled.value.save(stateOf(1)));
    expect(saved).toMatchObject({ ok: false, error: { code: 'PV-8543' } });
    const loaded = await loadFrom(host, 'run');
    expect(loaded.ok && [loaded.value.sequence, loaded.value.state.position.step]).toEqual([1, 20]);
  });
});

it('a folder below a file is reported', async () => {
  await writeFile(folder, '');
  await expect(saveCheckpoint(join(folder, 'below'), stateOf(1))).rejects.toMatchObject({
    problem: { code: 'PV-8541' },
  });
});
