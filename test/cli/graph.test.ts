/** Holds src/api/graph.ts, src/api/unverified-report.ts, src/cli/commands/graph.ts, src/cli/flags.ts. */
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/api/exit-code.ts';
import { runPv } from '../support/memory-cli.ts';

const contract = (...dependsOn: readonly string[]) =>
  `metadata:\n  version: "1.0.0"\n  description: d\n  references: [a paper]\n  depends_on: ${JSON.stringify(dependsOn)}\nequations: {}\n`;

const files = {
  'c/softmax-kernel-v1.yaml': contract(),
  'c/attention-kernel-v1.yaml': contract('softmax-kernel-v1'),
  'c/gqa-kernel-v1.yaml': contract('attention-kernel-v1'),
};

describe('pv graph', () => {
  it('prints foundations first', async () => {
    const ran = await runPv(['graph', 'c'], { files });
    expect(ran.code).toBe(exitCodes.ok);
    expect(ran.stdout).toBe(
      'softmax-kernel-v1\nattention-kernel-v1 → softmax-kernel-v1\ngqa-kernel-v1 → attention-kernel-v1\n',
    );
  });

  it('prints what a change touches', async () => {
    const ran = await runPv(['graph', 'c', '--impact', 'attention-kernel-v1'], { files });
    expect(ran).toMatchObject({ code: exitCodes.ok, stdout: 'attention-kernel-v1\ngqa-kernel-v1\n' });
  });

  it('knows no contract that is not there', async () => {
    const ran = await runPv(['graph', 'c', '--impact', 'constructor'], { files });
    expect(ran).toMatchObject({ code: exitCodes.usage, stdout: '' });
    expect(ran.stderr).toContain("'constructor'");
  });

  it.each([
    ['mermaid', /^%% .*nothing was verified\nflowchart /],
    ['dot', /^(\/\/.*\n)*digraph /],
    ['json', /"schema": ?"pv\.report\/1"/],
  ])('draws it as %s', async (format, pattern) => {
    const ran = await runPv(['graph', 'c', '--format', format], { files });
    expect(ran.code).toBe(exitCodes.ok);
    expect(ran.stdout).toMatch(pattern);
    expect(ran.stdout).toContain('attention-kernel-v1');
    expect(ran.stdout).not.toContain('FAILED');
  });

  it('says that nothing is verified by reading, and how to verify it', async () => {
    const ran = await runPv(['graph', 'c', '--format', 'mermaid'], { files });
    expect(ran.stdout).toMatch(/^%% not verified yet: run pv audit · 3 contracts/);
    const { gate } = JSON.parse((await runPv(['graph', 'c', '--format', 'json'], { files })).stdout);
    expect(gate).toMatchObject({ judged: false, passed: false });
  });

  it('reports a dependency that was not read', async () => {
    const ran = await runPv(['graph', 'a.yaml'], { files: { 'a.yaml': contract('b-kernel-v1') } });
    expect(ran).toMatchObject({ code: exitCodes.findings, stdout: 'a → b-kernel-v1 (not read)\n' });
    expect(ran.stderr).toContain('a depends on b-kernel-v1');
  });

  it('reports a circle', async () => {
    const circle = { 'a.yaml': contract('b'), 'b.yaml': contract('a') };
    const ran = await runPv(['graph', '.'], { files: circle });
    expect(ran.code).toBe(exitCodes.findings);
    expect(ran.stderr).toContain('a → b → a');
  });

  it('draws what it could read, and exits with 2 when that is not all', async () => {
    const ran = await runPv(['graph', 'c', 'nowhere'], { files });
    expect(ran.code).toBe(exitCodes.usage);
    expect(ran.stdout).toContain('gqa-kernel-v1');
    expect(ran.stderr).toContain('PV-8001');
  });
});
