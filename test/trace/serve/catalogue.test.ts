/** Holds src/trace/serve/shelf.ts. */
import { expect, test } from 'vitest';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import { loadFolder } from '../../../src/trace/serve/catalogue.ts';
import { createShelf } from '../../../src/trace/serve/shelf.ts';
import { model, tokenizer } from '../verify/recorded.ts';
import { modelFolder, tinyFiles } from './service.ts';

test('models and tokenizers are distinguished, and other files are skipped by name', async () => {
  const { 'tiny.bin': checkpoint = new Uint8Array() } = tinyFiles();
  const { catalogue, leftOut } = await modelFolder({
    ...tinyFiles(),
    'cut.bin': checkpoint.subarray(0, checkpoint.length - 4),
    'notes.txt': new TextEncoder().encode('no model'),
    'within/another.bin': checkpoint,
  });
  expect(catalogue.models.map(({ digest, name }) => [digest, name])).toEqual([[model.digest, 'tiny.bin']]);
  expect(catalogue.tokenizers.map(({ digest }) => digest)).toEqual([tokenizer.digest]);
  expect(leftOut.map(({ name }) => name)).toEqual(['cut.bin', 'notes.txt']);
});

test('a folder that is not there is a problem', async () => {
  const loaded = await loadFolder(createMemoryHost(), 'models');
  expect(loaded).toMatchObject({ ok: false, error: { kind: 'missing' } });
});

test('a shelf gives what has the digest, its engine once, and null for any other', async () => {
  const shelf = createShelf((await modelFolder()).shelves);
  expect(shelf.model(model.digest)?.config).toEqual(model.config);
  expect(shelf.model(model.digest)?.engine).toBe(shelf.model(model.digest)?.engine);
  expect(shelf.tokenizer(tokenizer.digest)?.encode('Once')).toEqual(tokenizer.encode('Once'));
  expect([shelf.model(tokenizer.digest), shelf.tokenizer(model.digest), shelf.model('tiny.bin')]).toEqual([
    null,
    null,
    null,
  ]);
});
