/** Holds src/subject/wasm/resolve-wasm.ts, src/subject/wasm/read-module.ts, src/subject/planned-subject.ts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readModule } from '../../../src/subject/wasm/read-module.ts';
import { modelOf } from '../../support/models.ts';
import { axpy, moduleOf, relu, wasmSubject, type HandWritten, type ModuleParts } from '../../support/wasm-modules.ts';

/** What the engine says of the same bytes. */
const engine = (
  globalThis as unknown as {
    readonly WebAssembly: {
      readonly validate: (bytes: Uint8Array) => boolean;
      readonly Module: (new (bytes: Uint8Array) => object) & {
        readonly imports: (module: object) => readonly { readonly module: string; readonly name: string }[];
        readonly exports: (module: object) => readonly { readonly kind: string; readonly name: string }[];
      };
    };
  }
).WebAssembly;

const reluModel = modelOf('relu', ['x: n'], 'n');
const axpyModel = modelOf('axpy', ['a:', 'x: n', 'y: n'], 'n');
const dotModel = modelOf('dot', ['x: n', 'y: n'], '');
const dot: HandWritten = { name: 'dot', parameters: ['i32', 'i32', 'i32'], results: ['f32'], body: [0x43, 0, 0, 0, 0] };

describe('a function of a module', () => {
  it('gets the parameters, its result and the sizes, unless the binding says otherwise', async () => {
    const { subject, diagnostics } = await wasmSubject(moduleOf([relu()]), reluModel);
    expect(diagnostics).toEqual([]);
    expect(subject?.program).toMatchObject({
      language: 'function',
      name: 'relu',
      wasm: {
        arguments: [
          { kind: 'address', index: 0 },
          { kind: 'output', from: null },
          { kind: 'value', index: 1, type: 'i32' },
        ],
        memory: 'memory',
        allocates: false,
        isInteger: false,
      },
    });
    expect(subject?.arguments).toEqual([
      { kind: 'parameter', index: 0 },
      { kind: 'size', index: 0 },
    ]);
  });

  it('may return a number, and leave out sizes', async () => {
    const { subject } = await wasmSubject(moduleOf([{ ...dot, parameters: ['i32', 'i32'] }]), dotModel);
    expect(subject?.program.wasm?.arguments).toEqual([
      { kind: 'address', index: 0 },
      { kind: 'address', index: 1 },
    ]);
  });

  it('works in place where the binding says so', async () => {
    const { subject, diagnostics } = await wasmSubject(moduleOf([axpy]), axpyModel, 'arguments: [x, output = y, n, a]');
    expect(diagnostics).toEqual([]);
    expect(subject?.program.wasm?.arguments).toEqual([
      { kind: 'address', index: 0 },
      { kind: 'output', from: 1 },
      { kind: 'value', index: 2, type: 'i32' },
      { kind: 'value', index: 3, type: 'f32' },
    ]);
  });

  const one = { ...dot, name: 'relu', results: [] };
  it.each<[string, readonly HandWritten[], ModuleParts, string, string, string?]>([
    [
      'an import',
      [relu()],
      { imports: ['env.abort', 'wasi.fd_write'] },
      'imports `env.abort` and `wasi.fd_write`',
      'freestanding',
    ],
    ['another name', [{ ...relu(), name: 'relu6' }], {}, 'does not export a function `relu`', 'did you mean `relu6`?'],
    ['no function', [], {}, 'does not export a function `relu`', ''],
    [
      'too few parameters',
      [{ ...one, parameters: ['i32'], body: [] }],
      {},
      'takes 1 parameter (i32), and would get 3 values: x, output, n',
      'arguments: [x, output, n]',
    ],
    [
      'an address that is a float',
      [{ ...one, parameters: ['f32', 'i32', 'i32'], body: [] }],
      {},
      'parameter 1 cannot hold the address of x',
      'arguments: [x, output, n]',
    ],
    [
      'a vector',
      [{ ...one, parameters: ['i32', 'i32', 'v128'], body: [] }],
      {},
      '(i32, i32, other), and parameter 3 cannot hold n',
      'arguments',
    ],
    [
      'no place of the result',
      [relu()],
      {},
      'nothing says where `relu` leaves its result',
      'with output once',
      'arguments: [x, n, n]',
    ],
    [
      'two places of the result',
      [relu()],
      {},
      'nothing says where `relu` leaves its result',
      'with output once',
      'arguments: [output, output = x, n]',
    ],
    [
      'a memory of its own',
      [{ ...one, parameters: ['i32', 'i32', 'i32'], body: [] }],
      { memory: null },
      'the module does not export its memory',
      'export it',
    ],
  ])('is refused with PV-5038: %s', async (_, functions, parts, message, hint, keys = '') => {
    const { subject, diagnostics } = await wasmSubject(moduleOf(functions, parts), reluModel, keys);
    expect(subject).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: 'PV-5038', message: expect.stringContaining(message) }]);
    expect(diagnostics[0]?.hint ?? '').toContain(hint);
  });

  it('is refused where the equation gives a text, or an argument is unknown', async () => {
    const { diagnostics } = await wasmSubject(moduleOf([relu()]), reluModel, 'arguments: [x, output, m]');
    expect(diagnostics).toMatchObject([{ code: 'PV-5013', message: expect.stringContaining('`m`') }]);
    const text = { ...reluModel, result: { kind: 'string' } as const };
    expect((await wasmSubject(moduleOf([relu()]), text)).diagnostics).toMatchObject([{ code: 'PV-5038' }]);
  });

  it('needs a file of its kind', async () => {
    const { diagnostics } = await wasmSubject(moduleOf([relu()]), reluModel, '', { kind: 'wgsl' });
    expect(diagnostics).toMatchObject([{ code: 'PV-5007', message: expect.stringContaining('the kind is wgsl') }]);
    for (const bytes of [new Uint8Array(0), moduleOf([relu()]).slice(0, 30), new TextEncoder().encode('(module)')])
      expect((await wasmSubject(bytes, reluModel)).diagnostics).toMatchObject([
        { code: 'PV-5038', message: expect.stringContaining('is not a WebAssembly module') },
      ]);
  });
});

describe('reading a module', () => {
  it('ends for any bytes, and gives what the engine shows where both accept them', () => {
    const valid = moduleOf([relu(), axpy, dot], { imports: ['env.log'], memory: [1, 4] });
    expect(readModule(valid)).toMatchObject({ imports: ['env.log'], memory: 'memory', isWide: false });
    expect([...(readModule(valid)?.functions ?? [])]).toEqual([
      ['relu', { parameters: ['i32', 'i32', 'i32'], results: [] }],
      ['axpy', { parameters: ['i32', 'i32', 'i32', 'f32'], results: [] }],
      ['dot', { parameters: ['i32', 'i32', 'i32'], results: ['f32'] }],
    ]);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        fc.nat(valid.length),
        (edits, length) => {
          const bytes = valid.slice(0, Math.max(8, length));
          for (const [at, byte] of edits) if (at < bytes.length && at >= 8) bytes[at] = byte;
          const read = readModule(bytes);
          if (read === null || !engine.validate(bytes)) return;
          const module = new engine.Module(bytes);
          const exported = engine.Module.exports(module);
          expect(read.imports).toEqual(engine.Module.imports(module).map((i) => `${i.module}.${i.name}`));
          expect([...read.functions.keys()].toSorted()).toEqual(
            exported
              .filter(({ kind }) => kind === 'function')
              .map((e) => e.name)
              .toSorted(),
          );
        },
      ),
      { numRuns: 3000 },
    );
  });
});
