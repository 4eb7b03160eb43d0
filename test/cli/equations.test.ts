/** Holds src/cli/commands/equations.ts. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/api/exit-code.ts';
import { runPv } from '../support/memory-cli.ts';

const files = {
  'softmax-kernel-v1.yaml': await readFile(new URL('../../contracts/softmax-kernel-v1.yaml', import.meta.url), 'utf8'),
  'prose.yaml': [
    'metadata: { version: "1.0.0", description: d, references: [r] }',
    'equations:',
    '  greedy:',
    '    formula: "Greedy GPU matches the CPU <b>100% & more_or_less</b>"',
    '',
  ].join('\n'),
  'broken.yaml': 'metadata: [\n',
};

describe('pv equations', () => {
  it('prints each equation as pv executes it, with its domain and result', async () => {
    const ran = await runPv(['equations', 'softmax-kernel-v1.yaml'], { files });
    expect(ran.code).toBe(exitCodes.ok);
    expect(ran.stdout).toMatch(
      /^softmax-kernel-v1\/softmax\n {4}max1 = max_\{i < n\} x_\{i\}\n(?: {4}.*\n)* {4}for x ∈ F32\^n, 1 ≤ n ≤ 128, .*\n {4}in F32\^n\n/,
    );
    expect(ran.stderr).toBe('1 equation of 1 contract, 0 of them not executed\n');
  });

  it('prints LaTeX', async () => {
    const ran = await runPv(['equations', 'softmax-kernel-v1.yaml', '--format', 'latex'], { files });
    expect(ran.stdout).toMatch(/^% softmax-kernel-v1\/softmax\n\\\[ .*\\sum_\{i < n\}.*\\frac\{.* \\\]\n/s);
  });

  it('prints MathML', async () => {
    const ran = await runPv(['equations', 'softmax-kernel-v1.yaml', '--format', 'mathml'], { files });
    expect(ran.stdout).toMatch(/^<figure id="softmax-kernel-v1\/softmax">\n<math .*<mfrac>.*<\/math>\n<\/figure>\n/s);
  });

  it.each([
    ['text', 'Greedy GPU matches the CPU <b>100% & more_or_less</b>'],
    ['latex', String.raw`\[ \text{Greedy GPU matches the CPU <b>100\% \& more\_or\_less</b>} \]`],
    ['mathml', '&lt;b&gt;'],
  ])('shows prose as it stands, escaped, and counts it (%s)', async (format, expected) => {
    const ran = await runPv(['equations', 'prose.yaml', '--format', format], { files });
    expect(ran.stdout).toContain(expected);
    expect(ran.stdout.includes('<b>')).toBe(format !== 'mathml');
    expect(ran.stderr).toContain('1 of them not executed');
  });

  it('does not set what LaTeX would take for a mistake', async () => {
    const odd = {
      'odd.yaml': files['prose.yaml'].replace(/formula: .*/, String.raw`formula: 'Odd words \ ^ ~ { } $ # here'`),
    };
    const ran = await runPv(['equations', 'odd.yaml', '--format', 'mathml'], { files: odd });
    expect(ran.stdout).toContain('<math');
    expect(ran.stdout).not.toContain('temml-error');
  });

  it.each([
    ['nowhere.yaml', exitCodes.usage],
    ['broken.yaml', exitCodes.findings],
  ])('has nothing to print for %s', async (path, code) => {
    expect(await runPv(['equations', path], { files })).toMatchObject({ code, stdout: '' });
  });
});
