import { describe, expect, it } from 'vitest';
import type { ts } from 'ts-morph';
import { parseModule, type Module } from '../../../src/scan/module.ts';
import type { Project } from '../../../src/scan/rule.ts';
import { biasedDraw } from '../../../src/scan/rules/biased-draw.ts';
import { maximumStart } from '../../../src/scan/rules/maximum-start.ts';
import { unseededRandomness } from '../../../src/scan/rules/unseeded-randomness.ts';
import { unshiftedSoftmax } from '../../../src/scan/rules/unshifted-softmax.ts';
import { functionBySyntax } from '../../../src/scan/syntax/callee.ts';
import { loadTypeScript, type TypeScript } from '../../../src/subject/typescript.ts';

const real = loadTypeScript();

/** Counts the steps that rules take: questions about nodes, and ways from a node to its parent. */
function counting(): {
  readonly compiler: TypeScript;
  readonly watch: (root: ts.Node) => void;
  readonly steps: () => number;
} {
  let steps = 0;
  const guards = new Map<PropertyKey, unknown>();
  const compiler = new Proxy(real, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function' || !/^(?:is|forEachChild)/u.test(String(key))) return value;
      const known = guards.get(key);
      if (known) return known;
      const counted = (...given: unknown[]): unknown => {
        steps++;
        return Reflect.apply(value, target, given);
      };
      guards.set(key, counted);
      return counted;
    },
  });
  const watch = (root: ts.Node): void => {
    const { parent } = root;
    Object.defineProperty(root, 'parent', {
      get: () => {
        steps++;
        return parent;
      },
    });
    real.forEachChild(root, watch);
  };
  return { compiler, watch, steps: () => steps };
}

/** Findings of four rules in a file, and the steps taken for them. */
function work(text: string): { readonly found: number; readonly steps: number } {
  const { compiler, watch, steps } = counting();
  const parsed = parseModule(compiler, { path: 'src/a.js', text });
  if (!parsed.ok) throw new Error(parsed.error.message);
  watch(parsed.value.file);
  const moduleAt = (): Module | null => parsed.value;
  const project: Project = {
    moduleAt,
    calleeOf: () => null,
    isReproducible: () => false,
    functionNamed: (module: Module, expression: ts.Expression) => functionBySyntax(moduleAt, module, expression),
    pathsWith: () => [],
  };
  const found = [unseededRandomness, biasedDraw, unshiftedSoftmax, maximumStart].flatMap((rule) =>
    rule.check(parsed.value, project),
  ).length;
  return { found, steps: steps() };
}

const many = (count: number, one: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => one(i)).join('\n');
const rand = 'function rand(a, b) { return a + (b - a) * Math.random(); }\n';

describe('the work is in proportion to the places', () => {
  const shapes: (readonly [string, number, (count: number) => string])[] = [
    [
      'helpers in one function',
      1,
      (n) => `${rand}function initWeights(w) {\n${many(n, (i) => `w[${i}] = rand(-1, 1);`)}\n}`,
    ],
    [
      'a helper in many functions',
      1,
      (n) => rand + many(n, (i) => `function initWeights${i}(w) { w[0] = rand(-1, 1); }`),
    ],
    [
      'many helpers',
      1,
      (n) =>
        many(
          n,
          (i) => `const rand${i} = (a) => a * Math.random();\nfunction initWeights${i}(w) { w[0] = rand${i}(2); }`,
        ),
    ],
    [
      'an alias in each function',
      1,
      (n) => many(n, (i) => `function initWeights${i}(w) { const { random } = Math; w[0] = random(); }`),
    ],
    [
      'one alias',
      1,
      (n) => `const { random } = Math;\n${many(n, (i) => `function initWeights${i}(w) { w[0] = random(); }`)}`,
    ],
    ['helpers of helpers', 0, (n) => `${rand}${many(n, (i) => `function draw${i}() { return rand(0, ${i}); }`)}`],
    ['generators', 1, (n) => many(n, (i) => `const rng${i} = mulberry32(Date.now());`)],
    [
      'exchanges',
      1,
      (n) =>
        many(
          n,
          (i) =>
            `function shuffle${i}(xs) { for (let i = 9; i > 0; i--) { const j = Math.floor(Math.random() * 9); xs[j] = xs[i]; } }`,
        ),
    ],
  ];

  shapes.push(
    [
      'softmaxes',
      1,
      (n) =>
        many(
          n,
          (i) =>
            `function f${i}(x) { let s = 0; for (const v of x) s += Math.exp(v); return x.map((v) => Math.exp(v) / s); }`,
        ),
    ],
    [
      'maxima of one function',
      1,
      (n) =>
        `function f(x) {\n${many(n, (i) => `let m${i} = Number.MIN_VALUE; for (const v of x) m${i} = Math.max(m${i}, v);`)}\n}`,
    ],
  );

  it('exponentials in one function, which is one finding', () => {
    const text = (n: number): string =>
      `function f(x, y) { let s = 0;\n${many(n, (i) => `s += Math.exp(x[${i}]);`)}\n${many(n, (i) => `y[${i}] = Math.exp(x[${i}]) / s;`)} }`;
    const small = work(text(300));
    const large = work(text(2400));
    expect([small.found, large.found]).toEqual([1, 1]);
    expect(large.steps).toBeLessThan(small.steps * 8.5);
  });

  it('exponentials in one function that are not divided by their sum', () => {
    const text = (n: number): string =>
      `function f(x, y) { let s = 0;\n${many(n, (i) => `s += Math.exp(x[${i}]); y[${i}] = x[${i}] / s;`)} }`;
    const small = work(text(300));
    const large = work(text(2400));
    expect([small.found, large.found]).toEqual([0, 0]);
    expect(large.steps).toBeLessThan(small.steps * 8.5);
  });

  it.each(shapes)('%s', (_name, perDraw, text) => {
    const small = work(text(625));
    const large = work(text(5000));
    expect(small.found).toBe(625 * perDraw);
    expect(large.found).toBe(5000 * perDraw);
    expect(large.steps).toBeLessThan(small.steps * 8.5);
    expect(large.steps).toBeLessThan(5000 * 4000);
  });
});
