/**
 * Readers of syntaxes that place every value and every mistake: `json.ts`, `python.ts`, `python-expression.ts`, `toml.ts`,
 * `toml-scalars.ts`, `toml-tables.ts` and `read-failure.ts`.
 *
 * Holds src/data/read/syntax/json.ts, src/data/read/syntax/python-expression.ts, src/data/read/syntax/python-scan.ts,
 * src/data/read/syntax/python-tree.ts, src/data/read/syntax/python.ts,
 * src/data/read/syntax/read-failure.ts, src/data/read/syntax/toml-scalars.ts, src/data/read/syntax/toml-tables.ts,
 * src/data/read/syntax/toml.ts, src/data/read/syntax/tree.ts.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Staged } from '../../../../src/diagnostics/diagnostic.ts';
import { positionAt, type SourceFile } from '../../../../src/diagnostics/source.ts';
import { parseJson } from '../../../../src/data/read/syntax/json.ts';
import { parsePython } from '../../../../src/data/read/syntax/python.ts';
import { parseToml } from '../../../../src/data/read/syntax/toml.ts';
import { keyedScalars, type DataNode } from '../../../../src/data/read/syntax/tree.ts';

type Parse = (source: SourceFile) => Staged<DataNode | null>;

/** `key: value` of every scalar. */
function scalarsOf(parse: Parse, text: string): Readonly<Record<string, unknown>> {
  const { value } = parse({ path: 'x', text });
  return Object.fromEntries(value ? keyedScalars(value).map((scalar) => [scalar.key, scalar.value]) : []);
}

/** The code, line and column of every finding. */
function findings(parse: Parse, text: string): readonly string[] {
  return parse({ path: 'x', text }).diagnostics.map(({ code, span }) => {
    const { line, column } = span ? positionAt(span.source, span.range.start) : { line: 0, column: 0 };
    return `${code} ${line}:${column}`;
  });
}

describe('JSON', () => {
  test('every JSON value is read as JSON.parse reads it, with its correct place', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.boolean(), (value, pretty) => {
        const text = JSON.stringify({ value }, null, pretty ? 2 : 0);
        const { value: node, diagnostics } = parseJson({ path: 'x', text });
        expect(diagnostics).toEqual([]);
        for (const scalar of node ? keyedScalars(node) : []) {
          const written = text.slice(scalar.range.start, scalar.range.end);
          const quoted = typeof scalar.value === 'string' ? `"${written}"` : written;
          expect(JSON.parse(quoted)).toEqual(scalar.value);
        }
      }),
    );
  });

  test('NaN and Infinity are numbers, as Python writes them', () => {
    expect(scalarsOf(parseJson, '{"a": NaN, "b": [Infinity, -Infinity]}')).toEqual({
      a: NaN,
      'b[0]': Infinity,
      'b[1]': -Infinity,
    });
  });

  test.each([
    ['{"a": 1,\n}', ['PV-7014 2:1']],
    ['{"a": 1\n "b": 2}', ['PV-7014 2:2']],
    ['{"a": tru}', ['PV-7014 1:7']],
    ["{'a': 1}", ['PV-7014 1:2']],
    ['{"a": "x', ['PV-7014 1:7']],
    ['{"a": [1, 2', ['PV-7014 1:11']],
    ['{"a": 01}', ['PV-7014 1:8']],
    [String.raw`{"a": "\q"}`, ['PV-7014 1:7']],
    ['{"a": 1} x', ['PV-7014 1:10']],
    ['{"a": 1, "a": 2}', ['PV-7033 1:11']],
    ['['.repeat(300), ['PV-7034 1:257']],
  ])('%s', (text, expected) => {
    expect(findings(parseJson, text)).toEqual(expected);
  });
});

describe('TOML', () => {
  test('tables, dotted keys, arrays, strings and numbers of every kind', () => {
    const text = `a.b = 1_000
"c d" = 'lit\\eral'
e = """
two
lines"""
[t.u]
hex = 0xff
flag = true
when = 1979-05-27T07:32:00Z
inf = -inf
s = "tab\\t\\u00e9"
[[list]]
n = 1
[[list]]
n = 2.5e-3
inline = { x = [1, [2, 3]], y.z = false }
`;
    expect(scalarsOf(parseToml, text)).toEqual({
      'a.b': 1000,
      'c d': String.raw`lit\eral`,
      e: 'two\nlines',
      't.u.hex': 255,
      't.u.flag': true,
      't.u.when': '1979-05-27T07:32:00Z',
      't.u.inf': -Infinity,
      't.u.s': 'tab\té',
      'list[0].n': 1,
      'list[1].n': 0.0025,
      'list[1].inline.x[0]': 1,
      'list[1].inline.x[1][0]': 2,
      'list[1].inline.x[1][1]': 3,
      'list[1].inline.y.z': false,
    });
  });

  test('a table may be opened by the name of one below it first', () => {
    expect(scalarsOf(parseToml, '[a.b]\nx = 1\n[a]\ny = 2\n')).toEqual({ 'a.b.x': 1, 'a.y': 2 });
  });

  test.each([
    ['a = five', ['PV-7015 1:5']],
    ['a = 1 2', ['PV-7015 1:7']],
    ['[a\nb = 1', ['PV-7015 1:3']],
    ['a = "x', ['PV-7015 1:5']],
    ['a = [1,\n2', ['PV-7015 2:1']],
    ['a = 1\na = 2', ['PV-7033 2:1']],
    ['[a]\n[a]', ['PV-7033 2:2']],
    ['a = 1\n[a]', ['PV-7033 2:2']],
    ['a = 01', ['PV-7015 1:5']],
    ['a =', ['PV-7015 1:3']],
    [String.raw`a = "\q"`, ['PV-7015 1:5']],
    ['= 1', ['PV-7015 1:1']],
  ])('%s', (text, expected) => {
    expect(findings(parseToml, text)).toEqual(expected);
  });
});

