/**
 * Wrong kernels, soundness and hollow tolerances are judged by every tolerance that a verdict rests on, not by one of them.
 *
 * Holds src/math/size-tolerances.ts.
 */
import { describe, expect, it } from 'vitest';
import type { ContractReport } from '../../src/report/report.ts';
import { audited, doublingContract, doublingKernel } from './audited.ts';

const threefold = doublingKernel.text.replace('2 *', '3 *');
const equal = 'D(x)_i ≈ 2·x_i';

interface Case {
  readonly tolerance: string;
  readonly backends?: string;
  readonly kernel?: string;
  /** Further lines of the contract. */
  readonly more?: string;
}

function contractWith({ tolerance, backends = 'gpujs-webasm', kernel, more = '' }: Case): Promise<ContractReport> {
  const row = `    backends: [${backends}]\n`;
  const text = kernel ?? doublingKernel.text;
  const yaml = `${doublingContract([[equal, `tolerance: ${tolerance}`]])}${more}`;
  return audited('double-v1', yaml, [{ ...doublingKernel, text, row }], 100);
}

describe('a tolerance that accepts anything on the backend that decides', () => {
  it.each([
    ['abs 1e30', '{ ulp: 1, backends: { gpujs-webasm: { abs: 1e30 } } }', 'gpujs-webasm'],
    [
      'abs 1e30 beside a strict backend',
      '{ ulp: 1, backends: { gpujs-webasm: { abs: 1e30 } } }',
      'ref32, gpujs-webasm',
    ],
    ['abs 1e30 for all but the reference', '{ abs: 1e30, backends: { ref32: { ulp: 1 } } }', 'gpujs-webasm'],
    ['abs 1e30 per n', '{ ulp: 1, backends: { gpujs-webasm: { abs: 1e30, per: n } } }', 'gpujs-webasm'],
    ['abs 1e30 on the reference', '{ ulp: 1, backends: { ref32: { abs: 1e30 } } }', 'gpujs-webasm, ref32'],
    ['rel 1', '{ ulp: 1, backends: { gpujs-webasm: { rel: 1 } } }', 'gpujs-webasm'],
    ['ulp 2^24', '{ abs: 0, backends: { gpujs-webasm: { ulp: 16777216 } } }', 'gpujs-webasm'],
    ['cond 2^24', '{ abs: 0, backends: { gpujs-webasm: { cond: 16777216 } } }', 'gpujs-webasm'],
  ])('is vacuous: %s', async (_, tolerance, backends) => {
    const { claims, adequacy } = await contractWith({ tolerance, backends });
    expect(claims[0]?.verdict).toBe('vacuous');
    if (tolerance.includes('1e30')) expect(adequacy?.killed).toBeLessThan((adequacy?.total ?? 0) / 2);
  });

  it('passes no wrong kernel either', async () => {
    const tolerance = '{ ulp: 1, backends: { gpujs-webasm: { abs: 1e30 } } }';
    expect((await contractWith({ tolerance, kernel: threefold })).claims[0]?.verdict).toBe('vacuous');
  });

  it('is vacuous where a bounded proof alone is held to it', async () => {
    const more = 'kani_harnesses:\n  - { id: K, obligation: C0, bound: 2 }\n';
    const tolerance = '{ ulp: 1, backends: { ref32: { abs: 1e30 } } }';
    expect((await contractWith({ tolerance, more })).claims[0]?.verdict).toBe('vacuous');
    expect((await contractWith({ tolerance: '{ ulp: 1 }', more })).claims[0]?.verdict).not.toBe('vacuous');
  });

  it('says on which backend', async () => {
    const { claims } = await contractWith({ tolerance: '{ ulp: 1, backends: { gpujs-webasm: { rel: 2 } } }' });
    expect(claims[0]?.reason).toBe('its tolerance on gpujs-webasm (rel 2) accepts 0 in place of any value');
  });
});

describe('tolerances that differ from backend to backend', () => {
  it.each([
    ['one that is not in force', '{ ulp: 1, backends: { ref32: { abs: 1e30 } } }', 'gpujs-webasm'],
    ['the loose one on a backend that does not run', '{ ulp: 1, backends: { gpu: { abs: 1e30 } } }', 'ref32'],
    ['both strict', '{ ulp: 1, backends: { gpujs-webasm: { abs: 1e-4 } } }', 'gpujs-webasm, ref32'],
    [
      'a control that asks for more than float32 gives',
      '{ ulp: 1, backends: { ref64: { rel: 1e-15 } } }',
      'ref64, ref32',
    ],
  ])('are green: %s', async (_, tolerance, backends) => {
    const { claims, adequacy, sound } = await contractWith({ tolerance, backends });
    expect(claims[0]).toMatchObject({ verdict: 'tested' });
    expect(adequacy).toMatchObject({ survivors: [] });
    expect(sound).toBe(true);
  });

  it('are unsound where one that is in force requires more than float32 gives', async () => {
    const claims = doublingContract([
      ['D(x)_i ≈ 2·x_i / 3 · 3', 'tolerance: { ulp: 4, backends: { gpujs-webasm: { abs: 0 } } }'],
    ]);
    const yaml = claims.replace('"D(x)_i = 2·x_i"', '"D(x)_i = 2·x_i / 3 · 3"');
    const text = doublingKernel.text.replace('2 * x[this.thread.x]', '2 * x[this.thread.x] / 3 * 3');
    const on = (backends: string) =>
      audited('double-v1', yaml, [{ ...doublingKernel, text, row: `    backends: [${backends}]\n` }], 100);
    expect((await on('ref32')).sound).toBe(true);
    expect((await on('ref32, gpujs-webasm')).sound).toBe(false);
  });
});
