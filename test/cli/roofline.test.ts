/**
 * Holds src/cli/commands/roofline.ts, src/cli/roofline/devices.ts, src/cli/roofline/roofline-text.ts,
 * src/cli/roofline/run-roofline.ts.
 */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/api/exit-code.ts';
import { runPv } from '../support/memory-cli.ts';

const contract = (name: string): Promise<string> =>
  readFile(new URL(`../../contracts/${name}-kernel-v1.yaml`, import.meta.url), 'utf8');
const files = {
  'matmul.yaml': await contract('matmul'),
  'gqa.yaml': await contract('gqa'),
  'prose.yaml':
    'metadata: { version: "1.0.0", description: d, references: [r] }\nequations:\n  f: { formula: "as fast as can be" }\n',
};
const pv = (...args: readonly string[]): ReturnType<typeof runPv> => runPv(['roofline', ...args], { files });

describe('pv roofline', () => {
  it('derives formulas, and numbers at sizes', async () => {
    const { stdout, code } = await pv('matmul.yaml', '--set', 'm=4096,k=4096,n=4096', '--device', 'h100');
    expect(code).toBe(exitCodes.ok);
    expect(stdout).toContain('FLOPs: 2·k·m·n\n');
    expect(stdout).toContain('bytes: 4·k·m + 4·k·n + 4·m·n (read 4·k·m + 4·k·n, written 4·m·n)');
    expect(stdout).toContain('at m = 4096, k = 4096, n = 4096: 137.4 GFLOP, 201.3 MB, 682.7 FLOP/B');
    expect(stdout).toContain('limited by computing: at most 67 TFLOP/s, at least 2.051 ms');
  });

  it('marks the sizes that were not set, and computes those that others define', async () => {
    const { stdout } = await pv('gqa.yaml', '--set', 'g=2,q=4,n=1');
    expect(stdout).toContain('at g = 2, q = 4, h = 8, n = 1, d = 6*, s = 8*:');
    expect(stdout).toContain('* not set: the largest of the domain');
  });

  it('writes JSON under peaks of the caller', async () => {
    const { stdout } = await pv(
      'matmul.yaml',
      '--device-peak',
      '1e12,1e11',
      '--format',
      'json',
      '--set',
      'm=10,k=10,n=10',
    );
    expect(JSON.parse(stdout)).toMatchObject({
      schema: 'pv.roofline/1',
      device: { flops: 1e12, bandwidth: 1e11 },
      equations: [
        {
          contract: 'matmul',
          equation: 'matmul',
          operations: { add: 'k·m·n', multiply: 'k·m·n' },
          flops: { formula: '2·k·m·n', value: 2000 },
          bytes: { value: 1200 },
          ceiling: { limitedBy: 'memory', ridge: 10 },
        },
      ],
    });
  });

  it('says what is not executable, and fails', async () => {
    const { code, stderr } = await pv('prose.yaml');
    expect(code).toBe(exitCodes.findings);
    expect(stderr).toContain('prose/f is not executable');
  });

  it.each([
    ['a path that is missing', ['nowhere.yaml']],
    ['a size that no equation has', ['matmul.yaml', '--set', 'z=3']],
    ['a size that is not a number', ['matmul.yaml', '--set', 'm=many']],
    ['a size of 0', ['matmul.yaml', '--set', 'm=0']],
    ['half a peak', ['matmul.yaml', '--device-peak', '1e12']],
    ['a peak of 0', ['matmul.yaml', '--device-peak', '0,1']],
    ['an unknown device', ['matmul.yaml', '--device', 'abacus']],
  ])('exits with 2 for %s', async (_name, args) => {
    const { code, stderr } = await pv(...args);
    expect(code).toBe(exitCodes.usage);
    expect(stderr).not.toBe('');
  });
});
