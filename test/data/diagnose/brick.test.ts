import { describe, expect, it } from 'vitest';
import { config, log } from '../judge/data-sets.ts';
import { diagnosed } from './contracts.ts';

const contract = (diagnosis: string, formal = 'x_i ≤ 1') => ({
  'brick-v1': `data: { kind: log, domain: "x ∈ F64_ext^N" }
proof_obligations:
  - { id: X, type: bound, property: x is small, formal: "${formal}", diagnosis: { ${diagnosis} } }`,
});

async function brickOf(diagnosis: string, columns: Parameters<typeof log>[0]) {
  const { firstSymptom } = await diagnosed(contract(diagnosis), [log(columns)]);
  return firstSymptom?.brick;
}

describe('the brick of a violation', () => {
  it('is local when one block fails and others succeed at that step', async () => {
    // At step 1 one of two fails; that both fail later says nothing of where it began.
    const columns = { step: [0, 0, 1, 1, 2, 2], x: [0, 0, 0, 9, 9, 9] };
    expect(await brickOf('granularity: block', columns)).toEqual({
      granularity: 'block',
      scope: 'local',
      because: '1 of 2 blocks of step 1 fails',
      nature: 'dynamic',
    });
  });

  it('is global when all fail, whatever the contract says', async () => {
    const found = await brickOf('granularity: kernel, scope: local, nature: static', { x: [9, 9, 9] });
    expect(found).toMatchObject({ scope: 'global', because: '3 of 3 kernels fail', nature: 'static' });
  });

  it('is unknown when only one brick was looked at, unless the contract says', async () => {
    expect(await brickOf('granularity: transfer', { x: [9] })).toMatchObject({ scope: null });
    expect(await brickOf('granularity: transfer, scope: local', { x: [9] })).toMatchObject({ scope: 'local' });
  });

  it('is the loop, and global, where neither contract nor tables say more', async () => {
    expect(await brickOf('caused_by: []', { step: [0, 1], x: [0, 9] })).toMatchObject({
      granularity: 'loop',
      scope: 'global',
      nature: 'dynamic',
    });
  });

  it('is told by the table of a profile that the claim reads', async () => {
    const sections = `data: { kind: trace, domain: "wait ∈ F64^C", inputs: { wait: { from: transfers.wait } } }
proof_obligations:
  - { id: W, type: bound, property: no wait, formal: "wait_c = 0" }`;
    const { bricks } = await diagnosed({ 'trace-v1': sections }, [config({ seed: 1 })]);
    expect(bricks.find(({ granularity }) => granularity === 'transfer')).toMatchObject({ declared: 1, evaluated: 0 });
  });
});

describe('the step of a violation', () => {
  it('is that of the first row that fails, and the claim may look ahead from there', async () => {
    const sections = `data: { kind: log, domain: "step ∈ F64^T, loss ∈ F64_ext^T", inputs: { step: { from: step } } }
proof_obligations:
  - { id: R, type: bound, property: no rise, formal: "∀ t ∈ [0, T-2): loss_{t+2} ≤ loss_t" }`;
    const { firstSymptom } = await diagnosed({ 'rise-v1': sections }, [
      log({ step: [0, 10, 20, 30, 40], loss: [5, 4, 3, 2, 9] }),
    ]);
    expect(firstSymptom?.onset).toEqual({ when: 'step', step: 20, seenBy: 40 });
  });

  it('skips rows that the claim says nothing of, and rows without a value', async () => {
    const sections = `data: { kind: log, domain: "step ∈ F64^T, x ∈ F64_ext^T" }
proof_obligations:
  - { id: P, type: bound, property: late x is small, formal: "step_t ≥ 10 ⟹ x_t ≤ 1" }`;
    const { firstSymptom } = await diagnosed({ 'late-v1': sections }, [
      log({ step: [0, 10, 20, 30], x: [9, null, 0, 9] }),
    ]);
    expect(firstSymptom?.onset.step).toBe(30);
    expect(firstSymptom?.places).toMatchObject([{ at: 4 }]);
  });
});
