import { describe, expect, it } from 'vitest';
import { elaborateAll } from '../../src/audit/elaborate-all.ts';
import { kernelView } from '../../src/codegen/kernel-view.ts';
import { contractOf, subjectOf } from '../plan/projects.ts';

const text = `metadata: { version: "1.0.0", description: Scale }
equations:
  scale:
    formula: "S(x, a)_i = a·x_i"
    domain: "x ∈ F32^n, a ∈ F32, 1 ≤ n ≤ 16, |x_i| ≤ 100, |a| ≤ 1"
proof_obligations:
  - { id: SC-1, type: bound, property: Bounded, formal: "|S(x, a)_i| ≤ 100" }
`;
const elaborated = elaborateAll([contractOf('scale-v1', text)]);
const parameters = ['a', 'b', 'c', 'd'].map((name) => `${name}: number`).join(', ');

/** What a generated test calls the kernel's wrapper with, where the binding says how to call it. */
async function expressionFor(row: string): Promise<string> {
  const kernel = `export function kernel(this: any, x: number[], ${parameters}): number { return a * x[this.thread.x]; }`;
  const subject = await subjectOf(elaborated, { contract: 'scale-v1', equation: 'scale', text: kernel, row });
  const texts = { name: 'texts', module: 'kernels/texts' };
  return kernelView({ subject, key: 'scale', name: 'kernel', member: null, importPath: (path) => path, texts })
    .expression;
}

describe('an argument that a binding computes', () => {
  it('reads the values it is made of, and a constant reads none: compilers refuse unused parameters', async () => {
    const expression = await expressionFor('    arguments: [x, "2", a, "2*n + a", "-(1/2)"]\n');
    const order = /order: \[(.*)\]/u.exec(expression)?.[1];
    expect(order).toBe('0, () => 2, 1, (values) => ((2 * Number(values[2])) + Number(values[1])), () => (-(1 / 2))');
  });

  it('may be a constant of the shape too', async () => {
    const expression = await expressionFor('    arguments: [x, a, a, a, a]\n    output: ["4", n]\n');
    expect(expression).toContain('shape: [() => 4, (values) => Number(values[2])]');
  });
});