describe('Python', () => {
  test('constants, arithmetic, earlier names; nothing is run', () => {
    const text = `"""A doc string
with x = 1 in it"""
import os
a = 5 * 8  # comment with 'quote'
b: int = a // 3; c = -2 ** 2
d = (1 +
     2)
e = 'it' "'s"   # joined
f = 7 % -3
g = int(1e3 / 3)
h = True
i = None
a += 1
j = 600_000
k = "a # b"
`;
    expect(scalarsOf(parsePython, text)).toEqual({
      b: 13,
      c: -4,
      d: 3,
      e: "it's",
      f: -2,
      g: 333,
      h: true,
      i: null,
      a: 41,
      j: 600000,
      k: 'a # b',
    });
    expect(findings(parsePython, text)).toEqual([]);
  });

  test('what is not a constant stays unknown, and so does what needs it', () => {
    const text = 'import x\na = x.f()\nb = a * 2\nc = [1, 2]\nd = 1 / 0\n';
    expect(scalarsOf(parsePython, text)).toEqual({ a: null, b: null, 'c[0]': 1, 'c[1]': 2, d: null });
    expect(findings(parsePython, text)).toEqual(['PV-7016 2:5', 'PV-7016 3:5', 'PV-7016 5:5']);
  });

  test('calls that make a folder or print change nothing', () => {
    const text = "import os\na = 1\nos.makedirs('x', exist_ok=True)  # the folder\nprint(a)\n";
    expect([scalarsOf(parsePython, text), findings(parsePython, text)]).toEqual([{ a: 1 }, []]);
  });

  test.each([
    ['min = smallest\na = min(1, 2)\n'],
    ['def min(*x):\n    b = 2\n    return dict(c=1)\na = min(1, 2)\n'],
    ['from x import min\na = min(1, 2)\n'],
  ])('%j calls no builtin', (text) => {
    expect(scalarsOf(parsePython, text)['a']).toBeNull();
    expect(scalarsOf(parsePython, text.replaceAll('min', 'max').replace('= max(', '= min('))['a']).toBe(1);
  });

  test.each([
    [
      "include 'x.gin'\ntrain.lr = 1e-4\ntrain/eval.steps = 5\nT.model = @Model()\n",
      /nor are 3 more statements$/,
      /^This looks like a config of gin/,
    ],
    [
      'class Exp(Base):\n    def __init__(self):\n        self.max_epoch = 300\n',
      /nor is 1 more statement$/,
      /^Configs in Python are parsed/,
    ],
    ['if x:\n', /is not an assignment of a constant$/, /^Configs in Python are parsed/],
  ])('a file that is more than assignments is one error, which counts them: %j', (text, message, hint) => {
    const { diagnostics } = parsePython({ path: 'x', text });
    expect(diagnostics.map((one) => one.message)).toEqual([expect.stringMatching(message)]);
    expect(diagnostics[0]?.hint).toMatch(hint);
  });

  test.each([
    ['a = 1\nif x:\n    a = 2\n', ['PV-7016 2:1']],
    ["exec(open('c.py').read())\n", ['PV-7016 1:1']],
    ['a = 1\nprint a\n', ['PV-7016 2:1']],
    ['a = 1\nprint(a := 2)\n', ['PV-7016 2:1']],
    ['a = f()\nx.b = 1\ny.b = 2\n', ['PV-7016 2:1']],
  ])('%s changes what stands beside it, and is refused', (text, expected) => {
    expect(parsePython({ path: 'x', text }).value).toBeNull();
    expect(findings(parsePython, text)).toEqual(expected);
  });
});

describe('no text breaks a reader', () => {
  test.each<readonly [string, Parse]>([
    ['JSON', parseJson],
    ['TOML', parseToml],
    ['Python', parsePython],
  ])('%s', (_, parse) => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      '=',
      ':',
      ',',
      '\n',
      '\\',
      '#',
      ' ',
      'a',
      '1',
      '.',
      '-',
      '"""',
      '(',
      ')',
      '*',
      '\uFEFF',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        const { value, diagnostics } = parse({ path: 'x', text });
        expect(value !== null || diagnostics.length > 0).toBe(true);
        for (const { span } of diagnostics) if (span) expect(span.range.start).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 2000 },
    );
  });
});
