/**
 * Holds src/math/compile/bounds.ts, src/math/compile/emit-loops.ts, src/math/compile/emit-module.ts,
 * src/math/compile/emit-reduction.ts, src/math/compile/emit-store.ts, src/math/compile/emit-value.ts,
 * src/math/compile/emit.ts, src/math/compile/emitter.ts, src/math/compile/graph.ts, src/math/compile/height.ts,
 * src/math/compile/lower.ts, src/math/compile/node.ts, src/math/compile/rebuild.ts, src/math/compile/rows.ts,
 * src/math/compile/scope.ts, src/math/compile/too-large.ts.
 */
import fc from 'fast-check';
import ts from 'typescript';
import { expect, test } from 'vitest';
import * as b from '../../../src/math/term/build.ts';
import { emitEquation, emitGoal } from '../../../src/math/compile/emit.ts';
import type { GoalMathematics } from '../../../src/math/compile/model.ts';
import { BOOLEAN, FLOAT32, type Term } from '../../../src/math/term/term.ts';
import { attention, causalAttention, matmul, rmsnorm, softmax, x, n, index, over } from '../equations.ts';
import { booleanTerm, numberTerm, parameters, sizes, topScope, vectorTerm } from '../random-term.ts';

const folder = `${process.cwd()}/generated/`;

/** Type errors of modules, under this project's own strict settings. */
function typeErrors(modules: ReadonlyMap<string, string>): string[] {
  const read = ts.readConfigFile('tsconfig.json', (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(read.config, ts.sys, process.cwd());
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (path) => modules.has(path) || disk.fileExists(path),
    readFile: (path) => modules.get(path) ?? disk.readFile(path),
    getSourceFile: (path, language) => {
      const text = modules.get(path);
      return text === undefined ? disk.getSourceFile(path, language) : ts.createSourceFile(path, text, language);
    },
  };
  const paths = { 'provable-contracts/runtime': [`${process.cwd()}/src/runtime/mathematics.ts`] };
  const program = ts.createProgram([...modules.keys()], { ...options, paths, noEmit: true }, host);
  return ts
    .getPreEmitDiagnostics(program)
    .filter((found) => found.file && modules.has(found.file.fileName))
    .map(
      (found) =>
        ts.flattenDiagnosticMessageText(found.messageText, '\n') +
        ` in ${found.file?.fileName ?? ''}: ${found.file?.text.slice(found.start ?? 0, (found.start ?? 0) + 60) ?? ''}`,
    );
}

function goalOf(predicate: Term, preconditions: readonly Term[] = []): GoalMathematics {
  const plain = { lower: null, upper: null, choices: null, excluded: [], nonFinite: false, structure: 'none' } as const;
  return {
    id: 'g',
    formal: 'f',
    domain: {
      sizes: sizes.map((name) => ({ name, minimum: 1, maximum: 4, multipleOf: 1, definition: null })),
      variables: parameters.map(({ name, type }) =>
        type.kind === 'tensor'
          ? { name, element: type.element, shape: type.shape, ...plain }
          : { name, element: type, shape: [], ...plain },
      ),
      preconditions,
    },
    applications: [{ output: 'out:0', arguments: [x, b.variable('c', FLOAT32)], sizes: [n], type: x.type }],
    predicate,
  };
}

test('emitted TypeScript satisfies the strictest compiler settings', () => {
  const modules = new Map<string, string>();
  const add = (name: string, text: string): unknown => modules.set(`${folder}${name}.ts`, text);
  for (const model of [softmax, matmul, rmsnorm, attention, causalAttention]) {
    for (const arithmetic of ['float64', 'float32'] as const)
      add(`${model.name.replace(' ', '-')}-${arithmetic}`, emitEquation(model, { arithmetic, language: 'ts' }));
  }
  const output = b.element(b.variable('out:0', x.type), [index('i')]);
  const approximate = b.call('approximately', output, b.element(softmax.body, [index('i')]), b.decimal('1e-6'));
  add(
    'softmax-goal',
    emitGoal(goalOf(b.reduce('all', [over('i')], approximate), [b.variable('p', BOOLEAN)]), { language: 'ts' }),
  );
  const one = b.integer(1);
  const ground: Term[] = [
    b.boolean(false),
    b.call('approximately', one, b.decimal('2.5'), one),
    b.call('equal', b.decimal('0.5'), b.decimal('1.5')),
    {
      kind: 'call',
      fn: 'or',
      arguments: [b.boolean(true), b.call('less', one, b.integer(2))],
      type: BOOLEAN,
      origin: null,
    },
    {
      kind: 'call',
      fn: 'implies',
      arguments: [b.boolean(false), b.variable('p', BOOLEAN)],
      type: BOOLEAN,
      origin: null,
    },
  ];
  ground.forEach((predicate, k) =>
    add(
      `ground-${k}`,
      emitGoal(goalOf(b.call('and', predicate, b.variable('p', BOOLEAN)), [predicate]), { language: 'ts' }),
    ),
  );
  fc.assert(
    fc.property(fc.gen(), (draw) => {
      const id = modules.size;
      const scope = topScope(draw);
      add(
        `random-${id}`,
        emitEquation(
          { name: 'random', parameters, sizes, body: id % 2 === 0 ? numberTerm(scope, 4) : vectorTerm(scope, 4) },
          { arithmetic: 'float32', language: 'ts' },
        ),
      );
      add(`random-goal-${id}`, emitGoal(goalOf(booleanTerm(scope, 4), [booleanTerm(scope, 2)]), { language: 'ts' }));
    }),
    { numRuns: 60, seed: 3 },
  );
  expect(typeErrors(modules)).toEqual([]);
});
