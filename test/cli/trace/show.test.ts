/**
 * Holds src/cli/trace/json-flag.ts, src/cli/trace/load-model.ts, src/cli/trace/manifest-facts.ts, src/cli/trace/seed.ts,
 * src/cli/trace/show-text.ts, src/cli/trace/shown.ts.
 */
import { describe, expect, it } from 'vitest';
import { bytesAt, put, pvTrace, recorded, rootIn } from './recorded.ts';

describe('pv trace show', () => {
  it('prints the manifest and one line for each step, with the texts of a tokenizer', async () => {
    const { host, ran } = await recorded();
    const shown = await pvTrace(host, 'show', 'run.trace', '--tokenizer', 'tiny-tokenizer.bin');
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toContain('run.trace: pv-trace/2, 13 leaves: the manifest, 12 steps\n');
    expect(rootIn(shown.stdout)).toBe(rootIn(ran.stderr));
    expect(shown.stdout).toContain('seed 42 (llama2-rs/1)');
    const rows = shown.stdout.split('\n').filter((line) => /^ +\d+ +\d+ +\d+ +".*" +[0-9a-f]{64}$/.test(line));
    expect(rows).toHaveLength(12);
    const text = rows.map((row) => JSON.parse(/".*"/.exec(row)?.[0] ?? '')).join('');
    expect(`${text}\n`).toBe(ran.stdout);
  });

  it('leaves the texts out without a tokenizer', async () => {
    const { host } = await recorded();
    expect((await pvTrace(host, 'show', 'run.trace')).stdout).not.toMatch(/ "[^"]*" +[0-9a-f]{64}$/m);
  });

  it('says the same to machines', async () => {
    const { host, ran } = await recorded('--sketch', '2');
    const shown = JSON.parse((await pvTrace(host, 'show', 'run.trace', '--json', '-z', 'tiny-tokenizer.bin')).stdout);
    expect(shown).toMatchObject({
      format: 'pv-trace-show/1',
      source: 'pv-trace/2',
      complete: true,
      size: 13,
      root: rootIn(ran.stderr),
    });
    expect(shown.entries).toHaveLength(12);
    expect(shown.entries[3]).toMatchObject({ kind: 'step', position: 3, sketch: { ids: expect.any(Array) } });
    expect(shown.entries.map(({ text }: { text: string }) => text).join('')).toBe(ran.stdout.slice(0, -1));
  });

  it.each(['legacy', 'legacy-text'])('shows a %s trace, with a warning of what no hash covers', async (format) => {
    const { host, ran } = await recorded('--format', format);
    const shown = await pvTrace(host, 'show', 'run.trace');
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain('warning: no hash covers the model path');
    expect(rootIn(shown.stdout)).toBe(rootIn(ran.stderr));
    const json = JSON.parse((await pvTrace(host, 'show', 'run.trace', '--json')).stdout);
    expect(json).toMatchObject({ source: format, size: 12 });
    expect(json.entries[11].output).toBe(null);
    expect(json.entries[2].text === null).toBe(format === 'legacy');
  });

  it('shows a file that was cut, and says so', async () => {
    const { host } = await recorded();
    const whole = bytesAt(host, 'run.trace');
    put(host, 'cut.trace', whole.slice(0, -1));
    const shown = await pvTrace(host, 'show', 'cut.trace');
    expect(shown.code).toBe(0);
    expect(shown.stdout).toMatch(/warning: it is INCOMPLETE, without its footer; \d+ bytes? after/);
    expect(JSON.parse((await pvTrace(host, 'show', 'cut.trace', '--json')).stdout)).toMatchObject({ complete: false });
  });

  it('prints no control characters from a trace', async () => {
    const { host } = await recorded('-i', '\u001B[2Jtwo\nlines');
    expect((await pvTrace(host, 'show', 'run.trace', '-z', 'tiny-tokenizer.bin')).stdout).not.toContain('\u001B');
  });

  it.each([
    [['no.trace'], 2],
    [['tiny-model.bin'], 1],
    [['run.trace', '-z', 'run.trace'], 1],
    [['run.trace', '-z', 'no.bin'], 2],
  ])('%j exits with %i', async (argv, code) => {
    const { host } = await recorded();
    expect(await pvTrace(host, 'show', ...argv)).toMatchObject({ code, stdout: '' });
  });
});
