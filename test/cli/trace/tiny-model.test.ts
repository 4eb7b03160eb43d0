/** Holds src/cli/command.ts. */
import { describe, expect, it } from 'vitest';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import { readModel } from '../../../src/trace/model/checkpoint.ts';
import { readTokenizer } from '../../../src/trace/model/tokenizer.ts';
import { runPv } from '../../support/memory-cli.ts';

const bytesAt = (host: ReturnType<typeof createMemoryHost>, path: string) =>
  host.files.get(`/project/${path}`) ?? new Uint8Array();

describe('pv trace tiny-model', () => {
  it('writes a model and a tokenizer that are read as such', async () => {
    const host = createMemoryHost();
    const ran = await runPv(['trace', 'tiny-model'], { host });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toMatch(/^wrote tiny-model[.]bin: \d+ bytes\nwrote tiny-tokenizer[.]bin: \d+ bytes\n$/);
    const model = readModel(bytesAt(host, 'tiny-model.bin'));
    expect(model.ok && model.value.config.vocabSize).toBeGreaterThan(259);
    const vocabSize = model.ok ? model.value.config.vocabSize : 0;
    expect(readTokenizer(bytesAt(host, 'tiny-tokenizer.bin'), vocabSize).ok).toBe(true);
  });

  it('gives one seed one model, and another seed another', async () => {
    const host = createMemoryHost();
    for (const [folder, seed] of [
      ['a', '7'],
      ['b', '7'],
      ['c', '8'],
    ] as const)
      expect(await runPv(['trace', 'tiny-model', '--out', folder, '-s', seed], { host })).toMatchObject({ code: 0 });
    expect(bytesAt(host, 'a/tiny-model.bin')).toEqual(bytesAt(host, 'b/tiny-model.bin'));
    expect(bytesAt(host, 'a/tiny-model.bin')).not.toEqual(bytesAt(host, 'c/tiny-model.bin'));
  });

  it('touches no file that exists, unless forced', async () => {
    const host = createMemoryHost({ 'tiny-tokenizer.bin': 'mine' });
    const refused = await runPv(['trace', 'tiny-model'], { host });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain("'tiny-tokenizer.bin' exists; --force writes over it");
    expect([...host.files.keys()]).toEqual(['/project/tiny-tokenizer.bin']);
    expect(await runPv(['trace', 'tiny-model', '--force'], { host })).toMatchObject({ code: 0 });
  });
});
