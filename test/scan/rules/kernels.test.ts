/**
 * The rules about kernels: three findings and more, and look-alikes, of each.
 *
 * Holds src/scan/kernels/kernels-in.ts, src/scan/kernels/signs.ts, src/scan/rules/kernel-compensation.ts,
 * src/scan/rules/kernel-form.ts, src/scan/rules/kernel-index-range.ts, src/scan/rules/kernel-infinite-literal.ts,
 * src/scan/rules/kernel-input-write.ts, src/scan/rules/kernel-loop-limit.ts, src/scan/rules/kernel-nan-test.ts,
 * src/scan/rules/kernel-negative-power.ts, src/scan/rules/kernel-outside-names.ts, src/scan/rules/kernel-settings.ts,
 * src/scan/rules/kernel-unclamped-tanh.ts, src/scan/rules/kernel-unguarded-log.ts,
 * src/scan/rules/kernel-unshifted-exp.ts.
 */
import { describe, expect, it } from 'vitest';
import type { RuleName } from '../../../src/scan/rules.ts';
import { applyEdits } from '../../../src/scan/edits.ts';
import { pointedAt, scanCode } from '../../support/scan-code.ts';

/** A kernel of vectors x and y, a matrix A and scalars n and s. */
const kernel = (body: string, parameters = 'x, y, A, n, s'): string =>
  `function k(this: KernelThread, ${parameters}) { const i = this.thread.x; ${body} return x[i] + y[i] + A[0][0] + n + s; }`;
const created = (body: string, options = ''): string =>
  `const k = gpu.createKernel(function (x, n) { ${body} return x[this.thread.x] * n; }${options});`;

