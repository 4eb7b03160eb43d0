/** A vocabulary so large that `pv trace record` hashes on a thread of its own: the trace is the one that is recorded without. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import { streamFor, unitFloat } from '../../../src/numeric/xoshiro.ts';
import { headerFields, tensorPlaces } from '../../../src/trace/model/layout.ts';
import type { ModelConfig } from '../../../src/trace/model/model.ts';
import { runBuiltPv } from '../../support/built.ts';
import { bytesAt, put, pvTrace } from './recorded.ts';

const config: ModelConfig = {
  dim: 8,
  hiddenDim: 8,
  layers: 1,
  heads: 2,
  kvHeads: 1,
  vocabSize: 9000,
  sequenceLength: 400,
};

function checkpoint(): Uint8Array {
  const stream = streamFor(1, 'a large vocabulary');
  const numbers = tensorPlaces(config, true).reduce((sum, { count }) => sum + count, 0);
  const weights = Float32Array.from({ length: numbers }, () => 2 * unitFloat(stream) - 1);
  return Buffer.concat([
    Buffer.from(Int32Array.from(headerFields, (field) => config[field]).buffer),
    Buffer.from(weights.buffer),
  ]);
}

function tokenizer(): Uint8Array {
  const tokens = Array.from({ length: config.vocabSize }, (_, id) => {
    const text = Buffer.from(`w${id}`);
    const head = Buffer.alloc(8);
    head.writeInt32LE(text.length, 4);
    return Buffer.concat([head, text]);
  });
  const longest = Buffer.alloc(4);
  longest.writeInt32LE(5, 0);
  return Buffer.concat([longest, ...tokens]);
}

const folder = mkdtempSync(join(tmpdir(), 'pv-large-vocabulary-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each(['0', '4'])('with a sketch of %s, the file is the same byte for byte, and verifies', async (sketch) => {
  const host = createMemoryHost();
  for (const [name, bytes] of Object.entries({ 'model.bin': checkpoint(), 'tokenizer.bin': tokenizer() })) {
    writeFileSync(join(folder, name), bytes);
    put(host, name, bytes);
  }
  const files = ['--model', 'model.bin', '--tokenizer', 'tokenizer.bin'];
  const record = [...files, '-n', '400', '--sketch', sketch, '--out', 'run.trace', '--force'];
  const ran = await runBuiltPv(['trace', 'record', ...record], { cwd: folder });
  expect(ran).toMatchObject({ code: 0 });
  expect((await pvTrace(host, 'record', ...record)).code).toBe(0);
  const written = readFileSync(join(folder, 'run.trace'));
  expect(Buffer.compare(written, bytesAt(host, 'run.trace'))).toBe(0);
  const checked = await runBuiltPv(['trace', 'verify', 'run.trace', ...files, '--all'], { cwd: folder });
  expect(checked).toMatchObject({ code: 0 });
  expect(checked.stdout).toMatch(/(\d+) of \1 steps compared/);
});
