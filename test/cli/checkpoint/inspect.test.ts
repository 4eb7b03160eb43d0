/**
 * `pv checkpoint inspect` on checkpoints of every format, whole and hostile.
 *
 * Holds src/cli/checkpoint/run-inspect.ts, src/cli/checkpoint/inspect-text.ts, src/cli/checkpoint/open-at.ts,
 * src/checkpoint/inspect.ts, src/checkpoint/hash-file.ts, src/checkpoint/open-checkpoint.ts, src/checkpoint/checkpoint-files.ts,
 * src/checkpoint/weights.ts, src/checkpoint/hugging-face/model-config.ts, src/checkpoint/torch/legacy-file.ts,
 * src/checkpoint/torch/saved-dict.ts, src/checkpoint/torch/tensors-in.ts, src/checkpoint/torch/opened-files.ts.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import { createNodeHost } from '../../../src/host/node-host.ts';
import { writeSafetensors } from '../../../src/tensors/safetensors.ts';
import { runPv, type Ran } from '../../support/memory-cli.ts';
import { storedZip, torchFile, type Python } from '../../support/torch-file.ts';
import { trainerFolder } from '../../support/trainer-folder.ts';

type Files = Readonly<Record<string, Uint8Array | string>>;

async function inspect(files: Files, path = 'model', ...args: readonly string[]): Promise<Ran> {
  const host = createMemoryHost();
  for (const [name, content] of Object.entries(files))
    host.files.set(`/project/model/${name}`, typeof content === 'string' ? new TextEncoder().encode(content) : content);
  return runPv(['checkpoint', 'inspect', path, ...args], { host });
}

const floats = (...names: readonly string[]): Uint8Array =>
  Buffer.concat(writeSafetensors(names.map((name) => ({ name, shape: [2, 3], data: new Float32Array(6) }))));

/** A safetensors file with any header. */
function withHeader(header: string, dataBytes: number, length = BigInt(header.length)): Uint8Array {
  const bytes = Buffer.alloc(8 + header.length + dataBytes);
  bytes.writeBigUInt64LE(length);
  bytes.write(header, 8);
  return bytes;
}

const dict = (entries: Readonly<Record<string, Python>>): Map<Python, Python> => new Map(Object.entries(entries));
const tensor = (...shape: readonly number[]) => ({
  shape,
  data: new Float32Array(shape.reduce((product, n) => product * n, 1)),
});
const adam = (steps: number): Python =>
  dict({
    state: new Map<Python, Python>([[0, dict({ step: tensor(), exp_avg: tensor(3, 2), exp_avg_sq: tensor(3, 2) })]]),
    param_groups: [dict({ lr: 0.1, params: [0], amsgrad: false, note: steps })],
  });

