/** Holds src/scan/gpu-kernels.ts. */
import { describe, expect, it } from 'vitest';
import { pointedAt } from '../../support/scan-code.ts';

const rule = 'pipeline-texture-reuse';
const kernel = 'const k = gpu.createKernel(f, { output: [4], pipeline: true });\n';

describe('pipeline-texture-reuse finds', () => {
  it.each([
    ['a result read after the next call', `${kernel}const a = k(x);\nconst b = k(y);\nuse(a);`, 'a'],
    [
      'a result read as numbers too late',
      `${kernel}function f() { const a = k(x); const b = k(y); return [a.toArray(), b.toArray()]; }`,
      'a',
    ],
    ['both results in one call', `${kernel}const a = k(x);\nconst b = k(y);\nadd(a, b);`, 'a'],
    ['a chain', 'const k = gpu.createKernel(f).setOutput([4]).setPipeline(true);\nconst a = k(x); k(y); use(a);', 'a'],
    ['a setting apart', 'const k = gpu.createKernel(f);\nk.setPipeline(true);\nconst a = k(x); k(y); use(a);', 'a'],
    [
      'a field',
      'class C { k = this.gpu.createKernel(f, { pipeline: true }); run() { const a = this.k(x); const b = this.k(y); return mix(a, b); } }',
      'a',
    ],
    [
      'textures collected in a loop',
      `${kernel}const all = [];\nfor (const x of xs) { const t = k(x); all.push(t); }`,
      't',
    ],
    ['textures collected by index', `${kernel}for (let i = 0; i < n; i++) all[i] = k(xs[i]);`, 'k(xs[i])'],
    ['textures of a map', `${kernel}const all = xs.map((x) => k(x));`, 'k(x)'],
    ['its own output as input', `${kernel}let s = k(x);\nfor (let i = 0; i < n; i++) { s = k(s); }`, 's'],
    [
      'the result of the turn before',
      `${kernel}let prev = null;\nfor (const x of xs) { const cur = k(x); if (prev) diff(prev, cur); prev = cur; }`,
      'prev',
    ],
    [
      'immutable switched off',
      'const k = gpu.createKernel(f, { pipeline: true, immutable: false });\nconst a = k(x); k(y); use(a);',
      'a',
    ],
    ['two results in one call', `${kernel}add(k(x), k(y));`, 'k(x)'],
    ['two results in a list', `${kernel}const both = [k(x), k(y)];`, 'k(x)'],
  ])('%s', async (_name, text, expected) => {
    expect((await pointedAt(rule, text))[0]).toBe(expected);
  });
});

describe('pipeline-texture-reuse leaves alone', () => {
  it.each([
    [
      'an immutable kernel',
      'const k = gpu.createKernel(f, { pipeline: true, immutable: true });\nconst a = k(x); k(y); use(a);',
    ],
    [
      'an immutable chain',
      'const k = gpu.createKernel(f).setPipeline(true).setImmutable(true);\nconst a = k(x); k(y); use(a);',
    ],
    ['no pipeline', 'const k = gpu.createKernel(f, { output: [4] });\nconst a = k(x); k(y); use(a);'],
    ['a clone', `${kernel}const a = k(x).clone();\nconst b = k(y);\nuse(a, b);`],
    ['numbers read in time', `${kernel}const a = k(x).toArray();\nconst b = k(y).toArray();\nuse(a, b);`],
    [
      'a result used before the next call',
      `${kernel}const a = k(x);\nconst n = a.toArray();\nconst b = k(y);\nuse(n, b);`,
    ],
    [
      'two kernels',
      `${kernel}const j = gpu.createKernel(f, { pipeline: true });\nconst a = k(x);\nconst b = j(a);\nuse(a, b);`,
    ],
    ['a variable given anew', `${kernel}let a = k(x);\nuse(a);\na = k(y);\nuse(a);`],
    ['two branches', `${kernel}function f(c) { let a; if (c) { a = k(x); } else { a = k(y); } return a; }`],
    ['numbers collected', `${kernel}for (const x of xs) { all.push(k(x).toArray()); }`],
    ['a release', `${kernel}const a = k(x);\nuse(a);\nconst b = k(y);\na.delete();\nuse(b);`],
    [
      'options from elsewhere',
      'const k = gpu.createKernel(f, { ...options, pipeline: true });\nconst a = k(x); k(y); use(a);',
    ],
    [
      'another function',
      `${kernel}function one() { const a = k(x); return a.toArray(); }\nfunction two() { return k(y).toArray(); }`,
    ],
    ['two results read at once', `${kernel}const both = [k(x).toArray(), k(y).toArray()];`],
  ])('%s', async (_name, text) => {
    expect(await pointedAt(rule, text)).toEqual([]);
  });
});
