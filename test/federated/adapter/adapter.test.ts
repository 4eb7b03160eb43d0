/**
 * Adapters in PEFT's layout: written, read, validated, opened in parts.
 *
 * Holds src/federated/adapter/adapter-config.ts, src/federated/adapter/adapter-fault.ts, src/federated/adapter/adapter-file.ts,
 * src/federated/adapter/adapter-reader.ts, src/federated/adapter/initial-adapter.ts, src/federated/adapter/layout.ts.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { adapterConfigText, parseAdapterConfig } from '../../../src/federated/adapter/adapter-config.ts';
import { adapterConfigFault, adapterFault, type AdapterPlan } from '../../../src/federated/adapter/adapter-fault.ts';
import { readAdapter, writeAdapter } from '../../../src/federated/adapter/adapter-file.ts';
import { openAdapter, readerOf } from '../../../src/federated/adapter/adapter-reader.ts';
import { initialAdapter } from '../../../src/federated/adapter/initial-adapter.ts';
import { adaptedLayers, layoutOf, type FloatTensor, type StateDict } from '../../../src/federated/adapter/layout.ts';
import { writeSafetensors, type NamedTensor } from '../../../src/tensors/safetensors.ts';
import { adapterFrom, layers } from '../fixture.ts';

const plan: AdapterPlan = { layers, targetModules: ['q_proj', 'v_proj'], rank: 2, alpha: 4, frozen: null };
const good = adapterFrom('good');
const firstName = 'base_model.model.model.layers.0.q_proj.lora_A.weight';

const fileOf = (tensors: readonly NamedTensor[]): Uint8Array =>
  Uint8Array.from(Buffer.concat(writeSafetensors(tensors)));
const bitsOf = (data: Float32Array = new Float32Array()) => [...new Uint32Array(data.slice().buffer)];
const changed = (name: string, tensor: FloatTensor): StateDict => new Map(good).set(name, tensor);

test('test_delta_serialisation_roundtrip: tensors keep their type, shape and bits', () => {
  const number = fc.float({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(fc.array(number, { minLength: 8, maxLength: 8 }), (numbers) => {
      const adapter = changed(firstName, { shape: [2, 4], data: Float32Array.from(numbers) });
      const bytes = writeAdapter(adapter);
      const back = readAdapter(bytes);
      if (!back.ok) expect.fail(back.error);
      for (const [name, { shape, data }] of adapter) {
        expect(back.value.get(name)?.shape).toEqual(shape);
        expect(bitsOf(back.value.get(name)?.data)).toEqual(bitsOf(data));
      }
      expect(writeAdapter(back.value)).toEqual(bytes);
      expect(writeAdapter(new Map([...adapter].toReversed()))).toEqual(bytes);
      expect(adapterFault(bytes, plan)).toBeNull();
    }),
    { numRuns: 30 },
  );
});

test('half precision is widened exactly, and other types are refused', () => {
  const data = Uint16Array.of(0x3c00, 0xc000, 0x0001, 0x8000);
  const read = (dtype: 'F16' | 'BF16' | 'U16') => readAdapter(fileOf([{ name: 'x', shape: [4], data, dtype }]));
  const [half, brain, integers] = [read('F16'), read('BF16'), read('U16')];
  expect(half.ok && [...(half.value.get('x')?.data ?? [])]).toEqual([1, -2, 2 ** -24, -0]);
  expect(brain.ok && [...(brain.value.get('x')?.data ?? [])]).toEqual([2 ** -7, -2, 2 ** -133, -0]);
  expect(integers.ok).toBe(false);
});

describe('the fault of a submission', () => {
  const fault = (adapter: StateDict, changes: Partial<AdapterPlan> = {}) =>
    adapterFault(writeAdapter(adapter), { ...plan, ...changes });

  it('is none for what the round asks for', () => {
    expect(fault(good)).toBeNull();
    expect(fault(good, { frozen: initialAdapter(0, layers, 2) })).toBeNull();
  });

  it('names NaN and infinities with their place', () => {
    for (const value of [NaN, Infinity, -Infinity]) {
      const data = good.get(firstName)?.data.slice() ?? new Float32Array();
      data[5] = value;
      expect(fault(changed(firstName, { shape: [2, 4], data }))).toMatch(/element 5 .*q_proj.lora_A.*finite/);
    }
  });

  it('names a wrong rank, a wrong shape and a transposed factor', () => {
    expect(fault(adapterFrom('x', true, 3))).toMatch(/shape \[3, 4\]; this round has \[2, 4\]/);
    const data = good.get(firstName)?.data ?? new Float32Array();
    expect(fault(changed(firstName, { shape: [4, 2], data }))).toMatch(/shape \[4, 2\]/);
    expect(fault(changed(firstName, { shape: [8], data }))).toMatch(/shape \[8\]/);
  });

  it('names missing and extra tensors, also those that look like paths', () => {
    const missing = new Map(good);
    missing.delete(firstName);
    expect(fault(missing)).toMatch(/q_proj.lora_A.* missing/);
    for (const name of [
      '../../etc/passwd',
      '/tmp/x',
      'C:\\x',
      'base_model.model.lm_head.weight',
      `${firstName}\u0000`,
      '',
    ])
      expect(fault(changed(name, { shape: [1], data: new Float32Array(1) }))).toMatch(/not a factor/);
  });

  it('names another type, and a frozen factor that was changed', () => {
    const tensors = [...good].map(([name, { shape, data }]) => ({ name, shape, data: Float64Array.from(data) }));
    expect(adapterFault(fileOf(tensors), plan)).toMatch(/is F64; submissions are in F32/);
    expect(fault(adapterFrom('x', false), { frozen: initialAdapter(0, layers, 2) })).toMatch(/frozen/);
    expect(fault(good, { frozen: new Map() })).toMatch(/frozen/);
  });

  it('is found in any bytes without a crash', () => {
    const bytes = writeAdapter(good);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, value) => {
        const broken = bytes.slice();
        broken[at] = value;
        const found = adapterFault(broken, plan);
        expect(found === null || found.length > 0).toBe(true);
        expect(adapterFault(bytes.subarray(0, at), plan)).not.toBeNull();
      }),
    );
    expect(adapterFault(new Uint8Array(), plan)).toMatch(/0 bytes/);
  });

  it('refuses a header that is longer than its tensors need, before it is parsed', () => {
    const bytes = new Uint8Array(2 ** 22);
    new DataView(bytes.buffer).setBigUint64(0, BigInt(2 ** 22 - 8), true);
    expect(adapterFault(bytes, plan)).toMatch(/at most/);
  });
});

describe('adapter_config.json', () => {
  const config = { rank: 2, alpha: 4, dropout: 0.1, targetModules: ['v_proj', 'q_proj'], baseModel: 'base' };
  const text = adapterConfigText(config);
  const withField = (field: string, value: unknown): string => JSON.stringify({ ...JSON.parse(text), [field]: value });

  it('reads what it writes', () => {
    expect(parseAdapterConfig(text)).toEqual({ ok: true, value: { ...config, targetModules: ['q_proj', 'v_proj'] } });
    expect(adapterConfigFault(text, plan)).toBeNull();
  });

  it.each([
    ['use_dora', true],
    ['use_rslora', true],
    ['bias', 'all'],
    ['lora_bias', true],
    ['modules_to_save', ['lm_head']],
    ['rank_pattern', { q_proj: 4 }],
    ['alpha_pattern', { q_proj: 4 }],
    ['fan_in_fan_out', true],
    ['init_lora_weights', 'pissa'],
    ['layer_replication', [[0, 4]]],
    ['trainable_token_indices', [1]],
    ['a_field_of_the_future', 1],
    ['peft_type', 'IA3'],
    ['r', 0],
    ['r', 1.5],
    ['lora_alpha', 0],
    ['lora_dropout', 1],
    ['target_modules', 'all-linear'],
    ['target_modules', []],
    ['target_modules', ['q_proj', 'q_proj']],
  ])('refuses %s = %j', (field, value) => {
    const read = parseAdapterConfig(withField(field, value));
    expect(read.ok ? '' : read.error).toContain(`'${field}'`);
  });

  it('is compared with the round', () => {
    expect(adapterConfigFault(withField('r', 8), plan)).toMatch(/rank 8; the round has 2/);
    expect(adapterConfigFault(withField('lora_alpha', 8), plan)).toMatch(/lora_alpha 8; the round has 4/);
    expect(adapterConfigFault(withField('target_modules', ['k_proj']), plan)).toMatch(/'k_proj'/);
    expect(adapterConfigFault('[]', plan)).toMatch(/object/);
    expect(adapterConfigFault('{"r":2,"r":3}', plan)).toMatch(/repeated/);
  });

  const folder = '../shared/data/resume/peft';
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  test(`configs of others are ${files.length > 0 ? 'there' : 'absent (../shared/data/resume/peft): none is read'}`, () => {
    for (const name of files) {
      const read = parseAdapterConfig(readFileSync(join(folder, name), 'utf8'));
      expect(read.ok ? read.value.rank : read.error).toBeGreaterThan(0);
    }
  });
});

describe('layers', () => {
  it('are those whose path ends with a target, as PEFT matches', () => {
    const base = ['a.q_proj', 'b.q_proj', 'b.xq_proj', 'q_proj'].map((path) => ({ path, inputs: 1, outputs: 1 }));
    const found = adaptedLayers(base, ['q_proj']);
    expect(found.ok && found.value.map(({ path }) => path)).toEqual(['a.q_proj', 'b.q_proj', 'q_proj']);
    expect(adaptedLayers(base, ['k_proj'])).toMatchObject({ ok: false });
    for (const target of ['../x', 'a/b', '', '.', 'q_proj.', 'a b', '.*'])
      expect(adaptedLayers(base, [target])).toMatchObject({ ok: false });
  });

  it('are found again in the tensors of an adapter', () => {
    const found = layoutOf(good);
    expect(found).toEqual({ ok: true, value: { layers: layers.toReversed(), rank: 2 } });
    expect(layoutOf(new Map())).toMatchObject({ ok: false });
    expect(layoutOf(new Map([[firstName, { shape: [2, 4] }]]))).toMatchObject({ ok: false });
    expect(layoutOf(changed('x', { shape: [1], data: new Float32Array(1) }))).toMatchObject({ ok: false });
    expect(layoutOf(changed(firstName, { shape: [3, 4], data: new Float32Array(12) }))).toMatchObject({ ok: false });
  });
});

test('the initial adapter is the same for a seed, within ±1/√inputs, and changes nothing', () => {
  const adapter = initialAdapter(5, layers, 2);
  expect(writeAdapter(initialAdapter(5, layers.toReversed(), 2))).toEqual(writeAdapter(adapter));
  expect(writeAdapter(initialAdapter(6, layers, 2))).not.toEqual(writeAdapter(adapter));
  for (const [name, { shape, data }] of adapter) {
    const limit = name.includes('lora_A') ? 1 / Math.sqrt(shape[1] ?? 0) : 0;
    expect(data.every((x) => Math.abs(x) <= limit)).toBe(true);
    expect(new Set(data).size > 1).toBe(name.includes('lora_A'));
  }
});

test('an adapter is read in parts, from aligned and from other bytes', async () => {
  for (const shift of [0, 1]) {
    const file = writeAdapter(good);
    const bytes = new Uint8Array(file.length + shift);
    bytes.set(file, shift);
    const opened = await openAdapter(readerOf(bytes.subarray(shift)));
    if (!opened.ok) expect.fail(opened.error);
    const part = await opened.value.read(firstName, 3, 4, new Uint8Array(16));
    expect(part.ok && [...part.value]).toEqual([...(good.get(firstName)?.data.subarray(3, 7) ?? [])]);
    expect(await opened.value.read('x', 0, 1, new Uint8Array(4))).toMatchObject({ ok: false });
  }
  expect(await openAdapter(readerOf(new Uint8Array(4)))).toMatchObject({ ok: false });
  expect(await readerOf(new Uint8Array(4)).read(2, 4)).toMatchObject({ ok: false });
});
