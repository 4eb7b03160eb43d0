import { describe, expect, it } from 'vitest';
import { pointedAt } from '../../support/scan-code.ts';

const rule = 'maximum-start';
const start = 'Number.MIN_VALUE';

describe('maximum-start', () => {
  it.each([
    ['a comparison', `let max = ${start}; for (const x of xs) { if (x > max) { max = x; } }`],
    ['a comparison the other way round', `let best = ${start}; for (const x of xs) if (best <= x) best = x;`],
    ['Math.max', `let m = ${start}; for (const x of xs) m = Math.max(x, m);`],
    ['a choice', `let m = ${start}; for (const x of xs) m = x > m ? x : m;`],
    ['a field', `class A { f(xs) { this.max = ${start}; for (const x of xs) if (x > this.max) this.max = x; } }`],
    [
      'the numbers of a container',
      `class V { max() { let m = ${start}; for (const x of this.data) if (x > m) m = x; return m; } }`,
    ],
    [
      'what an object keeps, next to a minimum',
      `class P { f() { let lo = Number.MAX_VALUE, m = ${start}; for (const x of this.xSpan) { lo = Math.min(lo, x); m = Math.max(m, x); } } }`,
    ],
    ['a reduction', `const m = xs.reduce((a, b) => Math.max(a, b), ${start});`],
    [
      'a lower bound by default',
      `function clamp(a, b, x) { a = a != null ? a : ${start}; b = (b != null) ? b : Number.MAX_VALUE; return run(a, b, x); }`,
    ],
    ['a bound of options', `const lo = o.lo ?? ${start}, hi = o.hi ?? Number.MAX_VALUE;`],
    ['a bound as a parameter', `const clip = (x, lo = ${start}, hi = Number.MAX_VALUE) => between(x, lo, hi);`],
    ['one of two conditions', `let m = ${start}; for (const x of xs) if (x.ok && x.y > m) { last = x; m = x.y; }`],
  ])('finds %s', async (_name, text) => {
    expect(await pointedAt(rule, text)).toEqual([start]);
  });

  it('finds the two sides of a box once', async () => {
    const box = `let x2 = ${start}, y2 = ${start}; for (const p of ps) { if (p.x > x2) x2 = p.x; if (p.y > y2) y2 = p.y; }`;
    expect(await pointedAt(rule, `function f(ps) { ${box} }`)).toEqual([start]);
  });

  it.each([
    ['the most negative number', 'let m = -Number.MAX_VALUE; for (const x of xs) m = Math.max(m, x);'],
    ['a bound without its counterpart', `const eps = o.eps ?? ${start};`],
    ['bounds of a scale', `const zoomBy = (minZoom = ${start}, maxZoom = Number.MAX_VALUE) => set(minZoom, maxZoom);`],
    ['a minimum', `let m = ${start}; for (const x of xs) m = Math.min(m, x);`],
    ['a number that is never raised', `let tiny = ${start}; if (x === 0) x = tiny;`],
    ['a guard against a division by 0', `const fps = this.fps || ${start}; const t = 1 / fps;`],
    ['a floor', `const scale = Math.max(...scales, ${start});`],
    ['one comparison', `let lo = ${start}; if (x > lo) lo = x;`],
    ['scores', `let max = ${start}; for (const x of xs) if (scores[x] > max) max = scores[x];`],
    [
      'a maximum that its name makes one of distances',
      `let maxDist = ${start}; for (const x of xs) maxDist = Math.max(maxDist, x);`,
    ],
    [
      'distances',
      `function largestDistance(xs) { let m = ${start}; for (const x of xs) m = Math.max(m, x); return m; }`,
    ],
    [
      'what an object keeps of itself',
      `class P { run() { let m = ${start}; for (let i = 0; i < n; i++) if (this.model[i][t] > m) m = this.model[i][t]; } }`,
    ],
    [
      'what an object keeps, through names',
      `class P { get last() { let n = ${start}; this.ranges.forEach((range) => { const to = range.to; if (to > n) n = to; }); return n; } }`,
    ],
    [
      'a reduction of what an object keeps',
      `class P { f() { return this.model.reduce((a, b) => Math.max(a, b), ${start}); } }`,
    ],
    ['a demo', `function demoBox(xs) { let m = ${start}; for (const x of xs) m = Math.max(m, x); return m; }`],
    [
      'a variable of another function',
      `function f() { let m = ${start}; return m; } function g(x) { m = Math.max(m, x); }`,
    ],
  ])('leaves alone %s', async (_name, text) => {
    expect(await pointedAt(rule, text)).toEqual([]);
  });
});