describe('a page', () => {
  it('shows a folder of the Hugging Face Trainer', async () => {
    const ran = await inspect(Object.fromEntries(trainerFolder()));
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toMatch(/^model: Hugging Face Trainer folder, 6 files, /u);
    expect(ran.stdout).toContain('position      step 25 of 100, epoch 0.25\n');
    expect(ran.stdout).toContain('weights       2 tensors, 8 parameters, 32 bytes (F32)\n');
    expect(ran.stdout).toContain('would import  transformers.trainer_utils.SchedulerType and ');
  });

  it('shows shards with their index, and hashes on request', async () => {
    const shard = floats('a', 'b');
    const files = {
      'model-00001-of-00002.safetensors': shard,
      'model-00002-of-00002.safetensors': floats('c'),
      'model.safetensors.index.json': JSON.stringify({
        weight_map: {
          a: 'model-00001-of-00002.safetensors',
          b: 'model-00001-of-00002.safetensors',
          c: 'model-00002-of-00002.safetensors',
        },
      }),
      'config.json': '{"transformers_version": "4.57.0", "vocab_size": 10}',
    };
    const ran = await inspect(files, 'model', '--json', '--hash');
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    const page = JSON.parse(ran.stdout);
    expect(page).toMatchObject({
      format: 'weights in 2 shards',
      weights: { count: 3, elements: 18, bytes: 72, dtypes: { F32: 3 } },
      versions: { transformers: '4.57.0' },
      missing: [],
    });
    expect(page.files[1]).toMatchObject({
      name: 'model-00001-of-00002.safetensors',
      sha256: createHash('sha256').update(shard).digest('hex'),
    });
    const { 'model-00002-of-00002.safetensors': _, ...without } = files;
    const missing = await inspect(without);
    expect(missing.code).toBe(1);
    expect(missing.stdout).toContain('\nINCOMPLETE: model-00002-of-00002.safetensors missing\n');
    const moved = await inspect({ ...files, 'model-00002-of-00002.safetensors': floats('d') });
    expect(moved.stdout).toContain('INCOMPLETE: c in model-00002-of-00002.safetensors missing');
  });

  it('shows a Lightning checkpoint, stepped once an epoch', async () => {
    const lightning = torchFile(
      dict({
        'pytorch-lightning_version': '2.4.0',
        epoch: 3,
        global_step: 40,
        state_dict: dict({ 'net.weight': tensor(3, 2) }),
        optimizer_states: [adam(40)],
        lr_schedulers: [dict({ last_epoch: 4, _last_lr: [0.1], base_lrs: [0.2] })],
        loops: dict({ fit_loop: null }),
        MixedPrecision: dict({ scale: 65536 }),
        hyper_parameters: dict({ width: 3 }),
        callbacks: dict({ ema: dict({ shadow: tensor(3, 2) }) }),
      }),
    );
    const ran = await inspect({ 'last.ckpt': lightning }, 'model/last.ckpt');
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toMatch(/^model\/last\.ckpt: Lightning checkpoint, /u);
    expect(ran.stdout).toContain('position      step 40, epoch 3\n');
    expect(ran.stdout).toContain('versions      pytorch-lightning 2.4.0\n');
    expect(ran.stdout).toContain('optimizer     1 group, 1 state at step 0; 2 tensors, 12 numbers');
    expect(ran.stdout).toContain('scheduler     after 4 epochs, rate 0.1\n');
    expect(ran.stdout).toContain('loss scale    65536\n');
    expect(ran.stdout).toContain('other tensors\n  callbacks.ema.shadow  F32 [3, 2]\n');
  });

  it('shows the dict of a plain loop, a whole module, and a folder with one such file', async () => {
    const loop = torchFile(
      dict({ model_state_dict: dict({ w: tensor(3, 2) }), optimizer: adam(7), step: 7, rng_state: tensor(4) }),
    );
    const ran = await inspect({ 'loop.pt': loop });
    expect(ran.stdout).toMatch(/^model: file of torch\.save, /u);
    expect(ran.stdout).toContain('random states cpu\n');
    const module: Python = {
      made: 'models.Net',
      state: dict({
        _modules: dict({ fc: { made: 'torch.nn.Linear', state: dict({ _parameters: dict({ weight: tensor(2) }) }) } }),
      }),
    };
    const whole = await inspect({ 'net.pt': torchFile(module) });
    expect(whole.stdout).toContain('would import  models.Net and torch.nn.Linear\n');
    expect(whole.stdout).toContain('\n  fc.weight  F32 [2]\n');
  });

  it('shows a PEFT adapter', async () => {
    const ran = await inspect({
      'adapter_model.safetensors': floats('base.q.lora_A.weight'),
      'adapter_config.json': '{"peft_type": "LORA", "r": 8, "peft_version": "0.17.0"}',
      'training_args.bin': torchFile(dict({})),
    });
    expect(ran.stdout).toMatch(/^model: PEFT adapter, /u);
    expect(ran.stdout).toContain('versions      peft 0.17.0\n');
  });

  it('is cut, unless all of it is wanted, and cannot steer a terminal', async () => {
    const names = Array.from({ length: 30 }, (_, i) => `w\u001B[31m${i}`);
    const short = await inspect({ 'm.safetensors': floats(...names) }, 'model/m.safetensors');
    expect(short.stdout).toContain('  … and 18 more (--all lists them)\n');
    expect(short.stdout).not.toContain('\u001B');
    const long = await inspect({ 'm.safetensors': floats(...names) }, 'model/m.safetensors', '--all');
    expect(long.stdout).toContain('w␛[31m29  F32');
  });
});

