/** A kernel is a float32 program: what holds of it in float64 is a control, and makes no claim green. */
import { describe, expect, it } from 'vitest';
import { arithmeticOf, backendIds, isControlBackend } from '../../src/subject/kernel.ts';
import { audited } from './audited.ts';

const contract = `metadata: { version: "1.0.0", description: Softmax, references: [a] }
equations:
  softmax:
    formula: "σ(x)_i = exp(x_i - max(x)) / Σ_j exp(x_j - max(x))"
    domain: "x ∈ F32^n, 1 ≤ n ≤ 16, |x_i| ≤ 300"
proof_obligations:
  - { id: C, type: invariant, property: Sums to one, formal: "|Σ_i σ(x)_i - 1| ≤ ε", tolerance: { abs: 1e-5 }, applies_to: softmax }
`;
/** exp(300) overflows in float32 and not in float64. */
const naive = `export function kernel(this: any, x: readonly number[], n: number): number {
  let sum = 0;
  for (let j = 0; j < n; j++) sum += Math.exp(x[j]);
  return Math.exp(x[this.thread.x]) / sum;
}`;
const stable = `export function kernel(this: any, x: readonly number[], n: number): number {
  let top = x[0];
  for (let j = 1; j < n; j++) top = Math.max(top, x[j]);
  let sum = 0;
  for (let j = 0; j < n; j++) sum += Math.exp(x[j] - top);
  return Math.exp(x[this.thread.x] - top) / sum;
}`;

async function claimOn(text: string, backends: string) {
  const row = `    backends: [${backends}]\n`;
  const { claims } = await audited('s-v1', contract, [{ contract: 's-v1', equation: 'softmax', text, row }], 100);
  return claims[0];
}

describe('a claim about a kernel', () => {
  it.each(['ref64', 'gpujs-cpu', 'ref64, gpujs-cpu'])('is not green on %s alone', async (backends) => {
    for (const kernel of [naive, stable])
      expect(await claimOn(kernel, backends)).toMatchObject({
        verdict: 'undetermined',
        level: 'L1',
        reason: expect.stringContaining(`it ran in float64 alone (${backends})`),
      });
  });

  it('is falsified where a float32 backend runs beside the control', async () => {
    expect(await claimOn(naive, 'gpujs-cpu, ref32')).toMatchObject({ verdict: 'falsified' });
  });

  it.each(['ref32', 'gpujs-webasm', 'ref64, ref32', 'gpujs-webasm, gpujs-cpu'])('is green on %s', async (backends) => {
    expect(await claimOn(stable, backends)).toMatchObject({ verdict: 'tested' });
  });
});

it('is said of every backend once: float64 is a control, but for a function of the user', () => {
  expect(backendIds.filter((id) => arithmeticOf[id] === 'f64')).toEqual(['ref64', 'gpujs-cpu', 'function']);
  expect(backendIds.filter(isControlBackend)).toEqual(['ref64', 'gpujs-cpu']);
});
