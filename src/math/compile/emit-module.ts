/** The frame of an emitted module: one function `create(m)` that returns what was compiled, and nothing imported at run time. */
import { lowerTensor, lower, type Lowering } from './lower.ts';
import { fill } from './emit-store.ts';
import { valueOf } from './emit-value.ts';
import { forRoots } from './emitter.ts';
import type { Term, Type } from '../term/term.ts';
import type { GraphNode } from './node.ts';
import { functionScope, type Emitter, type Scope } from './scope.ts';

/** What goes into the frame of a module. */
export interface ModuleParts {
  /** Functions and the returned expression, in `create`. */
  readonly body: readonly string[];
  readonly result: string;
  readonly resultType: 'CompiledGoal' | 'CompiledEquation';
}

const importedTypes = {
  CompiledGoal: ['CaseValue', 'CheckReport', 'CompiledGoal', 'Mathematics'],
  CompiledEquation: ['CaseValue', 'CompiledEquation', 'Mathematics'],
} as const;

const indent = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);

/** The whole module; in TypeScript it imports its types from the runtime. */
export function moduleText(emitter: Emitter, { body, result, resultType }: ModuleParts): string {
  const statements = indent([...emitter.scratch, ...body, `return ${result};`]);
  const library = statements.some((line) => line.includes('m.')) ? 'm' : '_m';
  const head = emitter.typescript
    ? [
        `import type { ${importedTypes[resultType].join(', ')} } from 'provable-contracts/runtime';`,
        '',
        `export function create(${library}: Mathematics): ${resultType} {`,
      ]
    : ['export function create(m) {'];
  return [...head, ...statements, '}', ''].join('\n');
}

/** Types of the parameters of emitted functions, by name. */
const parameterTypes = {
  sizes: 'readonly number[]',
  values: 'readonly CaseValue[]',
  outputs: 'readonly CaseValue[]',
  report: 'CheckReport',
} as const;

/** The names of parameters that emitted functions share. */
export type FunctionParameter = keyof typeof parameterTypes;

/** One emitted function. */
export interface FunctionParts {
  readonly name: string;
  readonly parameters: readonly FunctionParameter[];
  readonly result: string;
}

/** A function whose statements `write` puts into a fresh scope. */
export function functionText(
  emitter: Emitter,
  { name, parameters, result }: FunctionParts,
  roots: readonly GraphNode[],
  write: (emitter: Emitter, scope: Scope) => void,
): string[] {
  const scope = functionScope();
  write(forRoots(emitter, roots), scope);
  const used = (parameter: FunctionParameter): boolean =>
    scope.lines.some((line) => line.includes(parameter === 'report' ? parameter : `${parameter}[`));
  // A leading underscore tells TypeScript and linters that only the signature needs the parameter.
  const list = parameters
    .map((parameter) =>
      emitter.typescript ? `${used(parameter) ? '' : '_'}${parameter}: ${parameterTypes[parameter]}` : parameter,
    )
    .join(', ');
  return [`function ${name}(${list})${emitter.typescript ? `: ${result}` : ''} {`, ...indent(scope.lines), '}'];
}

/** How a value leaves the mathematics: rounded to the format that the receiver stores. */
export type Storage = 'float32' | 'float64' | 'int32';

const arrayNames = { float32: 'Float32Array', float64: 'Float64Array', int32: 'Int32Array' } as const;
const converters = { float32: 'm.float32Array', float64: 'm.float64Array', int32: 'm.int32Array' } as const;

/** Lowers a whole value; `write` later gives the expression of a fresh typed array, or of a scalar. */
export function lowerValue(lowering: Lowering, term: Term): GraphNode {
  return term.type.kind === 'tensor' ? lowerTensor(lowering, term).node : lower(lowering, term);
}

/** An expression for a lowered tensor in the given storage. An array that is already in that storage is passed on unchanged. */
export function arrayExpression(emitter: Emitter, node: GraphNode, storage: Storage, scope: Scope): string {
  if (node.op !== 'store') return `${converters[storage]}(${valueOf(emitter, node, scope)})`;
  const target = `out${(emitter.names.used += 1)}`;
  // What is read back while it is stored keeps its precision until all of it is there.
  const filled = node.self ? 'float64' : storage;
  scope.lines.push(`const ${target} = new ${arrayNames[filled]}(${valueOf(emitter, node.length, scope)});`);
  fill(emitter, node, target, scope);
  return filled === storage ? target : `${converters[storage]}(${target})`;
}

/** An expression for a lowered scalar as a `CaseValue`. */
export function scalarExpression(emitter: Emitter, node: GraphNode, storage: Storage, scope: Scope): string {
  const value = valueOf(emitter, node, scope);
  if (node.kind === 'boolean') return `(${value} ? 1 : 0)`;
  return storage === 'float32' && node.kind === 'number' ? `Math.fround(${value})` : value;
}

/** Reals are received as float32, the format of the kernels; only float64 is kept wider. */
export function storageOf(type: Type): Storage {
  const element = type.kind === 'tensor' ? type.element : type;
  if (element.kind === 'integer') return 'int32';
  return element.kind === 'float' && element.format === 'f64' ? 'float64' : 'float32';
}