const found: readonly (readonly [RuleName, string, string])[] = [
  ['kernel-outside-names', `const C = 2; ${kernel('const a = C * x[i];')}`, 'C'],
  ['kernel-outside-names', `import { f } from './f.ts'; ${kernel('const a = f(x[i]);')}`, 'f'],
  ['kernel-outside-names', `const C = 2; ${created('const a = C;')}`, 'C'],
  ['kernel-outside-names', `const C = 2; const f = function (x) { return x[0] * C; }; gpu.createKernel(f);`, 'C'],
  ['kernel-form', 'gpu.createKernel((x) => x[0]);', '(x) => x[0]'],
  ['kernel-form', kernel('function g() { return 1; }'), 'function g() { return 1; }'],
  ['kernel-form', kernel('let j = 0; const a = x[j++];'), 'j++'],
  ['kernel-form', kernel('const a = n << 2;'), 'n << 2'],
  ['kernel-form', kernel('for (const a of x) { }'), 'for (const a of x) { }'],
  ['kernel-form', kernel('const a = x.length;'), 'x.length'],
  ['kernel-form', kernel('const a = Math.hypot(n, s);'), 'Math.hypot'],
  ['kernel-form', 'gpu.createKernel(function (x, n = 3) { return x[n]; });', 'n = 3'],
  ['kernel-loop-limit', created('let a = 0; for (let j = 0; j < n; j++) { a += x[j]; }'), 'j < n'],
  ['kernel-loop-limit', created('let a = 0; while (a < n) { a += 1; }', ', { output: [4] }'), 'a < n'],
  [
    'kernel-loop-limit',
    created('let a = 0; for (let j = n; j > 0; j--) { a += 1; }').replace('j = n; j > 0', 'j = 0; n > j'),
    'n > j',
  ],
  ['kernel-nan-test', kernel('const a = x[i] !== x[i] ? 0 : 1;'), 'x[i] !== x[i]'],
  ['kernel-nan-test', kernel('const a = isNaN(x[i]) ? 0 : 1;'), 'isNaN(x[i])'],
  ['kernel-nan-test', kernel('if (Number.isNaN(n)) { return 0; }'), 'Number.isNaN(n)'],
  ['kernel-negative-power', kernel('const a = Math.pow(x[i], 3);'), 'Math.pow(x[i], 3)'],
  ['kernel-negative-power', kernel('const a = x[i] ** 2;'), 'x[i] ** 2'],
  ['kernel-negative-power', kernel('const z = x[i] - 1; const a = Math.pow(z, 1.5);'), 'Math.pow(z, 1.5)'],
  ['kernel-unclamped-tanh', kernel('const a = Math.tanh(x[i]);'), 'Math.tanh(x[i])'],
  ['kernel-unclamped-tanh', kernel('const a = Math.tanh(Math.min(20, x[i]));'), 'Math.tanh(Math.min(20, x[i]))'],
  ['kernel-unclamped-tanh', kernel('const a = x[i] > 0 ? Math.tanh(x[i]) : 0;'), 'Math.tanh(x[i])'],
  ['kernel-unguarded-log', kernel('const a = Math.log(x[i]);'), 'Math.log(x[i])'],
  ['kernel-unguarded-log', kernel('const a = Math.log(Math.abs(x[i]));'), 'Math.log(Math.abs(x[i]))'],
  [
    'kernel-unguarded-log',
    kernel('let t = 0; for (let j = 0; j < n; j++) { t += x[j]; } const a = Math.log(t);'),
    'Math.log(t)',
  ],
  ['kernel-input-write', kernel('x[i] = 0;'), 'x[i]'],
  ['kernel-input-write', kernel('n = n + 1;'), 'n'],
  ['kernel-input-write', kernel('A[0][i] += 1;'), 'A[0][i]'],
  ['kernel-index-range', kernel('const a = x[-1];'), 'x[-1]'],
  ['kernel-index-range', kernel('const a = x[0.5];'), 'x[0.5]'],
  ['kernel-index-range', kernel('const a = x[this.thread.x + 1];'), 'x[this.thread.x + 1]'],
  ['kernel-index-range', kernel('let a = 0; for (let j = 0; j <= n; j++) { a += x[j]; }'), 'x[j]'],
  ['kernel-settings', created('', ", { precision: 'unsigned' }"), "precision: 'unsigned'"],
  ['kernel-settings', "const gpu = new GPU({ mode: 'dev' });", "mode: 'dev'"],
  [
    'kernel-settings',
    'gpu.createKernelMap({ a: function f(x) { return x; } }, function (x) { return x[0]; });',
    'gpu.createKernelMap',
  ],
  ['kernel-settings', created('', ', { constants: { mask: -Infinity } }'), 'mask: -Infinity'],
  ['kernel-infinite-literal', kernel('const a = -1 / 0;'), '-1 / 0'],
  ['kernel-infinite-literal', kernel('let a = 1/0;'), '1/0'],
  ['kernel-infinite-literal', kernel('const a = x[i] / 0;'), 'x[i] / 0'],
  ['kernel-compensation', kernel('const t = n + s; const lost = t - n - s;'), 't - n'],
  ['kernel-compensation', kernel('const lost = (n + s) - s;'), '(n + s) - s'],
  ['kernel-compensation', kernel('const t = x[i] + s; const lost = s - (t - x[i]);'), 't - x[i]'],
  ['kernel-unshifted-exp', kernel('let t = 0; t += Math.exp(x[i]);'), 'Math.exp(x[i])'],
  ['kernel-unshifted-exp', kernel('let t = 0; t += x[i] * Math.exp(x[i] / s);'), 'Math.exp(x[i] / s)'],
  ['kernel-unshifted-exp', kernel('const z = x[i] * 2; let t = 0; t += Math.exp(z);'), 'Math.exp(z)'],
];

describe('found', () => {
  it.each(found)('%s: %s', async (rule, text, expected) => {
    expect(await pointedAt(rule, text)).toContain(expected);
  });
});

