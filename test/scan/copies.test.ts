import { describe, expect, it } from 'vitest';
import { scanCode } from '../support/scan-code.ts';

const shuffled = 'export const sampled = (xs) => xs.slice().sort(() => Math.random() - 0.5).slice(0, 9);\n';

/** Where the findings are, their messages, and the places that they name. */
async function findings(files: Readonly<Record<string, string>>): Promise<readonly (readonly unknown[])[]> {
  const { findings: found } = await scanCode(files, { rules: ['biased-draw'] });
  return found.map(({ diagnostic: { span, message, related } }) => [
    span?.source.path,
    /; and (.*)/u.exec(message)?.[1] ?? '',
    related.map((one) => one.span.source.path),
  ]);
}

describe('copies of code', () => {
  it('are one finding, which names them', async () => {
    const copy = shuffled.replace('export const sampled =', 'exports.sampled =');
    expect(await findings({ 'a.mjs': shuffled, 'b.mjs': `// Built\n  ${shuffled}`, 'c.cjs': copy })).toEqual([
      ['a.mjs', 'in 1 copy of this code', ['b.mjs']],
      ['c.cjs', '', []],
    ]);
  });

  it('are what the compiler writes of one source, and its bundle', async () => {
    const compiled = 'const order = (0, order_1.byKey)(xs).sort(() => Math.random() - 0.5), all = set_1.of(order);';
    const bundle = 'const order = byKey(xs).sort(() => Math.random() - 0.5), all = of(order);';
    expect(await findings({ 'a.js': compiled, 'b.js': bundle })).toEqual([
      ['a.js', 'in 1 copy of this code', ['b.js']],
    ]);
  });

  it('are counted, of which three are named', async () => {
    const files = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [`${name}.js`, shuffled]));
    expect(await findings(files)).toEqual([['a.js', 'in 4 copies of this code', ['b.js', 'c.js', 'd.js']]]);
  });

  it('are several in one file, where each must be mended', async () => {
    expect(await findings({ 'a.js': `{ ${shuffled.slice(7)} }\n{ ${shuffled.slice(7)} }` })).toHaveLength(2);
  });

  it('are not what short lines have in common', async () => {
    const short = 'xs.sort(() => random() - 0.5)';
    expect(await findings({ 'a.js': short, 'b.js': short })).toHaveLength(2);
  });

  it('are not what short lines and short neighbours have in common', async () => {
    const short = 'x(\n  xs.sort(() => rng() - 0.5)\n);';
    expect(await findings({ 'a.js': short, 'b.js': short })).toHaveLength(2);
  });

  it('are short lines that have their neighbours in common', async () => {
    const within = (before: string): string =>
      `f();\n${before}\nxs.sort(() => rng() - 0.5);\nreturn xs.slice(0, batchSize);\n`;
    const order = within('const xs = samples.slice(first);');
    expect(await findings({ 'a.js': `function f() {${order}}`, 'b.js': `function g() {${order}}` })).toHaveLength(1);
    const other = within('const xs = validation.slice(first);');
    expect(await findings({ 'a.js': `function f() {${order}}`, 'b.js': `function g() {${other}}` })).toHaveLength(2);
  });

  it('are compared near the finding, in lines of any length', async () => {
    const long = (start: string): string => `${start}${'f();'.repeat(100)}${shuffled.slice(7)}`;
    expect(await findings({ 'a.js': long('a();'), 'b.js': long('bb();') })).toHaveLength(1);
  });
});
