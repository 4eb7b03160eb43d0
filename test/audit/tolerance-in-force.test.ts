import { describe, expect, it } from 'vitest';
import { toleranceInForce } from '../../src/audit/tolerance-in-force.ts';
import { invariant } from '../../src/base/invariant.ts';
import type { Receipt } from '../../src/evidence/receipt.ts';
import type { BackendId } from '../../src/subject/kernel.ts';
import { sampleInput, sampleReceipt } from '../evidence/sample-receipt.ts';
import { planOf } from '../plan/projects.ts';
import { doublingContract, doublingKernel } from './audited.ts';

/** The tolerance of a claim with `ulp 4`, and `rel 1e-6` on ref64, as a report of these backends and receipts shows it. */
async function shown(backends: readonly BackendId[], receipts: readonly Receipt[] = []): Promise<string> {
  const yaml = doublingContract([['D(x)_i ≈ 2·x_i', 'tolerance: { ulp: 4, backends: { ref64: { rel: 1.0e-6 } } }']]);
  const { contracts } = await planOf({ 'double-v1': yaml }, [doublingKernel], { backends });
  const planned = contracts[0]?.goals[0];
  invariant(planned, 'the contract has a claim');
  return toleranceInForce(planned.goal, planned.checks, receipts);
}

const on = (id: BackendId, more: Partial<Receipt> = {}): Receipt =>
  sampleReceipt({ backend: { id, device: 'cpu', arithmetic: id === 'ref64' ? 'f64' : 'f32' }, ...more });
const counterexample = { input: sampleInput, explanation: 'no', shrinks: 0, outputs: [] };

describe('the tolerance that a claim was held to', () => {
  it('is the one that all its backends share, once', async () => {
    expect(await shown(['ref32'])).toBe('ulp 4');
    expect(await shown(['ref32', 'gpujs-webasm'])).toBe('ulp 4');
    expect(await shown(['ref64'])).toBe('rel 1e-6');
  });

  it('names the backends where they differ', async () => {
    expect(await shown(['ref32', 'ref64'])).toBe('ulp 4 on ref32, rel 1e-6 on ref64');
  });

  it('is that of the run that broke it', async () => {
    expect(await shown(['ref32', 'ref64'], [on('ref32'), on('ref64', { counterexample })])).toBe('rel 1e-6');
    expect(await shown(['ref32', 'ref64'], [on('ref32', { counterexample }), on('ref64')])).toBe('ulp 4');
  });

  it('is not changed by the input of a wrong kernel, which breaks no claim', async () => {
    const wrong = on('ref64', { method: 'adequacy', counterexample });
    expect(await shown(['ref32', 'ref64'], [wrong])).toBe('ulp 4 on ref32, rel 1e-6 on ref64');
  });
});
