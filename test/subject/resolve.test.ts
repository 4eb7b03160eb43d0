/**
 * Holds src/subject/argument-sources.ts, src/subject/check-signature.ts, src/subject/open-module.ts,
 * src/subject/output-fit.ts, src/subject/type-problems.ts, src/subject/resolve-script.ts.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { functionBackend } from '../../src/backends/function-kernel.ts';
import { invariant } from '../../src/base/invariant.ts';
import type { EquationModel } from '../../src/contract/goal.ts';
import { positionAt } from '../../src/diagnostics/source.ts';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { createNodeHost } from '../../src/host/node-host.ts';
import { createMemoryHost } from '../../src/host/memory-host.ts';
import type { BoundSubject } from '../../src/subject/bound-subject.ts';
import { callFor } from '../../src/subject/call.ts';
import { readBindings } from '../../src/subject/read-bindings.ts';
import { resolveBindings } from '../../src/subject/resolve.ts';
import { modelOf } from '../support/models.ts';

const softmax = modelOf('softmax', ['x: n'], 'n');
const gpu =
  'interface KernelThread { readonly thread: { readonly x: number; readonly y: number; readonly z: number } }\n';

interface Resolved {
  readonly subject: BoundSubject | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** `PV-5010 src/a.ts:2`. */
  readonly places: readonly string[];
}

async function resolve(
  files: Readonly<Record<string, string>>,
  keys: string,
  model: EquationModel | null = softmax,
  typeErrors = false,
): Promise<Resolved> {
  const text = `bindings:\n  - contract: c\n    equation: ${model?.name ?? 'e'}\n    status: implemented\n    ${keys.replaceAll('\n', '\n    ')}\n`;
  const { value, diagnostics: found } = readBindings({ path: 'binding.yaml', text });
  expect(found).toEqual([]);
  const { value: subjects, diagnostics } = await resolveBindings(
    value.rows,
    new Map(model ? [['c', [model]]] : []),
    createMemoryHost(files),
    { typeErrors },
  );
  const places = diagnostics.map(
    ({ code, span }) =>
      `${code} ${span ? `${span.source.path}:${positionAt(span.source, span.range.start).line}` : ''}`,
  );
  return { subject: subjects[0], diagnostics, places };
}

const at = 'module_path: src/a.ts\nfunction: softmax';

