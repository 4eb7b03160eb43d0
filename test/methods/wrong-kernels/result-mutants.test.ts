import { describe, expect, it } from 'vitest';
import { resultMutants } from '../../../src/methods/wrong-kernels/result-mutants.ts';
import { kernelFromText } from '../../support/kernels.ts';

const kernelOf = (body: string) =>
  kernelFromText(`export function kernel(this: any, x: readonly number[]): number { ${body} }`);

describe('the mutants of a result', () => {
  it('change every return alike, wherever it is', async () => {
    const program = await kernelOf(
      'const v = x[this.thread.x]!; if (v > 0) { return v; } else { for (let i = 0; i < 2; i++) { return v - 1; } } return 2;',
    );
    const mutants = resultMutants(program);
    expect(mutants.map(({ id }) => id)).toEqual([
      'kernel: result → -result',
      'kernel: result → 0',
      'kernel: result → result + 1',
    ]);
    const [negated, none] = mutants.map(({ program: { source } }) => source);
    expect(negated).toMatch(/return -v;[^]*return -\(v - 1\);[^]*return -2;/);
    expect(none?.match(/return 0;/g)).toHaveLength(3);
  });

  it('leave out what changes nothing', async () => {
    const ids = resultMutants(await kernelOf('return 0;')).map(({ id }) => id);
    expect(ids).not.toContain('kernel: result → 0');
  });
});
