import { describe, expect, it } from 'vitest';
import { superseded } from '../../src/audit/superseded.ts';
import { sha256 } from '../../src/evidence/digest.ts';
import type { Receipt } from '../../src/evidence/receipt.ts';
import { doubling } from '../e2e/project.ts';
import { sampleReceipt } from '../evidence/sample-receipt.ts';
import { planOf, planOptions } from '../plan/projects.ts';

const { tool } = planOptions;
const text = 'export function kernel(this: any, x: number[]): number { return 2 * x[this.thread.x]; }';
const plan = await planOf({ 'c-v1': doubling }, [{ contract: 'c-v1', equation: 'double', text }]);
const present = plan.checks.map((check) =>
  sampleReceipt({ check: check.id, goal: check.goal, method: check.method, tool }),
);
const old = { ...tool, version: '0.9.0' };
const other = (name: string, changes: Partial<Receipt> = {}): Receipt =>
  sampleReceipt({ check: sha256(name), goal: 'c-v1/DB-EQV-001', tool, ...changes });

describe('receipts that a whole run supersedes', () => {
  it('are those of its contracts by another build of pv or node', () => {
    const [build, node] = [other('a', { tool: old }), other('b', { tool: { ...tool, node: '18.0.0' } })];
    const equation = other('c', { tool: old, goal: 'c-v1/double', method: 'adequacy' });
    const gone = [build, node, equation].map(({ check }) => check).toSorted();
    expect(superseded(plan, [...present, build, node, equation], tool)).toEqual(gone);
  });

  it('exclude those of other contracts and whatever those rest on', () => {
    const [below, deepest] = [
      other('below', { tool: old, restsOn: { x: sha256('deepest') } }),
      other('deepest', { tool: old }),
    ];
    const above = other('above', { tool: old, goal: 'd-v1/X', restsOn: { 'c-v1/DB-EQV-001': below.check } });
    expect(superseded(plan, [...present, above, below, deepest], tool)).toEqual([]);
    expect(superseded(plan, [...present, below, deepest], tool)).toHaveLength(2);
  });

  it('exclude those that an undone edit, another seed, another backend or a narrower run may need, up to a limit', () => {
    const seeds = Array.from({ length: 20 }, (_, i) => other(`seed ${i}`));
    const elsewhere = other('device', { backend: { id: 'webgl2', device: 'x', arithmetic: 'f32' } });
    const proof = other('proof', { method: 'bounded' });
    const all = [...present, ...seeds.slice(0, 16), elsewhere, proof];
    expect(superseded(plan, all, tool)).toEqual([]);
    const gone = superseded(plan, [...all, ...seeds.slice(16)], tool);
    expect(gone).toHaveLength(4);
    expect(gone.every((check) => seeds.some((seed) => seed.check === check))).toBe(true);
  });

  it('exclude those that rest on a removed receipt', () => {
    const above = other('above', { goal: 'd-v1/X', restsOn: { 'c-v1/DB-EQV-001': sha256('gone') } });
    expect(superseded(plan, [...present, above], tool)).toEqual([]);
  });
});
