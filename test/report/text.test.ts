/** Holds src/report/facts.ts, src/report/report.ts, src/report/tallies.ts, src/report/verdict-mark.ts. */
import { shortened } from '../../src/report/facts.ts';
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
  survivor,
} from './sample-reports.ts';

const text = (report = everyVerdict, options: Partial<FormatOptions> = {}): string =>
  formatText(report, { ...plainOptions, ...options });

const adequate = { killed: 14, total: 14, equivalent: [], survivors: [], uncompared: [] };

describe('formatText', () => {
  test('shows every verdict with its word, counts with their denominators', () => {
    for (const verdict of verdicts) expect(text()).toContain(verdict);
    expect(text()).toContain('5 of 11 claims evaluated, 2 failed');
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

  test('of many contracts, counts those that need no attention and lists the others', () => {
    const fine = Array.from({ length: 21 }, (_, i) =>
      contractReport(`fine-${i}-v1`, [claimReport()], i < 20 ? {} : { level: 'L4' }),
    );
    const others = [
      contractReport('doubtful-v1', [claimReport({ verdict: 'undetermined', reason: 'no kernel is bound' })]),
      contractReport('below-v1', [claimReport()], { passes: false, level: 'L2' }),
      contractReport('weak-v1', [claimReport()], { adequacy: { ...adequate, killed: 13, survivors: [survivor] } }),
    ];
    const long = text(reportOf([...fine, ...others]), { command: 'pv status contracts' });
    expect(long).toContain('✓ 21 contracts pass: 1 L4, 20 L3 (each one: pv status contracts --format markdown)');
    expect(long).not.toContain('fine-');
    for (const { id } of others) expect(long).toContain(id);
    const unverified = fine.map((one) => ({
      ...one,
      passes: false,
      claims: ['A', 'B', 'C', 'D'].map((id) => claimReport({ id, verdict: id === 'D' ? 'falsified' : 'undetermined' })),
    }));
    const capped = text(reportOf(unverified), { command: 'pv status contracts' });
    expect(capped).toContain('and 1 more claim without a verdict: pv status contracts --format markdown');
    expect([capped.match(/\? [A-D] undetermined/g)?.length, capped.match(/✗ D falsified/g)?.length]).toEqual([42, 21]);
    expect(text(reportOf(fine.slice(0, 20)))).toContain('fine-19-v1');
  });

  test('claims that are open for one reason are listed together, and refuted ones are not', () => {
    const unbound = { verdict: 'unbound', reason: 'no kernel is bound to softmax' } as const;
    const refuted = { verdict: 'falsified', reason: 'no' } as const;
    const claims = [
      claimReport({ id: 'A', ...unbound }),
      claimReport({ id: 'B', ...refuted }),
      claimReport({ id: 'C', ...unbound, property: 'It is finite' }),
      claimReport({ id: 'D', ...refuted }),
      claimReport({ id: 'E', verdict: 'unbound', reason: 'no kernel is bound to rope', property: 'It turns' }),
    ];
    const shown = text(reportOf([contractReport('unbound-v1', claims, { verdict: 'unbound', passes: false })]));
    expect(shown).toContain('    ○ 2 claims unbound: no kernel is bound to softmax\n        A, C\n');
    expect(shown).not.toContain('It is finite');
    expect(shown).toContain('    ○ E unbound: It turns\n        no kernel is bound to rope\n');
    expect(shown.match(/✗ [BD] falsified: /g)).toHaveLength(2);
  });

  test('an unbound contract comes with the row that would bind it, and not where its row is broken', () => {
    const unbound = claimReport({ verdict: 'unbound', reason: 'no kernel is bound to softmax' });
    const shown = (reason: string | null): string => {
      const equation = {
        name: 'softmax',
        formula: '',
        latex: null,
        status: 'executable',
        reason,
        kernel: null,
      } as const;
      return text(reportOf([contractReport('soft-v1', [unbound], { passes: false, equations: [equation] })]));
    };
    expect(shown(null)).toMatch(
      /add its row to binding\.yaml, under `bindings:`\n +- \{ contract: "soft-v1\.yaml", equation: softmax, /u,
    );
    expect(shown('the binding of softmax is broken (PV-5021, src/a.ts:1)')).not.toContain('add its row');
  });

  test('says why a contract with green claims is not green', () => {
    expect(text()).toMatch(/attention-kernel-v1 [^✓]*! composition: softmax-kernel-v1 is falsified/);
    expect(text()).toContain('attention-kernel-v1 depends on rope-kernel-v1, which was not read');
  });

  test.each([
    ['wrong kernels survive', { verdict: 'vacuous', level: 'L2', adequacy: { ...adequate, survivors: [survivor] } }],
    ['its level is too low', { level: 'L2' }],
    ['a dependency is falsified', { verdict: 'falsified', reason: 'softmax-kernel-v1 is falsified' }],
  ] as const)('a claim that held in a contract that fails since %s is not counted as a success', (_, changes) => {
    const weak = contractReport('weak-v1', [claimReport(), claimReport({ id: 'SM-INV-002', verdict: 'proved' })], {
      adequacy: adequate,
      passes: false,
      ...changes,
    });
    const right = contractReport('right-v1', [claimReport({ id: 'SM-INV-003' })]);
    expect(text(reportOf([weak], { passed: false }))).toContain('\n  ◐ 1 proved  ◐ 1 tested\n');
    expect(text(reportOf([right, weak], { passed: false }))).toContain('\n  ◐ 1 proved  ✓ 1 tested  ◐ 1 tested\n');
    expect(text(reportOf([right]))).toContain('\n  ✓ 1 tested\n');
  });

  test('a claim that held stays a success next to one that failed', () => {
    const failed = contractReport(
      'failed-v1',
      [claimReport(), claimReport({ id: 'SM-INV-002', verdict: 'falsified' })],
      {
        adequacy: adequate,
      },
    );
    expect(text(reportOf([failed], { passed: false }))).toContain('\n  ✓ 1 tested  ✗ 1 falsified\n');
  });

  test('notes are counted, not printed: a terminal shows what needs doing', () => {
    expect(text()).not.toContain('PV-3014');
    expect(text()).toContain('1 more note: the format markdown has them all');
    expect(text(everyVerdict, { command: 'pv status contracts' })).toContain(
      '1 more note: pv status contracts --format markdown\n',
    );
  });

  test('errors come first, with their place, the text there and how to fix it', () => {
    expect(text()).toMatch(
      /^error\[PV-3001\]: depends on 'rope-kernel-v1', which was not read\n --> contracts\/attention-kernel-v1\.yaml:4:5\n {2}\|\n4 \| {3}- rope-kernel-v1\n {2}\| {5}\^{14}\n {2}= help: add contracts\/rope-kernel-v1\.yaml\n {2}= more: pv explain PV-3001\n\n✗ softmax/,
    );
  });

  test('findings about no place are shown twice and counted, those with a place all', () => {
    const finding = { code: 'PV-6006', severity: 'error', message: 'm', hint: null, path: 'p', end: null } as const;
    const found = (start: { readonly line: number; readonly column: number } | null) =>
      Array.from({ length: 5 }, () => ({ ...finding, start, excerpt: [] }));
    const shown = (findings: ReturnType<typeof found>): string => text(reportOf([], {}, findings));
    expect(shown(found(null)).match(/error\[PV-6006\]/g)).toHaveLength(2);
    expect(shown(found(null))).toContain('and 3 more of PV-6006: the format markdown has them all');
    expect(shown(found({ line: 1, column: 1 })).match(/error\[PV-6006\]/g)).toHaveLength(5);
  });

  test('survivors come with their inputs, what to do about them, and where the rest is', () => {
    const one = {
      mutant: 'kernel:1',
      killedBy: [],
      killedByOrdinary: [],
      equivalent: null,
      separatingInput: null,
      separatingOutputs: null,
    };
    const survivors = Array.from({ length: 8 }, (_, i) => ({ ...one, mutant: `kernel:${i}` }));
    const adequacy = { killed: 0, total: 8, equivalent: [], survivors, uncompared: [] };
    const report = reportOf([contractReport('weak', [claimReport()], { adequacy })]);
    const shown = text(report, { command: 'pv status weak.yaml', width: 120 });
    expect(shown).toContain('kernel:5 survives (no input was found where it is wrong)\n');
    expect(shown).not.toContain('kernel:6');
    expect(shown).toContain('and 2 more: pv status weak.yaml --format markdown\n        to fix it, add a claim');
    expect(shown).toContain('qa_gate.equivalent_mutants');
  });

  test("errors of the equation itself in float32 are not a kernel's", () => {
    const claim = claimReport({ methods: [methodReport({ method: 'soundness' })] });
    expect(text(reportOf([contractReport('sound', [claim])]))).not.toContain('worst error');
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

  test.each([40, 60, 80, 120])(
    'keeps to %i columns, commands, places, excerpts and unbreakable words aside',
    (width) => {
      for (const line of text(everyVerdict, { width }).split('\n')) {
        if (/reproduce: | in |1 more note|kernel-v1|depends on|-->|^ *\d* \|/.test(line)) continue;
        const longestWord = Math.max(...line.trim().split(' ').map(displayWidth));
        expect(displayWidth(line), line).toBeLessThanOrEqual(Math.max(width, longestWord + 8));
      }
    },
  );

  test('colour comes from outside, marks every verdict by tone, and changes nothing else', () => {
    const painted = text(everyVerdict, { paint: (style, part) => `<${style}>${part}</>` });
    expect(painted).toContain('<bad>✗</>');
    expect(painted).toContain('<good>✓</>');
    expect(painted.replace(/<(?:good|bad|doubt|none|dim|strong)>|<\/>/g, '')).toBe(text());
  });

  test.each([
    ['[0 × 99999, 5] (100000 elements)', '[0 × 99999, 5] (100,000 elements)'],
    ['[1.25, 3, 4, 5, 6, 7, 8] (7000 elements)', '[1.25, 3, 4, 5, 6, 7… (7,000 elements)'],
    ['a text that is far longer than that', 'a text that is far l… (15 more characters)'],
    ['[1, 2] (2 elements)', '[1, 2] (2 elements)'],
  ])('%s is cut and says how many elements there are', (value, shown) => {
    expect(shortened(value, 20)).toBe(shown);
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
