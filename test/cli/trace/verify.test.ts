/**
 * Holds src/cli/trace/replay-text.ts, src/cli/trace/run-verify.ts, src/cli/trace/sampling-flags.ts,
 * src/cli/trace/verdict-text.ts, src/cli/trace/verify-flags.ts.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { createMemoryHost, type MemoryHost } from '../../../src/host/memory-host.ts';
import { tinyModel } from '../../../src/trace/model/tiny-model.ts';
import { bytesAt, modelFlags, put, pvTrace, recorded, rootIn, textAt } from './recorded.ts';

let host: MemoryHost;
let root = '';

beforeAll(async () => {
  const made = await recorded('--sketch', '4');
  host = made.host;
  root = rootIn(made.ran.stderr);
  const other = tinyModel(2);
  put(host, 'other-model.bin', other.checkpoint);
});

const verify = (...argv: readonly string[]) => pvTrace(host, 'verify', 'run.trace', ...modelFlags, ...argv);

describe('pv trace verify', () => {
  it('replays every step, and names level, scope, profile and the signer of the root', async () => {
    for (const argv of [[], ['--all']]) {
      const ran = await verify(...argv);
      expect(ran).toMatchObject({ code: 0, stderr: '' });
      expect(ran.stdout).toContain(
        'run.trace: ✓ VERIFIED (6 tokens chosen by the model, 6 forced by the prompt, logits and tree; root self-declared), level exact: 12 of 12 steps compared, by f32-strict/1, temperature 1, top-p 0.9\n',
      );
      expect(ran.stdout).toContain('bound      by nothing: the root is self-declared');
      expect(rootIn(ran.stdout)).toBe(root);
    }
  });

  it('compares one step, or a random sample that it names', async () => {
    expect((await verify('--iteration', '7')).stdout).toContain(
      '✓ VERIFIED (2 tokens chosen by the model, 6 forced by the prompt up to position 7, logits and path; root self-declared), level exact: 1 of 12 steps compared',
    );
    const ran = await verify('--sample', '4');
    expect(ran.stdout).toContain('4 of 12 steps compared');
    const [, seed = '', steps] = /challenge {2}(\d+): steps (.*)\n/.exec(ran.stdout) ?? [];
    const again = await verify('--sample', '4', '--challenge', seed);
    expect(again.stdout).toBe(ran.stdout);
    expect(steps?.split(', ')).toHaveLength(4);
    const drawn = new Set<string>();
    for (let i = 0; i < 8; i++) drawn.add(/challenge.*/.exec((await verify('--sample', '4')).stdout)?.[0] ?? '');
    expect(drawn.size).toBe(8);
  });

  it('holds the root to what the verifier brings', async () => {
    expect((await verify('--root', root, '--size', '13')).stdout).toContain('by the root and the size that you gave');
    const wrong = await verify('--root', 'a'.repeat(64));
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toContain('✗ FAILED');
    expect(wrong.stdout).toContain(`actual    ${root}`);
    await pvTrace(host, 'keygen', 'alice');
    await pvTrace(host, 'sign', 'run.trace', '--key', 'alice.key', '-o', 'run.checkpoint');
    const signed = await verify('--checkpoint', 'run.checkpoint', '--key', 'alice.pub');
    expect(signed.code).toBe(0);
    expect(signed.stdout).toContain(
      '✓ VERIFIED (6 tokens chosen by the model, 6 forced by the prompt, logits and tree), level',
    );
    expect(signed.stdout).toContain('by signatures of keys that you trust');
    expect((await verify('--key', 'alice.pub')).code).toBe(1);
  });

  it('verifies in the bands only where it is requested', async () => {
    for (const level of ['float-band', 'engine-band']) {
      const ran = await verify('--level', level);
      expect(ran.code).toBe(0);
      expect(ran.stdout).toContain(`level ${level.replace('-', ' ')}: 12 of 12`);
    }
    const none = await recorded();
    const ran = await pvTrace(none.host, 'verify', 'run.trace', ...modelFlags, '--level', 'float-band');
    expect(ran.code).toBe(5);
    expect(ran.stdout).toContain('? UNDETERMINED, so not verified (level not shown)');
    expect(ran.stdout).toContain('PV-8067');
  });

  it('refuses another model, another tokenizer, another prompt, another seed', async () => {
    const model = await pvTrace(host, 'verify', 'run.trace', '--model', 'other-model.bin');
    expect(model.code).toBe(1);
    expect(model.stdout).toMatch(
      /error\[PV-8062\]: The model is not the recorded[^]*expected {2}sha256:[^]*actual {4}sha256:/,
    );
    const tokenizer = bytesAt(host, 'tiny-tokenizer.bin').slice();
    tokenizer[4] = (tokenizer[4] ?? 0) ^ 1;
    put(host, 'other-tokenizer.bin', tokenizer);
    const tokens = await pvTrace(host, 'verify', 'run.trace', '--model', 'tiny-model.bin', '-z', 'other-tokenizer.bin');
    expect(tokens.code).toBe(1);
    expect(tokens.stdout).toContain('error[PV-8062]: The tokenizer');
    for (const demand of [
      ['-s', '43'],
      ['-i', 'Once upon a'],
      ['-t', '0'],
      ['-p', '0.5'],
      ['--generator', 'xorshift64star/1'],
    ]) {
      const ran = await verify(...demand);
      expect(ran.code, demand.join(' ')).toBe(1);
      expect(ran.stdout).toContain('error[PV-8080]');
    }
    expect((await verify('-s', '42', '-i', 'Once upon', '-t', '1', '-p', '0.9')).code).toBe(0);
  });

  it('finds the step whose token or hash is not the one that is computed, though the tree is sound', async () => {
    // Whoever holds the file can compute the tree anew: only a replay tells.
    const json = JSON.parse((await pvTrace(host, 'show', 'run.trace', '--json')).stdout);
    expect(json.entries).toHaveLength(12);
    const forged = await forge();
    put(host, 'forged.trace', forged);
    const ran = await pvTrace(host, 'verify', 'forged.trace', ...modelFlags);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(
      /error\[PV-8064\][^]*position {2}8\n {4}expected {2}[0-9a-f]{64}\n {4}actual {4}[0-9a-f]{64}/,
    );
    expect((await pvTrace(host, 'verify', 'forged.trace', ...modelFlags, '--iteration', '7')).code).toBe(0);
    expect((await pvTrace(host, 'verify', 'forged.trace', ...modelFlags, '--iteration', '8')).code).toBe(1);
  });

  it('does not verify what is requested but not disclosed by the trace', async () => {
    const { readTrace } = await import('../../../src/trace/format/read-trace.ts');
    const { encodeTrace } = await import('../../../src/trace/format/write-trace.ts');
    const read = await readTrace(bytesAt(host, 'run.trace'));
    if (!read.ok) throw new Error(read.error.message);
    const { manifest, entries } = read.value;
    const write = async (prompt: Partial<typeof manifest.prompt>, isOther = false) => {
      const sampler = isOther ? ({ kind: 'other', description: '' } as const) : manifest.sampler;
      const trace = { manifest: { ...manifest, sampler, prompt: { ...manifest.prompt, ...prompt } }, entries };
      put(host, 'shy.trace', await encodeTrace(trace, null));
    };
    const ask = async (...argv: readonly string[]) => pvTrace(host, 'verify', 'shy.trace', ...modelFlags, ...argv);

    await write({ text: null });
    expect((await ask('-i', 'Once upon')).code).toBe(0);
    const twice = await ask('-i', 'Twice upon');
    expect(twice.code).toBe(1);
    expect(twice.stdout).toContain('error[PV-8080]');
    await write({ text: null, tokens: null });
    const promptless = await ask();
    expect(promptless.code).toBe(5);
    expect(promptless.stdout).toContain(
      '? UNDETERMINED, so not verified (tokens and prompt not shown, 0 tokens chosen',
    );
    const logits = ['--require', 'logits'];
    expect((await ask(...logits)).stdout).toContain(
      'shy.trace: ✓ VERIFIED (0 tokens chosen by the model, 0 forced by the prompt, logits and tree; how 12 tokens were chosen, prompt not disclosed, root self-declared), level exact: 12 of 12',
    );
    const unknown = await ask('-i', 'Once upon');
    expect(unknown.code).toBe(5);
    expect(unknown.stdout).toMatch(/\? UNDETERMINED, so not verified[^]*error\[PV-8081\]/);
    await write({}, true);
    expect((await ask()).code).toBe(5);
    const whole = await ask(...logits);
    expect(whole.stdout).toMatch(
      /✓ VERIFIED \(0 tokens .*, logits and tree; how 6 tokens were chosen, sampler not disclosed, root self-declared\)/,
    );
    const json = await ask('--iteration', '11', '--root', rootIn(whole.stdout), '--json', '--require', 'logits,root');
    const told = JSON.parse(json.stdout);
    expect(told).toMatchObject({
      verdict: 'verified',
      headline: expect.stringMatching(/^VERIFIED \(.*, logits and path; how 6 .*, sampler not disclosed, size not/),
      covers: { open: ['how 6 tokens were chosen', 'sampler not disclosed', 'size not bound'] },
    });
    expect((await ask('--require', 'logits,root')).code).toBe(5);
    expect((await ask('--require', 'everything')).code).toBe(2);
    // What was refused covers nothing.
    const refused = JSON.parse((await ask('-s', '42', '--json')).stdout);
    expect(refused).toMatchObject({ verdict: 'undetermined', covers: { shown: [] } });
    expect(refused.headline).toMatch(/^UNDETERMINED, so not verified \(seed not shown, /);
    for (const demand of [
      ['-s', '42'],
      ['-t', '1'],
      ['-p', '0.9'],
    ]) {
      const ran = await ask(...demand);
      expect(ran.code, demand.join(' ')).toBe(5);
      expect(ran.stdout).toContain('error[PV-8081]');
    }
    // A text says nothing of the tokens that were forced while nobody encodes it.
    expect((await pvTrace(host, 'verify', 'run.trace', '--model', 'tiny-model.bin', '-i', 'Once upon')).code).toBe(2);
  });

  it('says of tokens that are wrong how many they are', async () => {
    const { readTrace } = await import('../../../src/trace/format/read-trace.ts');
    const { encodeTrace } = await import('../../../src/trace/format/write-trace.ts');
    const read = await readTrace(bytesAt(host, 'run.trace'));
    if (!read.ok) throw new Error(read.error.message);
    const { manifest, entries } = read.value;
    const last = entries.at(-1);
    if (last?.kind !== 'step') throw new Error('the last entry is no step');
    const changed = { ...last, outputToken: last.outputToken === 7 ? 8 : 7 };
    put(host, 'token.trace', await encodeTrace({ manifest, entries: [...entries.slice(0, -1), changed] }, null));
    const ran = await pvTrace(host, 'verify', 'token.trace', ...modelFlags);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(/✗ tokens +\d+ forced by the prompt, \d+ chosen again and 1 not what was expected\.\n/);
  });

  it.each([
    [['--iteration', '1', '--all'], 2],
    [['--sample', '1', '--all'], 2],
    [['--challenge', '1'], 2],
    [['--sample', '0'], 2],
    [['--level', 'close'], 2],
    [['--root', 'xyz'], 2],
    [['--checkpoint', 'none.checkpoint'], 2],
    [['--iteration', '12'], 5],
    [['--iteration', '3'], 5],
    [['--iteration', '3', '--require', 'logits'], 0],
    [['--iteration', '7'], 0],
  ])('%j exits with %i', async (argv, code) => {
    expect((await verify(...argv)).code).toBe(code);
  });

  it('says the same to machines', async () => {
    const good = JSON.parse((await verify('--root', root, '--sample', '3', '--challenge', '5', '--json')).stdout);
    expect(good).toMatchObject({
      format: 'pv-trace-verdict/1',
      of: 'trace',
      subject: 'run.trace',
      verdict: 'verified',
      level: 'exact',
      root,
      size: 13,
      standing: 'given root',
      scope: { steps: 12, gapPositions: 0, engineProfile: 'f32-strict/1', traceProfile: 'f32-strict/1' },
      challenge: { count: 3, seed: 5 },
      problems: [],
    });
    expect(good.scope.positions).toHaveLength(3);
    const bad = JSON.parse((await verify('-s', '1', '--json')).stdout);
    expect(bad).toMatchObject({ verdict: 'failed', problems: [{ code: 'PV-8080', expected: '1', actual: '42' }] });
  });
});

