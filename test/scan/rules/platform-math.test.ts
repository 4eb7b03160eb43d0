/** Holds src/scan/reproducible/reach.ts, src/scan/syntax/callee.ts. */
import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../src/scan/edits.ts';
import { readSettings } from '../../../src/scan/settings.ts';
import { pointedAt, scanCode } from '../../support/scan-code.ts';

const rule = 'platform-math';

describe('platform-math finds', () => {
  it.each([
    [
      'a function of a marked function',
      '/** @bitReproducible */\nfunction f(x: number) { return Math.exp(x); }',
      'Math.exp',
    ],
    ['a marked constant', '/** Law. @bitReproducible */\nexport const f = (x: number) => Math.tanh(x);', 'Math.tanh'],
    ['a marked class', '/** @bitReproducible */\nclass C { g(x: number) { return Math.sin(x); } }', 'Math.sin'],
    [
      'a marked file',
      '/** @bitReproducible */\nimport { a } from "./a.ts";\nexport function f(x: number) { return Math.cos(x); }',
      'Math.cos',
    ],
    ['a power', '/** @bitReproducible */\nfunction f(x: number, y: number) { return x ** y; }', 'x ** y'],
    ['another name', 'const exp = Math.exp;\n/** @bitReproducible */\nfunction f(x: number) { return exp(x); }', 'exp'],
    [
      'names taken out',
      'const { log: ln } = Math;\n/** @bitReproducible */\nfunction f(x: number) { return ln(x); }',
      'ln',
    ],
    [
      'a name in brackets',
      '/** @bitReproducible */\nfunction f(x: number) { return Math["pow"](x, 3); }',
      'Math["pow"]',
    ],
    [
      'a local call',
      '/** @bitReproducible */\nfunction f(x: number) { return g(x); }\nfunction g(x: number) { return h(x); }\nfunction h(x: number) { return Math.log(x); }',
      'Math.log',
    ],
    [
      'a function that is handed on',
      '/** @bitReproducible */\nfunction f(xs: number[]) { return xs.map(g); }\nconst g = (x: number) => Math.exp(x);',
      'Math.exp',
    ],
    [
      'a method of the same class',
      'class C {\n/** @bitReproducible */\nf(x: number) { return this.g(x); }\ng(x: number) { return Math.exp(x); } }',
      'Math.exp',
    ],
    [
      'a helper whose name stands elsewhere too',
      '/** @bitReproducible */\nfunction f(x: number) { return g(x); }\nfunction other(g: number) { return g; }\nfunction g(x: number) { return Math.log(x); }',
      'Math.log',
    ],
    [
      'an inherited method',
      'class B { g(x: number) { return Math.exp(x); } }\nclass C extends B {\n/** @bitReproducible */\nf(x: number) { return this.g(x); } }',
      'Math.exp',
    ],
  ])('%s', async (_name, text, expected) => {
    expect(await pointedAt(rule, text)).toEqual([expected]);
  });

  it('follows imports, and says the way', async () => {
    const { findings } = await scanCode({
      'src/a.ts': "import { g } from './b.ts';\n/** @bitReproducible */\nexport function f(x: number) { return g(x); }",
      'src/b.ts': "export * from './c.js';",
      'src/c.ts':
        'export function g(x: number) { return Math.pow(x, 3); }\nexport function other(x: number) { return Math.exp(x); }',
    });
    expect(findings.map(({ diagnostic }) => [diagnostic.span?.source.path, diagnostic.message])).toEqual([
      ['src/c.ts', 'Math.pow may differ between engines, in `g`, which `f` calls; that is declared bit-reproducible'],
    ]);
    expect(findings[0]?.diagnostic.related[0]?.span.source.path).toBe('src/a.ts');
  });

  it('follows a default export', async () => {
    const { findings } = await scanCode({
      'src/a.ts': "import g from './b.ts';\n/** @bitReproducible */\nexport const f = (x: number) => g(x);",
      'src/b.ts': 'export default function g(x: number) { return Math.exp(x); }',
    });
    expect(findings.map(({ diagnostic }) => diagnostic.span?.source.path)).toEqual(['src/b.ts']);
  });

  it('takes files from the settings', async () => {
    const settings = readSettings({ path: 'pv.scan.yaml', text: "bit_reproducible: ['src/numeric/**']\n" });
    const files = {
      'src/numeric/deep/a.ts': 'export const y = Math.exp(1);',
      'src/other.ts': 'export const z = Math.exp(1);',
    };
    const { findings } = await scanCode(files, { settings: settings.value });
    expect(findings.map(({ diagnostic }) => diagnostic.span?.source.path)).toEqual(['src/numeric/deep/a.ts']);
  });

  it.each([
    [
      '/** @bitReproducible */\nfunction f(x: number) { return 1 / x ** 2; }',
      '/** @bitReproducible */\nfunction f(x: number) { return 1 / (x * x); }',
    ],
    [
      '/** @bitReproducible */\nfunction f(x: number) { return Math.pow(x, 2); }',
      '/** @bitReproducible */\nfunction f(x: number) { return (x * x); }',
    ],
  ])('squares a name by a product: %j', async (text, expected) => {
    const { findings } = await scanCode({ 'a.ts': text }, { rules: [rule] });
    expect(applyEdits(text, findings[0]?.fix ?? [])).toBe(expected);
  });
});

describe('platform-math leaves alone', () => {
  it.each([
    ['what is not marked', 'function f(x: number) { return Math.exp(x); }'],
    [
      'what is exact',
      '/** @bitReproducible */\nfunction f(x: number) { return Math.sqrt(Math.abs(Math.fround(x))) + Math.max(x, 1); }',
    ],
    [
      'a neighbour of a marked function',
      '/** @bitReproducible */\nfunction f(x: number) { return x * x; }\nfunction g(x: number) { return Math.exp(x); }',
    ],
    [
      'a caller of a marked function',
      '/** @bitReproducible */\nfunction f(x: number) { return x; }\nfunction g(x: number) { return Math.exp(f(x)); }',
    ],
    [
      'an own Math',
      'import { Math } from "./exact.ts";\n/** @bitReproducible */\nfunction f(x: number) { return Math.exp(x); }',
    ],
    [
      'own functions',
      '/** @bitReproducible */\nfunction f(x: number) { return exact.exp(x) + expm(x); }\nfunction expm(x: number) { return x; }',
    ],
    ['whole numbers', '/** @bitReproducible */\nfunction f() { return 2 ** 53 + Number(2n ** 64n); }'],
    ['a comment', '/** @bitReproducible */\nfunction f(x: number) { /* Math.exp(x) would differ */ return x; }'],
    ['a comment about the mark', '// see @bitReproducible\nfunction f(x: number) { return Math.exp(x); }'],
    [
      'a parameter with the name of a function',
      '/** @bitReproducible */\nfunction f(x: number, g: (x: number) => number) { return g(x); }\nfunction g(x: number) { return Math.exp(x); }',
    ],
  ])('%s', async (_name, text) => {
    expect(await pointedAt(rule, text)).toEqual([]);
  });
});