describe('a binding resolves', () => {
  it('to a function that returns whole numbers in an array of them, where the equation gives whole numbers', async () => {
    const files = {
      'src/a.ts': 'export function softmax(x: Float32Array): Uint16Array { return Uint16Array.from(x); }',
    };
    const whole = modelOf('softmax', ['x: n'], 'int n');
    expect((await resolve(files, at, whole)).places).toEqual([]);
    expect((await resolve(files, at)).places).toEqual(['PV-5010 src/a.ts:1']);
  });

  it('to a function whose types come from what browsers declare, without an error of type', async () => {
    const body = 'console.log(x.length); return structuredClone(x);';
    const files = { 'src/a.ts': `export const softmax = (x: Float32Array) => { ${body} };` };
    expect(await resolve(files, at, softmax, true)).toMatchObject({ places: [], subject: { name: 'softmax' } });
    const wrong = { 'src/a.ts': 'export const softmax = (x: Float32Array) => structuredCopy(x);' };
    expect((await resolve(wrong, at, softmax, true)).places).toEqual(['PV-5014 src/a.ts:1', 'PV-5010 src/a.ts:1']);
  });

  it.each([
    ['src/a.js', '// ES\nexport function softmax(x, n) { return x.slice(0, n); }'],
    ['src/a.mjs', '// ES\nexport const softmax = (x, n) => x.slice(0, n);'],
    ['src/a.cjs', '// CommonJS\nmodule.exports = { softmax: (x, n) => x.slice(0, n) };'],
    ['src/a.js', '// CommonJS\nexports.softmax = function (x, n) { return x.slice(0, n); };'],
  ])('to a function of JavaScript in %s, which gets the parameters and the sizes', async (file, text) => {
    const { subject, diagnostics } = await resolve({ [file]: text }, `module_path: ${file}\nfunction: softmax`);
    expect(diagnostics).toEqual([]);
    expect(subject).toMatchObject({ module: file, line: 2, program: { language: 'function' } });
    expect(subject?.program.parameters).toMatchObject([
      { name: 'x', rank: 1 },
      { name: 'n', rank: 0, integer: true },
    ]);
    invariant(subject, 'it was resolved');
    const opened = await functionBackend.open(subject.program);
    const outcomes = opened.ok
      ? await opened.kernel.run([callFor(subject, softmax, [2], [Float32Array.of(3, 4)])])
      : [];
    expect(outcomes).toEqual([{ ok: true, output: Float32Array.of(3, 4) }]);
  });

  it('to a function with overloads, by the one that fits', async () => {
    const body = '(...a: readonly unknown[]): Float32Array { return Float32Array.from(a[0] as Float32Array); }';
    const f = 'export function softmax';
    const text = `${f}(x: readonly number[], n: number): Float32Array;\n${f}(x: Float32Array, n: number): Float32Array;\n${f}${body}`;
    const { subject, places } = await resolve({ 'src/a.ts': text }, at);
    expect(places).toEqual([]);
    expect(subject?.program.parameters.map(({ name }) => name)).toEqual(['x', 'n']);
    const unfit = text.replace('x: Float32Array, n', 'x: Float64Array, n');
    expect((await resolve({ 'src/a.ts': unfit }, at)).places).toEqual(['PV-5010 src/a.ts:1']);
  });

  it('to no function that is exported as another, which is named', async () => {
    const text = 'export default function softmax(x: Float32Array, n: number): Float32Array { return x; }';
    const { diagnostics } = await resolve({ 'src/a.ts': text }, at);
    expect(diagnostics).toMatchObject([
      { code: 'PV-5009', message: '`softmax` is exported as `default`', hint: 'name the function `default`' },
    ]);
    expect((await resolve({ 'src/a.ts': text }, at.replace('softmax', 'default'))).diagnostics).toEqual([]);
  });

  it('to a gpu.js kernel with its place, its parameters and its output', async () => {
    const { subject, diagnostics } = await resolve(
      {
        'src/a.ts': `${gpu}\nexport function softmax(this: KernelThread, x: readonly number[], n: number): number { return x[this.thread.x]! / n; }`,
      },
      `${at}\nloop_max: 99`,
    );
    expect(diagnostics).toEqual([]);
    expect(subject).toMatchObject({
      contract: 'c',
      equation: 'softmax',
      name: 'softmax',
      module: 'src/a.ts',
      line: 3,
      program: { language: 'gpu.js', outputRank: 1, loopMaxIterations: 99 },
      output: null,
      model: softmax,
    });
    expect(subject?.arguments).toEqual([
      { kind: 'parameter', index: 0 },
      { kind: 'size', index: 0 },
    ]);
  });

  it('to a plain function of flat arrays, mutable or not, async or not', async () => {
    for (const text of [
      'export function softmax(x: Float32Array, n: number): Float32Array { return x.map((v) => v / n); }',
      'export const softmax = async (x: Float32Array): Promise<Float32Array> => x;',
    ]) {
      const { subject, diagnostics } = await resolve({ 'src/a.ts': text }, at);
      expect(diagnostics).toEqual([]);
      expect(subject?.program.language).toBe('function');
    }
  });

  it('through a re-export and an alias, to the place of the function', async () => {
    const root = fileURLToPath(new URL('fixtures', import.meta.url));
    const { value } = readBindings({
      path: 'binding.yaml',
      text: 'bindings:\n  - { contract: c, equation: softmax, module_path: reexport.ts, function: softmax }\n',
    });
    const { value: subjects, diagnostics } = await resolveBindings(
      value.rows,
      new Map([['c', [softmax]]]),
      createNodeHost(root),
    );
    expect(diagnostics).toEqual([]);
    expect(subjects[0]).toMatchObject({
      name: 'softmax',
      module: 'inner.ts',
      line: 5,
      program: { parameters: [{ rank: 1 }, { rank: 0, integer: true }] },
    });
  });

  it('from the first root that has the module, with places as the person sees them', async () => {
    const files = {
      'own/k.ts': 'export function softmax(x: Float32Array): Float32Array { return x; }',
      'k.ts': 'export const softmax = 3;',
      'only-here.ts': 'export function softmax(x: Float32Array): Float32Array { return x; }',
    };
    const resolved = async (module: string) => {
      const { value } = readBindings({
        path: 'binding.yaml',
        text: `bindings:\n  - { contract: c, equation: softmax, module_path: ${module}, function: softmax }\n`,
      });
      const host = createMemoryHost(files);
      return resolveBindings(value.rows, new Map([['c', [softmax]]]), host, { roots: ['/project/own', '/project'] });
    };
    expect((await resolved('k.ts')).value).toMatchObject([{ module: 'k.ts', line: 1 }]);
    expect((await resolved('only-here.ts')).value).toMatchObject([{ module: 'only-here.ts' }]);
    const missing = await resolved('nowhere.ts');
    expect(missing.diagnostics).toMatchObject([
      { code: 'PV-5006', hint: expect.stringContaining('project root, own') },
    ]);
    expect([...missing.broken.keys()]).toEqual(['c/softmax']);
    expect((await resolved('kk.ts')).diagnostics).toMatchObject([{ hint: 'did you mean `k.ts`?' }]);
  });

  it('never to a function outside the project that a module of it passes on', async () => {
    const above = mkdtempSync(join(tmpdir(), 'pv-escape-'));
    mkdirSync(join(above, 'project'));
    const text = 'export function softmax(x: Float32Array): Float32Array { return x; }';
    writeFileSync(join(above, 'outside.ts'), text);
    writeFileSync(join(above, 'project/inside.ts'), text);
    writeFileSync(join(above, 'project/a.ts'), "export { softmax } from '../outside.js';");
    writeFileSync(join(above, 'project/b.ts'), "export { softmax } from './inside.js';");
    const resolved = async (module: string, root: string) => {
      const { value } = readBindings({
        path: 'binding.yaml',
        text: `bindings:\n  - { contract: c, equation: softmax, module_path: ${module}, function: softmax }\n`,
      });
      return resolveBindings(value.rows, new Map([['c', [softmax]]]), createNodeHost(above), { roots: [root] });
    };
    const escaped = await resolved('a.ts', 'project');
    expect(escaped).toMatchObject({ value: [], diagnostics: [{ code: 'PV-5005' }] });
    expect(escaped.diagnostics[0]?.message).toContain('is in outside.ts');
    expect((await resolved('b.ts', 'project')).value).toMatchObject([{ module: 'inside.ts' }]);
    // A root that is itself reached through a link is still the project.
    symlinkSync(join(above, 'project'), join(above, 'link'));
    expect((await resolved('b.ts', 'link')).value).toMatchObject([{ module: 'inside.ts' }]);
    rmSync(above, { recursive: true });
  });

  it('with the arguments and the output that the row says', async () => {
    const matrix = modelOf('m', ['A: m k', 'ε:'], 'm k');
    const { subject, diagnostics } = await resolve(
      {
        'src/a.ts': `${gpu}export function m(this: KernelThread, count: number, A: readonly (readonly number[])[], half: number): number { return A[0]![this.thread.x]! * half + count; }`,
      },
      'module_path: src/a.ts\nfunction: m\narguments: [m·k, A, ε / 2]\noutput: [m·k]',
      matrix,
    );
    expect(diagnostics).toEqual([]);
    expect(subject?.arguments.map(({ kind }) => kind)).toEqual(['expression', 'parameter', 'expression']);
    expect(subject?.program).toMatchObject({ outputRank: 1, parameters: [{ rank: 0 }, { rank: 2 }, { rank: 0 }] });
  });

  describe('with an output', () => {
    const problemsOf = async (output: string, model: EquationModel): Promise<readonly string[]> => {
      const text = `export function f(x: number): ${model === number ? 'number { return x' : 'Float32Array { return new Float32Array()'}; }`;
      const row = `module_path: src/a.ts\nfunction: f\narguments: [1]\noutput: ${output}`;
      const { diagnostics } = await resolve({ 'src/a.ts': text }, row, model);
      return diagnostics.map(({ code }) => code);
    };
    const [vector, matrix, number] = [
      modelOf('v', ['x: n'], 'n'),
      modelOf('m', ['A: m k'], 'm k'),
      modelOf('s', ['x: n'], ''),
    ];

    it.each([
      ['[n]', vector],
      ['[1, n]', vector],
      ['[2·n - n]', vector],
      ['[m·k]', matrix],
      ['[k, m]', matrix],
      ['[1·1]', number],
    ])('%s that has as many elements as the equation', async (output, model) => {
      expect(await problemsOf(output, model)).toEqual([]);
    });

    it.each([
      ['[1]', vector],
      ['[]', vector],
      ['[n + 1]', vector],
      ['[2·n]', vector],
      ['[n // 2]', vector],
      ['[m]', matrix],
      ['[m·k // 2]', matrix],
      ['[2]', number],
      ['[n]', number],
    ])('not with an output %s that has not', async (output, model) => {
      expect(await problemsOf(output, model)).toEqual(['PV-5013']);
    });
  });

  it('without an executable equation, to a subject without a model', async () => {
    const { subject, diagnostics } = await resolve(
      { 'src/a.ts': 'export function softmax(anything: string): string { return anything; }' },
      at,
      null,
    );
    expect(diagnostics).toEqual([]);
    expect(subject?.model).toBeNull();
  });
});