/** The trace with another logits hash at position 8, and a tree that fits. */
async function forge(): Promise<Uint8Array> {
  const { readTrace } = await import('../../../src/trace/format/read-trace.ts');
  const { encodeTrace } = await import('../../../src/trace/format/write-trace.ts');
  const read = await readTrace(bytesAt(host, 'run.trace'));
  if (!read.ok) throw new Error(read.error.message);
  const entries = read.value.entries.map((entry) =>
    entry.kind === 'step' && entry.position === 8 ? { ...entry, logitsHash: new Uint8Array(32).fill(7) } : entry,
  );
  return encodeTrace({ manifest: read.value.manifest, entries }, null);
}

describe('bad traces', () => {
  const refused = async (name: string, bytes: Uint8Array, ...argv: readonly string[]) => {
    put(host, name, bytes);
    const ran = await pvTrace(host, 'verify', name, ...modelFlags, ...argv);
    expect(ran.code, name).toBe(1);
    expect(ran.stdout, name).toMatch(/error\[PV-80\d\d\]/);
    expect(ran.stdout, name).not.toContain('✓ VERIFIED');
    return ran.stdout;
  };

  it('are refused with every byte flipped in turn', async () => {
    const whole = bytesAt(host, 'run.trace');
    for (let at = 0; at < whole.length; at += at < 64 || at > whole.length - 64 ? 1 : 5) {
      const flipped = whole.slice();
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
      await refused(`byte ${at}`, flipped);
    }
  });

  it('say of a damaged block that any of its entries may be the one', async () => {
    const whole = bytesAt(host, 'run.trace').slice();
    whole[whole.length - 80] = (whole[whole.length - 80] ?? 0) ^ 1;
    expect(await refused('block.trace', whole)).toContain(
      'It is unknown which of its 12 entries were changed; the position is that of the first.',
    );
  });

  it('are refused if they are truncated, unless the intact part is requested', async () => {
    const whole = bytesAt(host, 'run.trace');
    for (const length of [0, 1, 7, 9, 40, 300, whole.length - 60, whole.length - 1])
      await refused(`cut at ${length}`, whole.slice(0, length));
    const cut = await refused('cut.trace', whole.slice(0, -1));
    expect(cut).toContain('error[PV-8032]');
    const taken = await pvTrace(host, 'verify', 'cut.trace', ...modelFlags, '--incomplete');
    expect(taken.code).toBe(0);
    expect(taken.stdout).toMatch(/✓ VERIFIED \(.*; file incomplete, root self-declared\)/);
    expect(taken.stdout).toContain('that this is the whole generation');
  });

  it('are refused with bytes after their end, with a length of 2^60, empty, and of something else', async () => {
    const whole = bytesAt(host, 'run.trace');
    expect(await refused('trailing', Uint8Array.from([...whole, 0]))).toContain('PV-8033');
    // The manifest's length is a varint behind magic and version.
    const huge = Uint8Array.from([
      ...whole.slice(0, 9),
      0x80,
      0x80,
      0x80,
      0x80,
      0x80,
      0x80,
      0x80,
      0x80,
      0x10,
      ...whole.slice(11),
    ]);
    expect(await refused('huge', huge)).toMatch(/PV-80(35|36)/);
    await refused('empty', new Uint8Array(0));
    await refused('text', new TextEncoder().encode('Once upon a time, there was a little girl named Lily.'));
    await refused('model', bytesAt(host, 'tiny-model.bin'));
  });

  it('are distinguished from a trace of one entry, which is sound', async () => {
    const one = await recorded('-n', '1');
    const ran = await pvTrace(one.host, 'verify', 'run.trace', ...modelFlags, '--all', '--require', 'logits');
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toContain('1 of 1 steps compared');
    expect(ran.stdout).toContain('1 step agrees at');
    expect(one.ran.stderr).toContain('\n1 step in ');
  });
});

