/** Holds src/cli/trace/run-record.ts. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readTrace } from '../../../src/trace/format/read-trace.ts';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import { runPv } from '../../support/memory-cli.ts';
import { bytesAt, modelFlags, put, pvTrace, recorded, rootIn, tinyWorld } from './recorded.ts';

async function readRecorded(...more: readonly string[]) {
  const { host } = await recorded(...more);
  const read = await readTrace(bytesAt(host, 'run.trace'));
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
}

describe('pv trace record', () => {
  it('streams the text to stdout, and says seed, speed, size and root on stderr', async () => {
    const { host, ran } = await recorded();
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(/^Once upon .*\n$/s);
    expect(ran.stderr).toMatch(
      /^seed: 42\n12 steps in [\d.]+ s: \d+ tok\/s\nwrote run[.]trace: \d+ bytes, 13 leaves\nroot: [0-9a-f]{64}\n$/,
    );
    const read = await readTrace(bytesAt(host, 'run.trace'));
    expect(read.ok && Buffer.from(read.value.root).toString('hex')).toBe(rootIn(ran.stderr));
    expect(read).toMatchObject({ ok: true, value: { complete: true, size: 13 } });
  });

  it('writes a manifest that says all that a replay needs', async () => {
    const { manifest } = await readRecorded(
      '--sketch',
      '4',
      '-t',
      '0.8',
      '-p',
      '0.7',
      '-s',
      '7',
      '--generator',
      'xorshift64star/1',
    );
    expect(manifest).toMatchObject({
      model: { name: 'tiny-model.bin', digest: expect.stringMatching(/^sha256:/) },
      tokenizer: { name: 'tiny-tokenizer.bin', digest: expect.stringMatching(/^sha256:/) },
      config: expect.stringMatching(/^sha256:/),
      prompt: { tokens: expect.arrayContaining([1]), text: 'Once upon' },
      steps: 12,
      sampler: { kind: 'top-p', temperature: 0.8, topP: 0.7, seed: '7', generator: 'xorshift64star/1' },
      profile: 'f32-strict/1',
      sketch: 4,
    });
  });

  it('gives the same bytes for the same flags, and others for another seed, prompt or temperature', async () => {
    const bytes = async (...more: readonly string[]) => bytesAt((await recorded(...more)).host, 'run.trace');
    const first = await bytes();
    expect(await bytes()).toEqual(first);
    // The default of a seed is a number, not the clock.
    expect(await bytes('-s', '42', '-t', '1', '-p', '0.9', '--generator', 'llama2-rs/1')).toEqual(first);
    for (const more of [
      ['-s', '43'],
      ['-t', '0.5'],
      ['-p', '0.5'],
      ['-t', '0'],
      ['--sketch', '1'],
      ['-n', '11'],
    ])
      expect(await bytes(...more)).not.toEqual(first);
  });

  it.each(['0', 'random'])('chooses a seed for -s %s, and says which', async (seed) => {
    const { ran } = await recorded('-s', seed);
    const chosen = /^seed: (\d+) \(chosen at random\)\n/.exec(ran.stderr)?.[1] ?? '';
    expect(chosen).not.toBe('');
    const { ran: again } = await recorded('-s', chosen);
    expect(rootIn(again.stderr)).toBe(rootIn(ran.stderr));
    const { ran: other } = await recorded('-s', seed);
    expect(rootIn(other.stderr)).not.toBe(rootIn(ran.stderr));
  });

  it('takes the whole model with -n 0, and a prompt that is longer than the steps', async () => {
    expect((await recorded('-n', '2')).ran.stderr).toMatch(/warning: the prompt has \d+ tokens, but only 2 are fed in/);
    expect((await recorded()).ran.stderr).not.toContain('warning');
    const whole = await readRecorded('-n', '0', '-t', '0');
    expect(whole.manifest.steps).toBe(256);
    const short = await readRecorded('-n', '2');
    expect(short.entries.length).toBe(2);
    expect(short.manifest.prompt.tokens?.length).toBeGreaterThan(3);
  });

  it('warns where bytes of the prompt may have been lost before it was read', async () => {
    expect((await recorded('-i', 'a\ufffdb')).ran.stderr).toContain('warning: the prompt contains U+FFFD');
    expect((await recorded('-i', 'a\ufffcb')).ran.stderr).not.toContain('warning');
  });

  it('takes an empty prompt, and one that starts with a dash', async () => {
    expect((await readRecorded('-i', '')).manifest.prompt).toEqual({ tokens: [1], text: '' });
    expect((await readRecorded('--prompt=--help')).manifest.prompt.text).toBe('--help');
  });

  it('signs the trace as it ends, and refuses to begin with a key that cannot sign', async () => {
    const host = tinyWorld();
    await pvTrace(host, 'keygen', 'alice');
    const record = (...more: readonly string[]) => pvTrace(host, 'record', ...modelFlags, '-n', '5', ...more);
    expect((await record('-o', 'run.trace', '--key', 'alice.key')).code).toBe(0);
    const verified = await pvTrace(host, 'verify', 'run.trace', ...modelFlags, '--key', 'alice.pub');
    expect(verified.code).toBe(0);
    expect(verified.stdout).toContain('by signatures of keys that you trust');
    await pvTrace(host, 'prove', 'run.trace', '--iteration', '2', '-o', 'two.proof');
    expect((await pvTrace(host, 'check', 'two.proof', '--key', 'alice.pub')).code).toBe(0);
    for (const more of [
      ['--key', 'alice.pub'],
      ['--key', 'none.key'],
      ['--key', 'alice.key', '--format', 'legacy'],
    ])
      expect(await record('-o', 'other.trace', ...more)).toMatchObject({ code: 2, stdout: '' });
    put(host, 'cut.key', new TextEncoder().encode('PRIVATE+KEY+alice+d8ebdd35+AQ==\n'));
    const cut = await record('-o', 'other.trace', '--key', 'alice.key', '--key', 'cut.key');
    expect(cut).toMatchObject({ code: 2, stdout: '' });
    // Of several keys the message says which.
    expect(cut.stderr).toContain('error[PV-8052]: cut.key: A signer key is one line');
    expect(host.files.has('/project/other.trace')).toBe(false);
  });

  it('writes over no trace, unless forced', async () => {
    const { host } = await recorded();
    const before = bytesAt(host, 'run.trace');
    const again = await pvTrace(host, 'record', ...modelFlags, '-n', '3', '--out', 'run.trace');
    expect(again).toMatchObject({ code: 2, stdout: '' });
    expect(again.stderr).toContain("'run.trace' exists; --force writes over it");
    expect(bytesAt(host, 'run.trace')).toEqual(before);
    expect((await pvTrace(host, 'record', ...modelFlags, '-n', '3', '--out', 'run.trace', '--force')).code).toBe(0);
    expect(bytesAt(host, 'run.trace')).not.toEqual(before);
  });

  it.each([
    [['-n', '-1']],
    [['-n', 'many']],
    [['-s', '-1']],
    [['-s', '18446744073709551616']],
    [['-s', '4.2']],
    [['-t', '-0.5']],
    [['-t', 'hot']],
    [['-p', '1.5']],
    [['--sketch', '100000']],
    [['--format', 'v3']],
    [['--generator', 'mt19937']],
    [['--nope']],
  ])('refuses %j with exit code 2', async (more) => {
    const { host, ran } = await recorded(...more);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(host.files.has('/project/run.trace')).toBe(false);
  });

  it('writes over nothing that it reads, not even when forced', async () => {
    const host = tinyWorld();
    const before = bytesAt(host, 'tiny-model.bin').slice();
    for (const out of ['tiny-model.bin', './tiny-tokenizer.bin']) {
      const ran = await pvTrace(host, 'record', ...modelFlags, '-n', '3', '--out', out, '--force');
      expect(ran).toMatchObject({ code: 2, stdout: '' });
      expect(ran.stderr).toContain('is what this command reads');
    }
    expect(bytesAt(host, 'tiny-model.bin')).toEqual(before);
    await pvTrace(host, 'record', ...modelFlags, '-n', '3', '--out', 'run.trace');
    for (const argv of [
      ['prove', 'run.trace', '--iteration', '1'],
      ['convert', 'run.trace', '--to', 'json'],
      ['consistency', 'prove', 'run.trace', '--from', '1'],
    ])
      expect((await pvTrace(host, ...argv, '--out', 'run.trace', '--force')).code, argv.join(' ')).toBe(2);
  });

  it('takes temperatures that are above 0 and finite in float32, and 0', async () => {
    for (const [temperature, code] of [
      ['1e-36', 0],
      ['1e-46', 2],
      ['3.4e38', 0],
      ['3.5e38', 2],
      ['0', 0],
    ] as const) {
      const { host, ran } = await recorded('-t', temperature);
      expect(ran.code, temperature).toBe(code);
      expect(host.files.has('/project/run.trace')).toBe(code === 0);
    }
  });

  it('needs a model, a tokenizer and a place to write to', async () => {
    for (const missing of ['--model', '--tokenizer', '--out']) {
      const flags = [...modelFlags, '--out', 'x'];
      flags.splice(flags.indexOf(missing), 2);
      expect(await pvTrace(tinyWorld(), 'record', ...flags)).toMatchObject({ code: 2, stdout: '' });
    }
    const gone = await pvTrace(
      tinyWorld(),
      'record',
      '--model',
      'no.bin',
      '--tokenizer',
      'tiny-tokenizer.bin',
      '--out',
      'x',
    );
    expect(gone).toMatchObject({ code: 2, stdout: '' });
    expect(gone.stderr).toContain("'no.bin' does not exist");
  });

  it('says what is wrong with a model or a tokenizer, and exits with 1', async () => {
    const host = tinyWorld();
    put(host, 'cut.bin', bytesAt(host, 'tiny-model.bin').slice(0, -4));
    put(host, 'long.bin', Uint8Array.from([...bytesAt(host, 'tiny-tokenizer.bin'), 0]));
    const cut = await pvTrace(host, 'record', '--model', 'cut.bin', '--tokenizer', 'tiny-tokenizer.bin', '--out', 'x');
    expect(cut).toMatchObject({ code: 1, stdout: '' });
    expect(cut.stderr).toMatch(/^error\[PV-8008\]: cut[.]bin: [^]*expected[^]*actual/);
    const long = await pvTrace(host, 'record', '--model', 'tiny-model.bin', '--tokenizer', 'long.bin', '--out', 'x');
    expect(long).toMatchObject({ code: 1, stdout: '' });
    expect(long.stderr).toContain('PV-8010');
    expect(host.files.has('/project/x')).toBe(false);
  });
});

const goldens = '/work/shared/data/llama';

/** Written by llama2-rs itself: where they are, its bytes are ours. */
describe.runIf(existsSync(goldens))('the traces of llama2-rs', () => {
  const names = existsSync(goldens)
    ? readdirSync(`${goldens}/traces`).flatMap((name) =>
        name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : [],
      )
    : [];

  it.each(names)('%s is recorded byte for byte', async (name) => {
    const { metadata, sampling } = JSON.parse(readFileSync(`${goldens}/traces/${name}.json`, 'utf8'));
    const host = createMemoryHost();
    put(host, metadata.model_path, readFileSync(`${goldens}/stories260K.bin`));
    put(host, 'tok512.bin', readFileSync(`${goldens}/tok512.bin`));
    const format = name.endsWith('.head') ? 'legacy-text' : 'legacy';
    const ran = await runPv(
      ['trace', 'record', '--model', metadata.model_path, '-z', 'tok512.bin', '-i', metadata.prompt].concat(
        ['-n', String(metadata.steps), '-t', String(sampling.temperature), '-p', String(sampling.topp)],
        ['-s', String(sampling.seed), '--format', format, '--out', 'out.trace'],
      ),
      { host },
    );
    expect(ran.code).toBe(0);
    expect(Buffer.from(bytesAt(host, 'out.trace')).equals(readFileSync(`${goldens}/traces/${name}.trace`))).toBe(true);
  });
});
