/** A kernel that rounds halves up and an equation that takes them to the even number are told apart. */
import { expect, it } from 'vitest';
import { halfRounding } from '../../src/audit/half-rounding.ts';
import { elaborateEquationFromText } from '../../src/contract/elaborate/equations/from-text.ts';
import type { BoundSubject } from '../../src/subject/bound-subject.ts';
import { kernelFromText } from '../support/kernels.ts';

async function found(formula: string, expression: string): Promise<readonly string[]> {
  const { model } = elaborateEquationFromText({ formula, domain: 'x ∈ F32^n, 1 ≤ n ≤ 16, |x_i| ≤ 100' });
  const text = `export function kernel(this: any, x: number[]): number { return ${expression}; }`;
  const row = { span: { source: { path: 'binding.yaml', text: '' }, range: { start: 0, end: 0 } } };
  const subject = { equation: 'q', name: 'kernel', model, program: await kernelFromText(text), row };
  // Of the row its place alone is read.
  return halfRounding([subject as unknown as BoundSubject]).map(({ code }) => code);
}

it.each([
  ['Q(x)_i = round(x_i)', 'Math.round(x[this.thread.x])', ['PV-5047']],
  ['Q(x)_i = round(x_i / 0.1) · 0.1', 'Math.round(x[this.thread.x] / 0.1) * 0.1', ['PV-5047']],
  ['Q(x)_i = ⌊x_i + 1/2⌋', 'Math.round(x[this.thread.x])', []],
  ['Q(x)_i = ⌊x_i + 1/2⌋', 'Math.floor(x[this.thread.x] + 0.5)', []],
  ['Q(x)_i = round(x_i)', 'Math.floor(x[this.thread.x])', []],
])('%s, %s: %j', async (formula, expression, codes) => {
  expect(await found(formula, expression)).toEqual(codes);
});