describe('traces in the format of llama2-rs', () => {
  const legacy = async (format: string) => (await recorded('--format', format, '-t', '0.8', '-s', '9')).host;
  const settings = ['-t', '0.8', '-s', '9'];

  it.each(['legacy', 'legacy-text'])(
    '%s is replayed with the settings of the flags, and says what it cannot bind',
    async (format) => {
      const world = await legacy(format);
      const ran = await pvTrace(world, 'verify', 'run.trace', ...modelFlags, ...settings);
      expect(ran.code).toBe(0);
      expect(ran.stdout).toContain(
        '✓ VERIFIED (5 tokens chosen by the model, 6 forced by the prompt, logits and tree; model not disclosed, prompt not bound, sampler your own, number of steps not bound, root self-declared), level exact: 12 of 12 steps compared',
      );
      expect(ran.stdout).toContain('not shown  the prompt: this replay took the text in the file');
      const own = await pvTrace(world, 'verify', 'run.trace', ...modelFlags, ...settings, '-i', 'Once upon');
      expect(own.stdout).toContain('not shown  model, tokenizer, prompt, seed and sampler');
      expect(own.stdout).toContain('prompt and sampler your own');
      // Another seed, or another prompt, chooses other tokens.
      for (const wrong of [
        ['-t', '0.8', '-s', '10'],
        ['-t', '0', '-s', '9'],
        [...settings, '-i', 'Twice'],
      ]) {
        const failed = await pvTrace(world, 'verify', 'run.trace', ...modelFlags, ...wrong);
        expect(failed.code, wrong.join(' ')).toBe(1);
        expect(failed.stdout).toMatch(/position {2}\d+/);
        expect(failed.stdout).not.toContain('the recorded sampler');
      }
      put(world, 'other-model.bin', tinyModel(2).checkpoint);
      const model = await pvTrace(
        world,
        'verify',
        'run.trace',
        '--model',
        'other-model.bin',
        '-z',
        'tiny-tokenizer.bin',
        ...settings,
      );
      expect(model.code).toBe(1);
      expect(model.stdout).toContain('PV-8064');
    },
  );

  it('are refused if they are truncated, continue after the end, claim 2^60 entries, or have none', async () => {
    const world = await legacy('legacy');
    const whole = bytesAt(world, 'run.trace');
    const countAt = 8 + 'tiny-model.bin'.length + 8 + 'Once upon'.length + 8;
    const huge = whole.slice();
    huge.set([0, 0, 0, 0, 0, 0, 0, 0x10], countAt);
    const none = whole.slice(0, countAt + 17);
    none.fill(0, countAt);
    const bad: readonly (readonly [string, Uint8Array])[] = [
      ['PV-8019', whole.slice(0, -1)],
      ['PV-8019', whole.slice(0, 60)],
      ['PV-8021', Uint8Array.from([...whole, 0])],
      ['PV-8020', huge],
      ['PV-8027', none],
    ];
    for (const [code, bytes] of bad) {
      put(world, 'bad.trace', bytes);
      const ran = await pvTrace(world, 'verify', 'bad.trace', ...modelFlags, ...settings);
      expect(ran.code, code).toBe(1);
      expect(ran.stdout).toContain(`error[${code}]`);
    }
  });

  it('need a tokenizer, since they hold their prompt as text, and the seed of the recording', async () => {
    const world = await legacy('legacy');
    expect((await pvTrace(world, 'verify', 'run.trace', '--model', 'tiny-model.bin')).code).toBe(2);
    expect((await pvTrace(world, 'verify', 'run.trace', ...modelFlags, '-s', 'random')).code).toBe(2);
  });

  it('are refused with any byte of an entry, a leaf or the root flipped', async () => {
    const world = await legacy('legacy');
    const whole = bytesAt(world, 'run.trace');
    const metadata = 8 + 'tiny-model.bin'.length + 8 + 'Once upon'.length + 8;
    for (let at = metadata; at < whole.length; at += 9) {
      const flipped = whole.slice();
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
      put(world, 'flipped.trace', flipped);
      const ran = await pvTrace(world, 'verify', 'flipped.trace', ...modelFlags, ...settings);
      expect(ran.code, `byte ${at}`).toBe(1);
    }
  });
});

