import { describe, expect, test } from 'vitest';
import { displayWidth } from '../../src/base/text.ts';
import { verdicts } from '../../src/evidence/verdict.ts';
import { formatText } from '../../src/report/text.ts';
import type { FormatOptions } from '../../src/report/format.ts';
import { plainOptions } from '../../src/report/formats.ts';
import {
  allGreen,
  claimReport,
  contractReport,
  everyVerdict,
  methodReport,
  nothing,
  reportOf,
} from './sample-reports.ts';

const text = (report = everyVerdict, options: Partial<FormatOptions> = {}): string =>
  formatText(report, { ...plainOptions, ...options });

describe('formatText', () => {
  test('shows every verdict with its word, counts with their denominators', () => {
    for (const verdict of verdicts) expect(text()).toContain(verdict);
    expect(text()).toContain('4 of 10 claims evaluated, 1 failed');
    expect(text()).toContain('12 of 14 wrong kernels caught');
  });

  test('a falsified claim comes with its counterexample, place and command', () => {
    for (const part of [
      'left = 0.995',
      'x = [88, 89, 90]',
      'n = 3',
      'the kernel gave softmax = [0.09, 0.24, 0.665]',
      'likely: max not',
      'contracts/softmax-kernel-v1.yaml:20',
      'reproduce: pv verify',
    ]) {
      expect(text()).toContain(part);
    }
  });

  test('says why a contract with green claims is not green', () => {
    expect(text()).toMatch(/attention-kernel-v1 [^✓]*! composition: softmax-kernel-v1 is falsified/);
    expect(text()).toContain('attention-kernel-v1 depends on rope-kernel-v1, which was not read');
  });

  test('notes are counted, not printed: a terminal shows what needs doing', () => {
    expect(text()).not.toContain('PV-3014');
    expect(text()).toContain('1 note more in the other formats');
  });

  test('green contracts take one line each', () => {
    expect(
      text(allGreen, { width: 200 })
        .split('\n')
        .filter((line) => line.startsWith('✓')),
    ).toHaveLength(3);
  });

  test('nothing verified is said, not passed over', () => {
    expect(text(nothing)).toContain('0 contracts: 0 of 0 claims evaluated, 0 failed; nothing was verified');
    expect(text(nothing)).toContain('gate FAILED');
  });

  test.each([40, 60, 80, 120])('keeps to %i columns, commands, places and unbreakable words aside', (width) => {
    for (const line of text(everyVerdict, { width }).split('\n')) {
      if (/reproduce: | in |kernel-v1|depends on|PV-3011/.test(line)) continue;
      const longestWord = Math.max(...line.trim().split(' ').map(displayWidth));
      expect(displayWidth(line), line).toBeLessThanOrEqual(Math.max(width, longestWord + 8));
    }
  });

  test('colour comes from outside, marks every verdict by tone, and changes nothing else', () => {
    const painted = text(everyVerdict, { paint: (style, part) => `<${style}>${part}</>` });
    expect(painted).toContain('<bad>✗</>');
    expect(painted).toContain('<good>✓</>');
    expect(painted.replace(/<(?:good|bad|doubt|none|dim|strong)>|<\/>/g, '')).toBe(text());
  });

  test('huge values are cut, infinite ratios shown', () => {
    const values = { x: { hex: '', text: '1, '.repeat(10_000) } };
    const input = { sizes: {}, values };
    const claim = claimReport({
      verdict: 'falsified',
      counterexample: { input, explanation: 'left = NaN', shrinks: 0, outputs: [] },
      methods: [methodReport({ worst: { error: Infinity, allowed: 0, ratio: Infinity, input } })],
    });
    const shown = text(reportOf([contractReport('big', [claim])]));
    expect(shown).toContain('(29600 more characters)');
    expect(shown).toContain('worst error ∞ × the tolerance');
    expect(shown.length).toBeLessThan(2_000);
  });
});