describe('a malformed file is refused with its place', () => {
  const two = (b: string): string => `{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},${b}}`;
  it.each<readonly [string, Files, string, string]>([
    [
      'a header of 2^63 bytes',
      { 'm.safetensors': withHeader('{}', 0, 2n ** 63n) },
      'PV-8420',
      'claims 9223372036854775808 bytes',
    ],
    [
      'overlapping offsets',
      { 'm.safetensors': withHeader(two('"b":{"dtype":"F32","shape":[1],"data_offsets":[2,6]}'), 6) },
      'PV-8420',
      'begins at 2, but the previous tensor ends at 4',
    ],
    [
      'a name twice',
      { 'm.safetensors': withHeader(two('"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}'), 8) },
      'PV-8420',
      'is repeated',
    ],
    ['a cut file', { 'm.safetensors': floats('a').subarray(0, 90) }, 'PV-8420', 'm.safetensors: '],
    ['an empty file', { 'm.safetensors': '' }, 'PV-8420', 'It has 0 bytes'],
    ['a folder of nothing', { 'readme.txt': 'hello' }, 'PV-8510', 'no files of torch.save'],
    ['several files', { 'a.pt': '', 'b.pt': '' }, 'PV-8510', 'a.pt and b.pt'],
    [
      'an index that points outside',
      { 'm.safetensors': floats('a'), 'm.safetensors.index.json': '{"weight_map": {"a": "../secret.safetensors"}}' },
      'PV-8511',
      'not the name of a file in this folder',
    ],
    [
      'an index that points to the root',
      { 'm.safetensors.index.json': '{"weight_map": {"a": "/etc/passwd"}}' },
      'PV-8511',
      'not the name of a file',
    ],
    [
      'an index that names a tensor twice',
      { 'm.safetensors.index.json': '{"weight_map": {"a": "m.safetensors", "a": "n.safetensors"}}' },
      'PV-8511',
      'is repeated',
    ],
    [
      'an index without a map',
      { 'm.safetensors.index.json': '{"weight_map": ["a"]}' },
      'PV-8511',
      'no object "weight_map"',
    ],
    [
      'a model that is not JSON',
      { 'm.safetensors': floats('a'), 'config.json': '{' },
      'PV-8504',
      'config.json is not JSON',
    ],
  ])('%s', async (_, files, code, words) => {
    const ran = await inspect(files);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain(`error[${code}]: model: `);
    expect(ran.stderr).toContain(words);
  });

  it.each([
    ['an empty file', '', 'The file is empty'],
    ['text', 'abc', 'begins neither like safetensors'],
  ])('%s by its path', async (_, content, words) => {
    const ran = await inspect({ 'x.pt': content }, 'model/x.pt');
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain(words);
    expect(ran.stderr).toMatch(/\n {4}byte {6}0\n/u);
  });

  it('nothing at the path is a matter of usage', async () => {
    expect(await inspect({}, 'elsewhere')).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('a pickle that would grow', () => {
  it('is read once, however often it is referred to', async () => {
    // Each tuple holds the previous one twice: 2^60 paths lead to the innermost list.
    const pickle = `\x80\x02]${'2\x86'.repeat(60)}.`;
    const ran = await inspect({ 'deep.pt': storedZip([['archive/data.pkl', Buffer.from(pickle, 'latin1')]]) });
    expect(ran.stderr).toBe('');
    expect(ran.stdout).toContain('weights       no tensors');
  });
});

/** A file of torch.save before PyTorch 1.6, of one tensor of four floats. */
function legacyFile(elements = 4n, bytes = 16, protocol = 1001, key = '0'): Uint8Array {
  const binary = (text: string): Buffer => Buffer.from(text, 'latin1');
  const magic = Buffer.from('80028a0a6cfc9c46f9206aa850192e', 'hex');
  const version = Buffer.from([0x80, 2, 0x4d, protocol & 255, protocol >> 8, 0x2e]);
  const storage = binary(
    '\x80\x02(U\x07storagectorch\nFloatStorage\nU\x010U\x03cpuK\x04NtQK\x00K\x04\x85K\x01\x85\x89Ntp.',
  );
  const object = Buffer.concat([
    binary('\x80\x02ctorch._utils\n_rebuild_tensor_v2\n('),
    storage.subarray(2, storage.length - 3),
    binary('tR.'),
  ]);
  const keys = binary(`\x80\x02]U\x01${key}a.`);
  const size = Buffer.alloc(8);
  size.writeBigInt64LE(elements);
  return Buffer.concat([magic, version, binary('\x80\x02}.'), object, keys, size, Buffer.alloc(bytes)]);
}

describe('a file from before PyTorch 1.6', () => {
  it('is read', async () => {
    const ran = await inspect({ 'old.pt': legacyFile() }, 'model/old.pt');
    expect(ran.stderr).toBe('');
    expect(ran.stdout).toContain('weights       1 tensor, 4 parameters, 16 bytes (F32)');
  });

  it.each([
    ['another protocol', legacyFile(4n, 16, 1000), 'is 1000, not 1001'],
    ['a storage beyond the file', legacyFile(2n ** 62n), 'announces 4611686018427387904 elements'],
    ['a storage of less than nothing', legacyFile(-1n), 'announces -1 elements'],
    ['a storage that nothing uses', legacyFile(4n, 16, 1001, '7'), "storage '7' is repeated, or of a type"],
    ['bytes behind it', legacyFile(4n, 17), 'Bytes follow its last storage'],
    ['no storages', legacyFile().subarray(0, -24), "ends before storage '0'"],
  ])('with %s is refused', async (_, bytes, words) => {
    const ran = await inspect({ 'old.pt': bytes }, 'model/old.pt');
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain('PV-8512');
    expect(ran.stderr).toContain(words);
  });

  it('cut in its pickles is a malformed pickle', async () => {
    const ran = await inspect({ 'old.pt': legacyFile().subarray(0, 40) }, 'model/old.pt');
    expect(ran.stderr).toContain('PV-8500');
  });
});

describe('real files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pv-inspect-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const pv = (...args: readonly string[]): Promise<Ran> =>
    runPv(['checkpoint', 'inspect', ...args], { host: createNodeHost(folder) });

  it('may be links, as in the cache of the Hub', async () => {
    mkdirSync(join(folder, 'blobs'));
    mkdirSync(join(folder, 'snapshot'));
    writeFileSync(join(folder, 'blobs/0123'), floats('a'));
    symlinkSync('../blobs/0123', join(folder, 'snapshot/model.safetensors'));
    symlinkSync('../blobs/none', join(folder, 'snapshot/model-00002-of-00002.safetensors'));
    const ran = await pv('snapshot');
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toMatch(/^ {2}model\.safetensors {2}.* {2}\(a link\)$/mu);
  });

  it('may be 10,000 shards, of which few are open at once', { timeout: 60_000 }, async () => {
    mkdirSync(join(folder, 'many'));
    const map: Record<string, string> = {};
    for (let i = 1; i <= 10_000; i++) {
      const name = `model-${String(i).padStart(5, '0')}-of-10000.safetensors`;
      writeFileSync(join(folder, 'many', name), floats(`w${i}`));
      map[`w${i}`] = name;
    }
    writeFileSync(join(folder, 'many/model.safetensors.index.json'), JSON.stringify({ weight_map: map }));
    const host = createNodeHost(folder);
    let [open, most] = [0, 0];
    const counted = {
      ...host,
      openFile: async (path: string) => {
        const file = await host.openFile(path);
        most = Math.max(most, ++open);
        if (!file.ok) return file;
        const close = (): Promise<void> => ((open -= 1), file.value.close());
        return { ok: true as const, value: { ...file.value, close } };
      },
    };
    const ran = await runPv(['checkpoint', 'inspect', 'many'], { host: counted });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toContain('weights       10000 tensors, 60,000 parameters');
    expect(most).toBeLessThan(80);
    expect(open).toBe(0);
  });

  const shared = '../shared/data/resume';
  it.skipIf(!existsSync(shared)).each([
    ['torch_pt/burn-legacy_shared_storage.pt', 'weights       3 tensors, 40 parameters'],
    ['torch_pt/burn-bfloat16.pt', 'weights       1 tensor, 3 parameters, 6 bytes (BF16)'],
    ['hf_full_checkpoint/checkpoint-1000', 'weights       30 tensors, 331,297 parameters, 1.3 MB (F32)'],
    ['safetensors', 'weights       9 tensors, 4,241 parameters, 17.0 kB (F32 8, I64 1)'],
  ])('of others: %s', async (path, words) => {
    const ran = await runPv(['checkpoint', 'inspect', `${shared}/${path}`], { host: createNodeHost() });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toContain(words);
  });
});
