/**
 * The functions of a module that gpu.js compiles: those with `this: KernelThread`, those that read `this.thread.x`, those given
 * to `createKernel` and `createKernelMap`, and those that the settings of a kernel name under `functions`.
 */
import type { ts } from 'ts-morph';
import type { Module } from '../module.ts';
import { bare, calledName, propertyName } from '../syntax/names.ts';
import { declarationAt } from '../syntax/scope.ts';
import { functionAround, isFunction, under, type FunctionNode } from '../syntax/walk.ts';

/** A function that runs on a GPU. */
export interface Kernel {
  readonly node: FunctionNode;
  readonly body: ts.Node;
  /** Parameters by what the body does with them: elements are read of arrays. */
  readonly arrays: ReadonlySet<string>;
  readonly scalars: ReadonlySet<string>;
  /** The call that makes a kernel of it; null for a function that pv binds, whose settings are pv's. */
  readonly creation: ts.CallExpression | null;
}

/** Words, at least one of which is in every file with a kernel. */
export const kernelWords = /\bKernelThread\b|\bIKernelFunctionThis\b|\bcreateKernel(?:Map)?\b|\bthis\.thread\.[xyz]\b/;

const known = new WeakMap<Module, readonly Kernel[]>();

/** Every kernel of a module; found once per module. */
export function kernelsIn(module: Module): readonly Kernel[] {
  const kernels = known.get(module) ?? find(module);
  known.set(module, kernels);
  return kernels;
}

function find(module: Module): readonly Kernel[] {
  const { ts } = module;
  const threaded = [...module.all(ts.isFunctionDeclaration), ...module.all(ts.isFunctionExpression)].filter((node) =>
    node.parameters.some(
      ({ name, type }) =>
        ts.isIdentifier(name) &&
        name.text === 'this' &&
        /^(?:KernelThread|IKernelFunctionThis)\b/u.test(type?.getText() ?? ''),
    ),
  );
  const reading = module.all(ts.isPropertyAccessExpression).flatMap((access) => {
    const isThread = /^this\.thread\.[xyz]$/u.test(access.getText(module.file));
    const around = isThread ? functionAround(ts, access) : null;
    return around && (ts.isFunctionDeclaration(around) || ts.isFunctionExpression(around)) ? [around] : [];
  });
  const found = new Map<FunctionNode, Kernel>();
  for (const node of [...threaded, ...reading, ...givenFunctions(module)])
    if (node.body) found.set(node, kernelOf(module, node, node.body, null));
  for (const creation of creations(module)) {
    for (const argument of creation.arguments) {
      const node = functionOf(module, argument);
      if (node?.body) found.set(node, kernelOf(module, node, node.body, creation));
    }
  }
  return [...found.values()];
}

/** The functions that a call of a maker of kernels names: under `functions: [f, g]`, and as the outputs of a map. */
function givenFunctions(module: Module): readonly FunctionNode[] {
  const { ts } = module;
  return module.all(ts.isPropertyAssignment).flatMap(({ name, initializer, parent }) => {
    const call = parent.parent;
    if (!ts.isCallExpression(call)) return [];
    const maker = calledName(ts, call) ?? '';
    const value = bare(ts, initializer);
    const isMap = /kernelMap$/iu.test(maker) && call.arguments[0] === parent;
    if (isMap && ts.isIdentifier(value)) return functionOf(module, value) ?? [];
    if (!/kernel/iu.test(maker) || propertyName(ts, name) !== 'functions' || !ts.isArrayLiteralExpression(value))
      return [];
    return value.elements.flatMap((one) => functionOf(module, one) ?? []);
  });
}

/** The names of functions that gpu.js is given: `addFunction(f)`, `functions: [f]`, `alias('g', f)`, and the outputs of a map of kernels. */
export function givenNames(module: Module): readonly string[] {
  const { ts } = module;
  return module.all(ts.isCallExpression).flatMap((call) => {
    const name = calledName(ts, call) ?? '';
    if (/^(addFunction|addNativeFunction|setFunctions|alias|_?alias)$/u.test(name))
      return namesIn(module, call.arguments);
    if (!/kernel/iu.test(name)) return [];
    return call.arguments.flatMap((argument) => {
      const literal = bare(ts, argument);
      if (ts.isArrayLiteralExpression(literal)) return namesIn(module, literal.elements);
      if (!ts.isObjectLiteralExpression(literal)) return [];
      return literal.properties.flatMap((property) => {
        if (ts.isShorthandPropertyAssignment(property)) return [property.name.text];
        if (!ts.isPropertyAssignment(property)) return [];
        const value = bare(ts, property.initializer);
        // An object of functions: `functions: { f: function (x) … }`.
        const keys = ts.isObjectLiteralExpression(value)
          ? value.properties.flatMap(({ name: key }) => (key && propertyName(ts, key)) ?? [])
          : [];
        return [...keys, ...namesIn(module, ts.isArrayLiteralExpression(value) ? value.elements : [value])];
      });
    });
  });
}

/** The names that expressions are: identifiers, the names of functions, and texts. */
function namesIn(module: Module, list: readonly ts.Expression[]): readonly string[] {
  const { ts } = module;
  return list.flatMap((argument) => {
    const node = bare(ts, argument);
    if (ts.isArrayLiteralExpression(node)) return namesIn(module, node.elements);
    if (ts.isStringLiteralLike(node) || ts.isIdentifier(node)) return [node.text];
    return ts.isFunctionExpression(node) && node.name ? [node.name.text] : [];
  });
}

/** The calls of `createKernel` and `createKernelMap`. */
export function creations(module: Module): readonly ts.CallExpression[] {
  return module
    .all(module.ts.isCallExpression)
    .filter((call) => /^createKernel(?:Map)?$/u.test(calledName(module.ts, call) ?? ''));
}

/** The function that an argument is, or names in this module. */
function functionOf(module: Module, argument: ts.Expression): FunctionNode | null {
  const { ts } = module;
  const expression = bare(ts, argument);
  if (isFunction(ts, expression)) return expression;
  if (!ts.isIdentifier(expression)) return null;
  const declared = declarationAt(module, expression.text, expression);
  if (!declared) return null;
  if (ts.isFunctionDeclaration(declared)) return declared;
  const initial = ts.isVariableDeclaration(declared) && declared.initializer ? bare(ts, declared.initializer) : null;
  return initial && isFunction(ts, initial) ? initial : null;
}

function kernelOf(module: Module, node: FunctionNode, body: ts.Node, creation: ts.CallExpression | null): Kernel {
  const { ts } = module;
  const names = node.parameters.flatMap(({ name }) =>
    ts.isIdentifier(name) && name.text !== 'this' ? [name.text] : [],
  );
  const read = new Set(
    under(ts, body, ts.isElementAccessExpression).flatMap((access) => {
      const of = bare(ts, access.expression);
      return ts.isIdentifier(of) ? [of.text] : [];
    }),
  );
  return {
    node,
    body,
    arrays: new Set(names.filter((name) => read.has(name))),
    scalars: new Set(names.filter((name) => !read.has(name))),
    creation,
  };
}

/** The calls of functions of `Math` with one of these names, in a kernel. */
export function mathCalls({ ts }: Module, { body }: Kernel, ...names: readonly string[]): readonly ts.CallExpression[] {
  return under(ts, body, ts.isCallExpression).filter(({ expression }) => {
    const at = bare(ts, expression);
    return (
      ts.isPropertyAccessExpression(at) &&
      ts.isIdentifier(at.expression) &&
      at.expression.text === 'Math' &&
      names.includes(at.name.text)
    );
  });
}
