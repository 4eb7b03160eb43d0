import { describe, expect, it } from 'vitest';
import { withoutGaps } from '../../../src/scan/python/grammar-gaps.ts';
import { loadPythonParser, parsePython } from '../../../src/scan/python/module.ts';
import { scanCode } from '../../support/scan-code.ts';

const isRead = async (text: string): Promise<boolean> =>
  parsePython(await loadPythonParser(), { path: 'a.py', text }).ok;

const valid = [
  'with (f() as a, g() as b):\n    h()\nk()\n',
  'with (\n    f(x) as a,  # a) comment\n    g(")"),\n):\n    h()\n',
  'async def q():\n    async with (f() as a, g() as b,):\n        h()\n',
  'with f() as (a, b), g() as [c, *d]:\n    h()\n',
  'with a as b.c, d as e[0]:\n    h()\n',
  'with (f(), g()):\n    h()\n',
  'x = 2. if a else 3.\ny()\n',
  'x = a > 0. and b\n',
  'def f(a=1., b=2.): pass\n',
  'x = [1., 1e5, .5, 1.5, 1_0.]\n',
  'def f():\n    yield  # nothing\n    x = yield\n    y((yield))\n',
  'x = tuple(n for n, *_ in e)\ny()\n',
  'for x in *a, b: pass\n',
  'for a, *b in c:\n    d()\n',
  'match x:\n    case str() | (str(), []) | {}:\n        f()\n    case a.B():\n        g()\n    case _ if c > 1.:\n        pass\n',
  'case = f()\nmatch = g(case)\nmatch.h()\n',
  'x = f"{d["a"]:>{w}}" if y else f\'{z!r}\'\n',
  'if (y := f(x)) and \\\n   z:\n    pass\n',
  '@a.b[0].c(x)\nasync def f(a: int, /, *, b: "T" = 1., **k) -> None: ...\n',
  'def f[T: int](x: T) -> T: ...\ntype X = int\n',
  'try:\n    f()\nexcept* (A, B) as e:\n    g()\n',
  '\uFEFFx = 1\r\nif x:\r\n\ty()\r\n',
];

describe('valid Python is read', () => {
  it.each(valid)('%j', async (text) => {
    expect(await isRead(text)).toBe(true);
    expect(await isRead(text.replaceAll('\n', '\r\n').replaceAll('\r\r', '\r'))).toBe(true);
    expect(withoutGaps(text)).toHaveLength(text.length);
  });
});

it('keeps the calls of a script where they are', async () => {
  const text = `
model.train()
for x in xs:
    model(x).backward()
    optimizer.step()
    with (
        open("a)") as f,  # )
        g() as (a, b),
    ):
        model.eval()
`;
  const { findings } = await scanCode({ 'a.py': text });
  const [span] = findings.map(({ diagnostic }) => diagnostic.span);
  expect(span && span.source.text.slice(span.range.start, span.range.end)).toBe('model.eval()');
});

describe('hostile text is reported, and takes no more than its share', () => {
  it.each([
    ['open parentheses of with', 'with (\n'.repeat(20_000)],
    ['open items of with', 'with (a as b, '.repeat(20_000)],
    ['quotes without end', `with (${'"\\'.repeat(200_000)}`],
    ['a string without end', 'x = "abc\ny = 1\n'],
    ['a long string without end', 'x = """abc\ny = 1\n'],
    ['dots', '1.'.repeat(200_000)],
    ['targets without end', `with x as ${'a.'.repeat(200_000)}b c\n`],
    ['targets in targets', 'as (a,'.repeat(100_000)],
    ['stars', ',*a'.repeat(100_000)],
    ['patterns', `case ${'a('.repeat(200_000)}\n`],
    ['yields', `${'yield '.repeat(100_000)}\n`],
    ['spaces after as', `as${' '.repeat(1_000_000)}x\n`],
    ['spaces before a star', `, ${' '.repeat(1_000_000)}*x\n`],
  ])(
    '%s',
    async (_name, text) => {
      expect(await isRead(text)).toBe(false);
    },
    30_000,
  );
});