const alone: readonly (readonly [RuleName, string])[] = [
  ['kernel-outside-names', kernel('const a = Math.max(n, this.constants.c);')],
  ['kernel-outside-names', 'function f(x: number) { return x * C; } const C = 2;'],
  ['kernel-outside-names', `gpu.addFunction(f); ${kernel('const a = f(x[i]);')}`],
  ['kernel-outside-names', kernel('const a: Scalar = x[i];')],
  ['kernel-form', kernel('for (let j = 0; j < n; j++) { if (x[j] > 0) { break; } }')],
  ['kernel-form', kernel('let j = 0; j++; --j;')],
  ['kernel-form', 'const f = (x: number) => x ?? 3;'],
  ['kernel-loop-limit', created('let a = 0; for (let j = 0; j < n; j++) { a += 1; }', ', { loopMaxIterations: 9 }')],
  ['kernel-loop-limit', created('let a = 0; for (let j = 0; j < n; j++) { a += 1; }', ', options')],
  ['kernel-loop-limit', created('let a = 0; for (let j = 0; j < 64; j++) { a += 1; }')],
  ['kernel-loop-limit', kernel('for (let j = 0; j < n; j++) { }')],
  ['kernel-nan-test', kernel('const a = x[i] !== y[i] ? 0 : 1;')],
  ['kernel-nan-test', 'function f(x: number) { return x !== x; }'],
  ['kernel-negative-power', kernel('const a = Math.pow(s, n);')],
  ['kernel-negative-power', kernel('const a = Math.pow(Math.abs(x[i]), 1.5);')],
  ['kernel-negative-power', kernel('const a = x[i] > 0 ? Math.pow(x[i], 0.5) : 0;')],
  ['kernel-negative-power', kernel('const z = x[i] * x[i]; const a = z ** 1.5;')],
  ['kernel-negative-power', kernel('const a = Math.pow(2, x[i]);')],
  ['kernel-unclamped-tanh', kernel('const a = Math.tanh(Math.max(-15, Math.min(15, x[i])));')],
  ['kernel-unclamped-tanh', kernel('const a = x[i] > 20 ? 1 : x[i] < -20 ? -1 : Math.tanh(x[i]);')],
  ['kernel-unclamped-tanh', kernel('const z = Math.min(9, Math.max(-9, x[i])); const a = Math.tanh(z);')],
  ['kernel-unguarded-log', kernel('const a = Math.log(1 + Math.exp(x[i]));')],
  [
    'kernel-unguarded-log',
    kernel('let t = 0; for (let j = 0; j < n; j++) { t += Math.exp(x[j]); } const a = Math.log(t);'),
  ],
  ['kernel-unguarded-log', kernel('const a = Math.log(Math.max(1e-30, x[i]));')],
  ['kernel-unguarded-log', kernel('if (x[i] > 0 && n > 1) { return Math.log(x[i]); }')],
  ['kernel-unguarded-log', kernel('const a = Math.log(x[i] * x[i] + 1);')],
  ['kernel-input-write', kernel('let a = x[i]; a += 1; a++;')],
  ['kernel-index-range', kernel('const a = i > 0 ? x[this.thread.x - 1] : 0;')],
  ['kernel-index-range', kernel('if (this.thread.x === 0) { return 0; } const a = x[this.thread.x - 1];')],
  ['kernel-index-range', kernel('let a = 0; for (let j = 0; j < n; j++) { a += x[j]; }')],
  ['kernel-index-range', kernel('let a = 0; for (let j = 0; j <= this.thread.y; j++) { a += x[j]; }')],
  ['kernel-settings', created('', ", { precision: 'single', constants: { mask: -1e30 } }")],
  ['kernel-settings', "const gpu = new GPU({ mode: 'webasm' });"],
  ['kernel-infinite-literal', kernel('let a = -Infinity; const b = 1 / n;')],
  ['kernel-compensation', kernel('const t = n + s; const a = t - i;')],
  ['kernel-compensation', kernel('const a = n - s;')],
  ['kernel-unshifted-exp', kernel('let t = 0; t += Math.exp(x[i] - s);')],
  ['kernel-unshifted-exp', kernel('const a = Math.exp(x[i]);')],
  ['kernel-unshifted-exp', kernel('let t = 0; t += Math.exp(-Math.abs(x[i]));')],
  ['kernel-unshifted-exp', kernel('const z = x[i] - s; let t = 0; t += Math.exp(z);')],
];

describe('left alone', () => {
  it.each(alone)('%s: %s', async (rule, text) => {
    expect(await pointedAt(rule, text)).toEqual([]);
  });
});

describe('fixes', () => {
  it.each<readonly [RuleName, string, string]>([
    ['kernel-negative-power', 'Math.pow(x[i], 3)', '(x[i] * x[i] * x[i])'],
    ['kernel-unclamped-tanh', 'Math.tanh(x[i])', 'Math.tanh(Math.max(-20, Math.min(20, x[i])))'],
    ['kernel-infinite-literal', '-1 / 0', '-Infinity'],
  ])('%s: %s', async (rule, wrong, right) => {
    const text = kernel(`const a = ${wrong};`);
    const { findings } = await scanCode({ 'a.ts': text }, { rules: [rule] });
    const mended = applyEdits(text, findings[0]?.fix ?? []);
    expect(mended).toBe(kernel(`const a = ${right};`));
    expect(await pointedAt(rule, mended)).toEqual([]);
  });

  it('are not offered where more would change', async () => {
    const { findings } = await scanCode(
      { 'a.ts': kernel('const a = Math.pow(x[i] - n, 3) + Math.pow(x[i], 2.5);') },
      { rules: ['kernel-negative-power'] },
    );
    expect(findings.map(({ fix }) => fix)).toEqual([null, null]);
  });
});
