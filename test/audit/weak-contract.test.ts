/** A contract that lets wrong kernels pass fails the gate, and looks so in every format. */
import { beforeAll, describe, expect, it } from 'vitest';
import { formatNames, formatReport, plainOptions } from '../../src/report/formats.ts';
import { lightColors } from '../../src/report/verdict-color.ts';
import type { Report } from '../../src/report/report.ts';
import { planOf } from '../plan/projects.ts';
import { auditedPlan, doublingContract, doublingKernel, type ClaimText } from './audited.ts';

const zero = doublingKernel.text.replace('2 * x[this.thread.x]', '0');

async function reportOf(claim: ClaimText, text = doublingKernel.text, level: 'L0' | 'L3' = 'L3', cases = 10_000) {
  const plan = await planOf({ 'double-v1': doublingContract([claim]) }, [{ ...doublingKernel, text }], { cases });
  return auditedPlan(plan, level);
}

describe('a kernel that returns 0 under a bound that nothing exceeds', () => {
  let report: Report;
  beforeAll(async () => {
    report = await reportOf(['|D(x)_i| ≤ 1e6'], zero, 'L0');
  });

  it('is not a success, though its claim held', () => {
    const [contract] = report.contracts;
    expect(contract).toMatchObject({ verdict: 'vacuous', level: 'L2', passes: false });
    expect(contract?.claims).toMatchObject([{ verdict: 'tested', level: 'L2' }]);
    expect(contract?.adequacy).toMatchObject({ uncompared: ['double'] });
    expect(report.gate.passed).toBe(false);
    expect(report.gate.reasons.join()).toContain('no claim compares the kernel with its equation (double)');
  });

  it.each(formatNames)('has no mark of a success in %s', async (format) => {
    const text = await formatReport(format, report, plainOptions);
    expect(text).not.toMatch(/[✓★] (?:tested|proved)?(?:<[^>]*>| |`)*double-v1/u);
    expect(text).not.toMatch(/(?:card|chip|mark|node) v-(?:tested|proved)"[^>]*>[✓★] (?:tested<\/span> )?double-v1/u);
    expect(text).not.toContain(lightColors.tested.fill + '"'.repeat(format === 'dot' ? 1 : 99));
  });

  it.each(['text', 'html', 'markdown', 'junit', 'sarif', 'github', 'gitlab', 'json'] as const)(
    'is said in %s to compare nothing with the equation',
    async (format) => {
      const said = /no\s+claim\s+compares\s+the\s+kernel\s+with\s+its\s+equation|"uncompared": \[\s*"double"/u;
      expect(await formatReport(format, report, plainOptions)).toMatch(said);
    },
  );

  it('is drawn with its verdict', async () => {
    expect(await formatReport('mermaid', report, plainOptions)).toContain(':::vacuous');
    expect(await formatReport('dot', report, plainOptions)).toContain(lightColors.vacuous.fill);
    expect(await formatReport('html', report, plainOptions)).toContain('class="chip v-vacuous"');
    expect(await formatReport('text', report, plainOptions)).toContain('∅ double-v1  vacuous       L2');
  });
});

it('is a success where the claims catch every wrong kernel', async () => {
  const report = await reportOf(['D(x)_i = 2·x_i']);
  expect(report.gate).toMatchObject({ passed: true });
  expect(report.contracts[0]).toMatchObject({ verdict: 'tested', level: 'L3', passes: true });
  expect(await formatReport('text', report, plainOptions)).toContain('✓ double-v1  tested        L3');
});

it('a contract below the level of the gate is not shown as passed', async () => {
  const report = await reportOf(['D(x) ≈ D_ref(x)', 'tolerance: { ulp: 0.5 }'], doublingKernel.text, 'L3', 100);
  expect(report.contracts[0]).toMatchObject({ verdict: 'tested', level: 'L2', passes: false });
  expect(await formatReport('text', report, plainOptions)).toContain('◐ double-v1  tested        L2');
  expect(await formatReport('html', report, plainOptions)).toContain('class="chip v-incomplete"');
});