describe('arguments in another order than the function names them', () => {
  const attention = modelOf('softmax', ['q: n', 'k: n', 'v: n'], 'n');
  const resolved = (parameters: string, keys = '') =>
    resolve(
      {
        'src/a.ts': `export function softmax(${parameters}): Float32Array { return new Float32Array(); }`,
      },
      at + keys,
      attention,
    );
  const array = (...names: readonly string[]): string => names.map((name) => `${name}: Float32Array`).join(', ');

  it('are reported at the row, with the row to write', async () => {
    const { subject, diagnostics, places } = await resolved(array('k', 'q', 'v'));
    expect(places).toEqual(['PV-5015 binding.yaml:6']);
    expect(diagnostics[0]).toMatchObject({
      severity: 'warning',
      message:
        '`softmax` gets its arguments in an order that differs from its parameter names: `k` is given q and `q` is given k',
      hint: expect.stringContaining('`arguments: [k, q, v]`'),
      related: [{ span: { source: { path: 'src/a.ts' } } }],
    });
    expect(subject).toBeDefined();
  });

  it('are reported at the argument that a row names', async () => {
    const { places, diagnostics } = await resolved(array('v', 'q', 'k'), '\narguments: [q, k, v]');
    expect(places).toEqual(['PV-5015 binding.yaml:7']);
    expect(diagnostics[0]?.hint).toContain('[v, q, k]');
  });

  it('are found among parameters of other names, which stay where they are', async () => {
    const { places, diagnostics } = await resolved(array('k', 'q', 'values'));
    expect(places).toEqual(['PV-5015 binding.yaml:6']);
    expect(diagnostics[0]?.hint).toContain('[k, q, v]');
  });

  it('are found among sizes', async () => {
    const { diagnostics } = await resolve(
      {
        'src/a.ts':
          'export function softmax(A: Float32Array, k: number, m: number): Float32Array { return A.map((a) => a / m / k); }',
      },
      at,
      modelOf('softmax', ['A: m k'], 'm'),
    );
    expect(diagnostics.map(({ code }) => code)).toEqual(['PV-5015']);
  });

  it.each([
    ['names that agree', array('q', 'k', 'v'), ''],
    ['names that differ', array('a', 'b', 'c'), ''],
    ['one name in another place', array('a', 'q', 'b'), ''],
    ['a row that says the order', array('k', 'q', 'v'), '\narguments: [k, q, v]'],
    ['an input that is given twice', array('q', 'k'), '\narguments: [k, k]'],
  ])('are not reported for %s', async (_, parameters, keys) => {
    expect((await resolved(parameters, keys)).diagnostics).toEqual([]);
  });
});

