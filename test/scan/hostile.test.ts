import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { renderDiagnostic } from '../../src/diagnostics/render.ts';
import { scanCode } from '../support/scan-code.ts';

const codes = new URL('../../docs/codes/', import.meta.url);

/** Every example of the pages of the rules, one after the other. */
async function examples(): Promise<string> {
  const names = (await readdir(codes)).filter((name) => /^PV-910\d/.test(name));
  const pages = await Promise.all(names.map((name) => readFile(new URL(name, codes), 'utf8')));
  return pages
    .flatMap((page) => [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((block) => block[1] ?? ''))
    .join('\n');
}

describe('no text makes a rule throw', () => {
  it('cut anywhere', async () => {
    const text = await examples();
    const files: Record<string, string> = {};
    for (let end = 0; end < text.length; end += 13) files[`cut-${end}.ts`] = text.slice(0, end);
    const { counts } = await scanCode(files);
    expect(counts.files).toBe(Math.ceil(text.length / 13));
  });

  it('without some of its characters', async () => {
    const text = await examples();
    const files: Record<string, string> = {};
    for (let at = 0; at < text.length; at += 29)
      files[`gap-${at}.ts`] = text.slice(0, at) + text.slice(at + 1 + (at % 5));
    const { findings } = await scanCode(files);
    expect(findings.length).toBeGreaterThan(0);
  });
});

describe('the time per finding does not grow with the file', () => {
  const draws = (count: number, end: string): string =>
    Array.from(
      { length: count },
      (_, i) => `function initWeights${i}(n) { return fill(n, () => Math.random()); }${end}`,
    ).join('');
  const softmax = (count: number, end: string): string =>
    Array.from(
      { length: count },
      (_, i) => `function s${i}(x) { const e = x.exp(); return e.div(e.sum()); }${end}`,
    ).join('');
  it.each([
    ['lines of draws', (count: number) => draws(count, '\n')],
    ['draws in one line', (count: number) => draws(count, ' ')],
    ['lines of softmaxes', (count: number) => softmax(count, '\n')],
    ['softmaxes in one line', (count: number) => softmax(count, ' ')],
  ])(
    '%s',
    async (_name, text) => {
      const seconds = async (count: number): Promise<number> => {
        const start = performance.now();
        const { findings } = await scanCode({ 'a.js': text(count) });
        for (const { diagnostic } of findings) renderDiagnostic(diagnostic);
        expect(findings).toHaveLength(count);
        return performance.now() - start;
      };
      await seconds(500);
      const few = await seconds(1000);
      // A search of the whole file for each finding takes more than 60 times as long for 16 times as many.
      expect(await seconds(16_000)).toBeLessThan(50 * few);
    },
    120_000,
  );
});

describe('large files take no more than their share', () => {
  const many = (one: (i: number) => string): string => Array.from({ length: 1000 }, (_, i) => one(i)).join('\n');

  it.each([
    [
      'metrics in one loop',
      `for (const batch of loader) {\n${many((i) => `console.log('loss ${i}', loss);`)}\n}`,
      1000,
    ],
    [
      'calls of one kernel',
      `const k = gpu.createKernel(f, { pipeline: true });\n${many((i) => `const t${i} = k(x${i}).toArray();`)}`,
      0,
    ],
    ['switches of one model', `function evaluate(model) {\n${many(() => 'model.eval(); model.train();')}\n}`, 1000],
    [
      'buffers',
      `function fill(out: Float32Array, n: number, d: number) { for (let i = 0; i < n * d; i++) out[i] = 1; }\n${many(() => 'fill(new Float32Array(n * h), n, d);')}`,
      1000,
    ],
    [
      'launches and copies',
      `function f() {\n${many(() => 'run(k, stream); stream.synchronize(); b.copyToHost(h);')}\n}`,
      0,
    ],
  ])(
    '%s',
    async (_name, text, expected) => {
      const { findings } = await scanCode({ 'a.ts': text });
      expect(findings).toHaveLength(expected);
    },
    20_000,
  );
});
