import { describe, expect, it } from 'vitest';
import { pointedAt, scanCode } from '../../support/scan-code.ts';

const rule = 'unshifted-softmax';

const found: readonly (readonly [string, string, string])[] = [
  [
    'map and reduce',
    'function f(x) { const es = x.map((v) => Math.exp(v)); const s = es.reduce((a, b) => a + b, 0); return es.map((e) => e / s); }',
    'Math.exp(v)',
  ],
  [
    'loops over arrays',
    'function f(x, y) { let s = 0; for (let i = 0; i < x.length; i++) { y[i] = Math.exp(x[i]); s += y[i]; } for (let i = 0; i < x.length; i++) y[i] /= s; }',
    'Math.exp(x[i])',
  ],
  [
    'exponentials that are computed twice',
    'const softmax = (x) => { let s = 0; const y = []; for (const v of x) s += Math.exp(v); for (const v of x) y.push(Math.exp(v) / s); return y; };',
    'Math.exp(v)',
  ],
  [
    'a temperature',
    'function sample(logits, t) { const w = logits.map((l) => Math.exp(l / t)); const total = w.reduce((a, b) => a + b); return w.map((v) => v / total); }',
    'Math.exp(l / t)',
  ],
  [
    'a method whose exponentials have names and fields',
    'class A { forward(v) { let s = 0; for (let i = 0; i < v.length; i++) { const e = Math.exp(v[i]); s += e; this.es[i] = e; } for (let i = 0; i < v.length; i++) this.out[i] = this.es[i] / s; } }',
    'Math.exp(v[i])',
  ],
  [
    'scores through a name',
    'function attend(q, k) { const es = []; let s = 0; for (let j = 0; j < k.length; j++) { const score = dot(q, k[j]) * scale; es.push(Math.exp(score)); s += es[j]; } return es.map((e) => e / s); }',
    'Math.exp(score)',
  ],
  [
    'exp that is taken from Math',
    'const { exp } = Math; function f(x) { let s = 0; for (const v of x) s = s + exp(v); return x.map((v) => exp(v) / s); }',
    'exp(v)',
  ],
  [
    'log-sum-exp',
    'function lse(x) { let s = 0; for (const v of x) s += Math.exp(v); return Math.log(s); }',
    'Math.exp(v)',
  ],
  [
    'exp that is handed to map',
    'function f(x) { const es = x.map(Math.exp); const s = es.reduce((a, b) => a + b); return es.map((e) => e / s); }',
    'x.map(Math.exp)',
  ],
  [
    'exp that is handed to from',
    'function f(x) { const es = Float32Array.from(x, Math.exp); const s = sum(es); return es.map((e) => e / s); }',
    'Float32Array.from(x, Math.exp)',
  ],
  [
    'a logarithm of a product with an exponential',
    'const logDensity = (d, c1, c2) => Math.log(c1 * Math.exp((d * d) / c2));',
    'Math.log(c1 * Math.exp((d * d) / c2))',
  ],
  ['log-sum-exp at once', 'const lse = (x) => Math.log(x.reduce((a, b) => a + Math.exp(b), 0));', 'Math.exp(b)'],
];

const alone: readonly (readonly [string, string])[] = [
  [
    'a shift before exp is handed to map',
    'function f(x, top) { const es = x.map((v) => v - top).map(Math.exp); const s = es.reduce((a, b) => a + b); return es.map((e) => e / s); }',
  ],
  ['exponentials of a list alone', 'const f = (x) => x.map(Math.exp);'],
  ['a logarithm of a sum with one', 'const softplus = (x) => Math.log(1 + Math.exp(x));'],
  ['a logarithm of a constant', 'const c = Math.log(3 * Math.exp(-2));'],
  [
    'a shift by the largest',
    'function f(x) { const m = Math.max(...x); const es = x.map((v) => Math.exp(v - m)); const s = es.reduce((a, b) => a + b); return es.map((e) => e / s); }',
  ],
  [
    'a shift of any kind',
    'function f(x, top) { let s = 0; for (const v of x) s += Math.exp(v - top); return x.map((v) => Math.exp(v - top) / s); }',
  ],
  [
    'a shift through a name',
    'function f(x, top) { let s = 0; for (const v of x) { const z = v - top; s += Math.exp(z); } return Math.log(s); }',
  ],
  [
    'weights that fall with the distance',
    'function f(d, h) { const w = d.map((v) => Math.exp(-v * v * h)); const s = w.reduce((a, b) => a + b); return w.map((v) => v / s); }',
  ],
  [
    'a window of the code',
    'function f(n) { const w = []; let s = 0; for (let i = 0; i < n; i++) { w.push(Math.exp(i * RATE)); s += w[i]; } return w.map((v) => v / s); }',
  ],
  ['log-probabilities', 'function f(lp) { let s = 0; for (const l of lp) s += Math.exp(l); return Math.log(s); }'],
  ['a mean of exponentials', 'function f(x) { let s = 0; for (const v of x) s += Math.exp(v); return s / x.length; }'],
  ['a sigmoid', 'function f(x) { const e = Math.exp(x); return e / (1 + e); }'],
  [
    'numbers that are bounded by nature',
    'function f(a, bs) { const es = bs.map((b) => Math.exp(cosine(a, b) * t)); const s = es.reduce((x, y) => x + y); return es.map((e) => e / s); }',
  ],
  [
    'another quotient',
    'function f(x, n) { let s = 0; for (const v of x) s += Math.exp(v); return x.map((v) => v / s); }',
  ],
  [
    'a kernel, which has a rule of its own',
    'function k(this: KernelThread, x, n) { let s = 0; for (let i = 0; i < n; i++) s += Math.exp(x[i]); return Math.exp(x[this.thread.x]) / s; }',
  ],
  [
    'an example',
    'function exampleSoftmax(x) { let s = 0; for (const v of x) s += Math.exp(v); return x.map((v) => Math.exp(v) / s); }',
  ],
];

describe('unshifted-softmax', () => {
  it.each(found)('finds %s', async (_name, text, expected) => {
    expect(await pointedAt(rule, text)).toEqual([expected]);
  });

  it.each(alone)('leaves alone %s', async (_name, text) => {
    expect(await pointedAt(rule, text)).toEqual([]);
  });

  it('says from where on the result is lost, which is so', async () => {
    const text = found[0]?.[1] ?? '';
    const { findings } = await scanCode({ 'a.ts': text }, { rules: [rule] });
    expect(findings.map(({ diagnostic: { message } }) => message)).toEqual([
      'a softmax of exp(v) without a shift is NaN once an argument is above 709.8, or above 88.8 where exponentials are kept in float32',
    ]);
    const softmax = (x: readonly number[]): readonly number[] => {
      const es = x.map((v) => Math.exp(v));
      const s = es.reduce((a, b) => a + b, 0);
      return es.map((e) => e / s);
    };
    expect(softmax([709.7, 0])).toEqual([1, expect.any(Number)]);
    expect(softmax([709.8, 0])).toEqual([Number.NaN, 0]);
    expect([Math.fround(Math.exp(88.7)), Math.fround(Math.exp(88.8))]).toEqual([expect.any(Number), Infinity]);
    expect(Math.fround(Math.exp(88.7))).toBeLessThan(Infinity);
  });
});