describe('a binding does not resolve', () => {
  const kernel = (parameters: string, result = 'number'): Record<string, string> => ({
    'src/a.ts': `${gpu}export function softmax(\n${parameters}): ${result} { return 1 as never; }`,
  });

  it('and says how a function with arrays of numbers becomes a kernel', async () => {
    const { diagnostics } = await resolve(kernel('x: readonly number[], n: number', 'Float32Array'), at);
    expect(diagnostics.map(({ hint }) => hint)).toEqual([
      expect.stringMatching(/^expected softmax\(x: Float32Array.* the first parameter `this: KernelThread`$/u),
    ]);
  });

  it.each([
    ['no such module', {}, at, 'PV-5006 binding.yaml:5'],
    ['a Rust path', {}, 'module_path: "aprender::nn::functional"\nfunction: softmax', 'PV-5007 binding.yaml:5'],
    ['a Python file', { 'src/a.py': '' }, 'module_path: src/a.py\nfunction: softmax', 'PV-5007 binding.yaml:5'],
    ['what is not a name', { 'src/a.js': '' }, 'module_path: src/a.js\nfunction: a } from x', 'PV-5008 binding.yaml:6'],
    [
      'a script that does not parse',
      { 'src/a.js': 'export function softmax(x { return x; }' },
      'module_path: src/a.js\nfunction: softmax',
      'PV-5024 src/a.js:1',
    ],
    ['a path out of the project', {}, 'module_path: ../../etc/a.ts\nfunction: softmax', 'PV-5005 binding.yaml:5'],
    ['an absolute path', {}, 'module_path: /etc/a.ts\nfunction: softmax', 'PV-5005 binding.yaml:5'],
    [
      'a phantom function',
      { 'src/a.ts': 'export function softmix(): number { return 1; }' },
      at,
      'PV-5008 binding.yaml:6',
    ],
    [
      'a private function',
      { 'src/a.ts': '\nfunction softmax(): number { return 1; }\nsoftmax();' },
      at,
      'PV-5009 src/a.ts:2',
    ],
    ['something that is no function', { 'src/a.ts': 'export const softmax = 3;' }, at, 'PV-5010 src/a.ts:1'],
    [
      'too many parameters',
      kernel('this: KernelThread, x: readonly number[], n: number, m: number'),
      at,
      'PV-5010 src/a.ts:2',
    ],
    ['too few parameters', kernel('this: KernelThread'), at, 'PV-5010 src/a.ts:2'],
    [
      'a parameter of the wrong rank',
      kernel('this: KernelThread,\nx: readonly (readonly number[])[], n: number'),
      at,
      'PV-5010 src/a.ts:4',
    ],
    [
      'a parameter of the wrong kind',
      kernel('this: KernelThread,\nx: number,\nn: string'),
      at,
      'PV-5010 src/a.ts:4,PV-5010 src/a.ts:5',
    ],
    ['an untyped parameter', kernel('this: KernelThread,\nx: any, n: number'), at, 'PV-5010 src/a.ts:4'],
    [
      'a wrong result',
      kernel('this: KernelThread, x: readonly number[], n: number', 'number[]'),
      at,
      'PV-5010 src/a.ts:3',
    ],
    [
      'nested arrays in a plain function',
      kernel('x: readonly number[], n: number', 'Float32Array'),
      at,
      'PV-5010 src/a.ts:3',
    ],
    [
      'a kernel outside the subset',
      {
        'src/a.ts': `${gpu}export function softmax(this: KernelThread, x: readonly number[], n: number): number {\n  return Math.hypot(x[0]!, n);\n}`,
      },
      at,
      'PV-5020 src/a.ts:3',
    ],
    [
      'threads that the output does not have',
      {
        'src/a.ts': `${gpu}export function softmax(this: KernelThread, x: readonly number[], n: number): number { return x[this.thread.y]! + n; }`,
      },
      at,
      'PV-5025 src/a.ts:2',
    ],
    [
      'an argument that names nothing',
      kernel('this: KernelThread, x: readonly number[], n: number'),
      `${at}\narguments: [x, k]`,
      'PV-5013 binding.yaml:7',
    ],
    [
      'an argument that is no arithmetic',
      kernel('this: KernelThread, x: readonly number[], n: number'),
      `${at}\narguments: [x, "Σ x"]`,
      'PV-5013 binding.yaml:7',
    ],
    [
      'an argument that is prose',
      kernel('this: KernelThread, x: readonly number[], n: number'),
      `${at}\narguments: [x, the size of it]`,
      'PV-5013 binding.yaml:7',
    ],
  ] satisfies readonly (readonly [string, Record<string, string>, string, string])[])(
    'to %s',
    async (_, files, keys, expected) => {
      const { subject, places } = await resolve(files, keys);
      expect(
        places
          .filter((place) => !place.startsWith('PV-5014'))
          .map((place) => place.replace('/project/', ''))
          .join(),
      ).toBe(expected);
      expect(subject).toBeUndefined();
    },
  );

  it('and says what is near, what is expected and where it is bound', async () => {
    const { diagnostics } = await resolve({ 'src/a.ts': 'export function softmix(): number { return 1; }' }, at);
    expect(diagnostics[0]).toMatchObject({ hint: 'did you mean `softmix`?' });
    const wrong = await resolve(kernel('this: KernelThread, x: number, n: number'), at);
    expect(wrong.diagnostics[0]).toMatchObject({
      message: '`x` should be readonly number[] (x ∈ F32^n), not number',
      hint: 'expected softmax(this: KernelThread, x: readonly number[], n: number): number',
      related: [{ message: 'bound here' }],
    });
  });

  it('to equations that no kernel can have', async () => {
    const { places, diagnostics } = await resolve(
      kernel('this: KernelThread, x: readonly number[], n: number'),
      at,
      modelOf('softmax', ['x: a b c d'], 'a'),
    );
    expect(places).toEqual(['PV-5010 binding.yaml:3']);
    expect(diagnostics[0]?.message).toContain('no kernel can compute softmax');
  });

  it('under a configuration that cannot be read, which is one finding for all its modules', async () => {
    const root = mkdtempSync(join(tmpdir(), 'pv-resolve-'));
    writeFileSync(join(root, 'tsconfig.json'), '{ "compilerOptions": {');
    writeFileSync(join(root, 'a.ts'), 'export function f(x: Float32Array): Float32Array { return x; }');
    const row = (equation: string): string =>
      `  - { contract: c, equation: ${equation}, module_path: a.ts, function: f }\n`;
    const { value } = readBindings({ path: 'binding.yaml', text: `bindings:\n${row('one')}${row('two')}` });
    const { value: subjects, diagnostics } = await resolveBindings(value.rows, new Map(), createNodeHost(root));
    rmSync(root, { recursive: true });
    expect(subjects).toEqual([]);
    expect(diagnostics).toMatchObject([{ code: 'PV-5024', subject: 'tsconfig.json' }]);
  });

  it('quietly: type errors of its module are warnings with their place', async () => {
    const { subject, places } = await resolve(
      {
        'src/a.ts': `${gpu}const wrong: string = 3;\nexport function softmax(this: KernelThread, x: readonly number[], n: number): number { return x[0]! + n; }`,
      },
      at,
      softmax,
      true,
    );
    expect(places).toContain('PV-5014 src/a.ts:2');
    expect(subject).toBeDefined();
  });
});