const goldens = '/work/shared/data/llama';

describe('a trace of llama2-rs and the flags of its sampler', () => {
  it.each([
    [[], 5, 'Give --temperature and --seed of the recording.'],
    [['-s', '9'], 5, 'Give --temperature of the recording.'],
    [['-t', '0.8'], 5, 'Give --seed of the recording.'],
    [['-t', '0.8', '-s', '12345'], 1, 'PV-8065'],
    [['-t', '0'], 1, 'PV-8065'],
    [['-t', '0.8', '-s', '9'], 0, 'VERIFIED'],
  ])('%j exits with %i', async (flags, code, said) => {
    const { host } = await recorded('--format', 'legacy', '-t', '0.8', '-s', '9');
    const ran = await pvTrace(host, 'verify', 'run.trace', ...modelFlags, ...flags);
    expect([ran.code, ran.stdout]).toEqual([code, expect.stringContaining(said)]);
  });
});

describe('a model that is cut', () => {
  it.each([[], ['--json']])('exits with 2, since nothing was looked at, with %j', async (...flags) => {
    const { host } = await recorded();
    put(host, 'tiny-model.bin', bytesAt(host, 'tiny-model.bin').slice(0, 200));
    const ran = await pvTrace(host, 'verify', 'run.trace', ...modelFlags, ...flags);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('PV-8008')]);
    if (flags.length === 0) expect(ran.stdout).toBe('');
    else expect(JSON.parse(ran.stdout)).toMatchObject({ verdict: 'undetermined', problems: [{ code: 'PV-8008' }] });
  });
});

