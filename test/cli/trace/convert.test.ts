import { describe, expect, it } from 'vitest';
import { bytesAt, modelFlags, put, pvTrace, recorded, rootIn, textAt } from './recorded.ts';

describe('pv trace convert', () => {
  it('writes v2 as JSON and back, byte for byte, sketches and all', async () => {
    const { host, ran } = await recorded('--sketch', '3');
    expect((await pvTrace(host, 'convert', 'run.trace', '--to', 'json', '-o', 'run.json')).code).toBe(0);
    expect(JSON.parse(textAt(host, 'run.json'))).toMatchObject({ root: rootIn(ran.stderr) });
    expect((await pvTrace(host, 'convert', 'run.json', '--to', 'v2', '-o', 'back.trace')).code).toBe(0);
    expect(bytesAt(host, 'back.trace')).toEqual(bytesAt(host, 'run.trace'));
    // The JSON itself is a trace like any other.
    expect((await pvTrace(host, 'verify', 'run.json', ...modelFlags)).code).toBe(0);
  });

  it('writes what llama2-rs would have written, and says what is left out', async () => {
    const { host } = await recorded('-t', '0.8', '-s', '5');
    const legacy = await recorded('-t', '0.8', '-s', '5', '--format', 'legacy');
    const ran = await pvTrace(host, 'convert', 'run.trace', '--to', 'legacy', '-o', 'run.legacy');
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain('left out: sampler, seed and temperature');
    expect(bytesAt(host, 'run.legacy')).toEqual(bytesAt(legacy.host, 'run.trace'));
  });

  it.each(['v2', 'json'])('makes nothing up where a trace of llama2-rs becomes %s', async (to) => {
    const { host } = await recorded('--format', 'legacy-text');
    const ran = await pvTrace(host, 'convert', 'run.trace', '--to', to, '-o', 'new.trace');
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain('left out: the text of each token');
    const shown = JSON.parse((await pvTrace(host, 'show', 'new.trace', '--json')).stdout);
    expect(shown.manifest).toMatchObject({
      model: { digest: null },
      sampler: { kind: 'other' },
      profile: 'unspecified',
    });
    expect(shown.entries[11].output).toBe(null);
    const verified = await pvTrace(host, 'verify', 'new.trace', ...modelFlags, '--level', 'exact');
    expect(verified.code).toBe(5);
    expect(verified.stdout).toContain('PV-8092');
    const logits = await pvTrace(host, 'verify', 'new.trace', ...modelFlags, '--level', 'exact', '--require', 'logits');
    expect(logits.code).toBe(0);
    expect(verified.stdout).toContain('The trace does not say which one it was.');
  });

  it('writes a trace of llama2-rs unchanged if that is requested', async () => {
    const { host } = await recorded('--format', 'legacy-text');
    const ran = await pvTrace(host, 'convert', 'run.trace', '--to', 'legacy', '-o', 'same.trace');
    expect(ran).toMatchObject({ code: 0, stderr: 'wrote same.trace\n' });
    expect(bytesAt(host, 'same.trace')).toEqual(bytesAt(host, 'run.trace'));
    await pvTrace(host, 'convert', 'run.trace', '--to', 'json', '-o', 'new.json');
    expect(JSON.parse(textAt(host, 'new.json')).entries).toHaveLength(12);
  });

  it('does not let an incomplete trace pass for a whole one', async () => {
    const { host } = await recorded();
    put(host, 'cut.trace', bytesAt(host, 'run.trace').slice(0, -1));
    for (const to of ['v2', 'legacy']) {
      const ran = await pvTrace(host, 'convert', 'cut.trace', '--to', to, '-o', 'x');
      expect(ran.code).toBe(1);
      expect(ran.stderr).toContain('PV-8032');
    }
    expect((await pvTrace(host, 'convert', 'cut.trace', '--to', 'json', '-o', 'cut.json')).code).toBe(0);
    expect(JSON.parse(textAt(host, 'cut.json'))).toMatchObject({ complete: false });
    expect((await pvTrace(host, 'verify', 'cut.json', ...modelFlags)).code).toBe(1);
  });

  it('refuses JSON that was changed', async () => {
    const { host } = await recorded();
    await pvTrace(host, 'convert', 'run.trace', '--to', 'json', '-o', 'run.json');
    const text = textAt(host, 'run.json');
    for (const [from, to] of [
      ['"outputToken":', '"outputToken":1'],
      ['"size":13', '"size":12'],
      ['"complete":true', '"complete":1'],
      ['"position":3', '"position":4'],
      ['{"checkpoint"', '{"extra":1,"checkpoint"'],
      ['\n]', ']'],
    ] as const) {
      put(host, 'changed.json', new TextEncoder().encode(text.replace(from, to)));
      const same = from === '\n]';
      expect((await pvTrace(host, 'show', 'changed.json')).code, from).toBe(same ? 0 : 1);
    }
    put(host, 'bytes.json', Uint8Array.from([...new TextEncoder().encode('{"a":"'), 0xff]));
    expect((await pvTrace(host, 'show', 'bytes.json')).stderr).toContain('PV-8045');
  });

  it.each([
    [['run.trace', '--to', 'xml', '-o', 'x'], 2],
    [['run.trace', '-o', 'x'], 2],
    [['run.trace', '--to', 'json'], 2],
    [['no.trace', '--to', 'json', '-o', 'x'], 2],
    [['run.trace', '--to', 'json', '-o', 'run.trace'], 2],
    [['tiny-model.bin', '--to', 'json', '-o', 'x'], 1],
  ])('%j exits with %i', async (argv, code) => {
    const { host } = await recorded();
    expect(await pvTrace(host, 'convert', ...argv)).toMatchObject({ code, stdout: '' });
  });
});
