/** Holds src/scan/softmax/logarithms.ts, src/scan/softmax/operations.ts. */
import { describe, expect, it } from 'vitest';
import { pointedAt, scanCode } from '../../support/scan-code.ts';

const rule = 'unshifted-softmax';

const found: readonly (readonly [string, string, string])[] = [
  [
    'scores of a name, handed to a callback',
    'function route(out, n) { const scores = products(out, n); const es = scores.map((s) => Math.exp(s * 10)); const sum = es.reduce((a, b) => a + b, 0); return es.map((e) => e / sum); }',
    'Math.exp(s * 10)',
  ],
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
  ['methods of an array', 'function softmax(x) { const e = x.exp(); return e.div(e.sum()); }', 'x.exp()'],
  [
    'methods of the array itself, with an axis',
    'class T { softmax(axis = -1) { const es = this.exp(); const total = es.sum(axis, true); return es.divide(total); } }',
    'this.exp()',
  ],
  [
    'functions of a package of arrays',
    'function f(x) { const e = tf.exp(x); return tf.div(e, tf.sum(e, 1).expandDims(1)); }',
    'tf.exp(x)',
  ],
  ['log-sum-exp of methods', 'class T { logsumexp() { return this.exp().sum().log(); } }', 'this.exp()'],
  ['log-sum-exp of functions', 'const f = (x) => tf.log(tf.sum(tf.exp(x)));', 'tf.exp(x)'],
  [
    'exponentials that a loop adds up by name',
    'function a(t) { let n = 0; const e = t.map((t) => Math.exp(t)); for (const i of e) n += i; return e.map((t) => t / n); }',
    'Math.exp(t)',
  ],
  ['a logarithm of a share', 'function nll(x, i) { const p = softmax(x); return -Math.log(p[i]); }', 'Math.log(p[i])'],
  [
    'a loss of shares',
    'function nll(x, ys) { const p = softmax(x); let l = 0; l -= Math.log(p[ys[0]]); return l; }',
    'Math.log(p[ys[0]])',
  ],
  ['logarithms of shares', 'const f = (x) => softmax(x).map((p) => Math.log(p));', 'Math.log(p)'],
  ['the logarithm that is handed to map', 'const f = (x) => softmax(x).map(Math.log);', 'softmax(x).map(Math.log)'],
  ['a logarithm of shares of a package', 'const f = (x) => tf.log(tf.softmax(x));', 'tf.log(tf.softmax(x))'],
  ['log-sum-exp at once', 'const lse = (x) => Math.log(x.reduce((a, b) => a + Math.exp(b), 0));', 'Math.exp(b)'],
];

const alone: readonly (readonly [string, string])[] = [
  [
    'shares that are made sharper, handed to a callback',
    'function route(out, n) { const scores = attentionWeights(out, n); const es = scores.map((s) => Math.exp(s * 10)); const sum = es.reduce((a, b) => a + b, 0); return es.map((e) => e / sum); }',
  ],
  ['methods with a shift', 'function softmax(x) { const e = x.sub(x.top()).exp(); return e.div(e.sum()); }'],
  ['a sigmoid of methods', 'const f = (x) => x.neg().exp().add(1).reciprocal();'],
  ['exponentials that are divided by a number', 'const f = (x, n) => x.exp().sum().div(n);'],
  ['exponentials that are divided by another sum', 'const f = (x, y) => x.exp().div(y.sum());'],
  ['an exponential of anything', 'const f = (x) => { const e = x.exp(); return e.sum(); };'],
  [
    'a logarithm of a share with an offset',
    'const f = (x, i) => { const p = softmax(x); return -Math.log(p[i] + 1e-12); };',
  ],
  ['a logarithm of a bounded share', 'const f = (x) => softmax(x).map((p) => Math.log(Math.max(p, 1e-12)));'],
  ['a logarithm of shares that may be changed', 'let p = softmax(x); p = floor(p); const l = Math.log(p[0]);'],
  ['a logarithm of a log-softmax', 'const f = (x) => Math.log(logSoftmax(x)[0]);'],
  [
    'the score of a share that a search compares',
    'function next(x, i) { const p = softmax(x); return [i, Math.log(p[i])]; }',
  ],
  ['a logarithm of anything', 'const f = (p) => p.map((q) => Math.log(q));'],
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

  it('says from where on the logarithm of a share is lost, which is so', async () => {
    const { findings } = await scanCode(
      { 'a.ts': 'const f = (x) => softmax(x).map((p) => Math.log(p));' },
      { rules: [rule] },
    );
    expect(findings.map(({ diagnostic: { message } }) => message)).toEqual([
      'a logarithm of a softmax is -Infinity once an argument is 745.2 below the largest, or 104 where shares are kept in float32',
    ]);
    expect([Math.exp(-745.2), Math.fround(Math.exp(-104))]).toEqual([0, 0]);
    expect(Math.min(Math.exp(-745), Math.fround(Math.exp(-103.9)))).toBeGreaterThan(0);
  });

  it('says from where on the result is lost, which is so', async () => {
    const text = found[1]?.[1] ?? '';
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