describe.runIf(existsSync(goldens))('the traces of llama2-rs', () => {
  const names = existsSync(goldens)
    ? readdirSync(`${goldens}/traces`).flatMap((name) =>
        name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : [],
      )
    : [];

  it.each(names)('%s verifies, step by step', async (name) => {
    const {
      sampling,
      metadata,
      entries,
      prompt_tokens: tokens,
    } = JSON.parse(readFileSync(`${goldens}/traces/${name}.json`, 'utf8'));
    const world = createMemoryHost();
    for (const file of ['stories260K.bin', 'tok512.bin']) put(world, file, readFileSync(`${goldens}/${file}`));
    put(world, 'golden.trace', readFileSync(`${goldens}/traces/${name}.trace`));
    const settings = ['-t', String(sampling.temperature), '-p', String(sampling.topp), '-s', String(sampling.seed)];
    const model = ['--model', 'stories260K.bin', '-z', 'tok512.bin'];
    const own = await pvTrace(world, 'verify', 'golden.trace', ...model, ...settings, '-i', metadata.prompt);
    expect(own.code, own.stdout).toBe(0);
    expect(own.stdout).toMatch(
      /✓ VERIFIED \(.*; model not disclosed, prompt and sampler your own, .*\), level exact: (\d+) of \1 steps compared/,
    );
    // If the file's own prompt forces all of its tokens, anybody could have written it.
    const ran = await pvTrace(world, 'verify', 'golden.trace', ...model, ...settings, '--all');
    const forced = entries.length <= tokens.length;
    expect(ran.code, ran.stdout).toBe(forced ? 5 : 0);
    const chosen = Math.max(0, entries.length - tokens.length);
    expect(ran.stdout).toContain(forced ? '(tokens not shown, 0 tokens' : `✓ VERIFIED (${chosen} token`);
  });
});

it('keeps secrets out of verdicts', async () => {
  const secret = textAt(host, 'alice.key').trim();
  const ran = await verify('--key', 'alice.key');
  expect(ran.code).toBe(2);
  expect(ran.stdout + ran.stderr).not.toContain(secret.slice(-20));
});
