/** gpu.js kernels that return textures which their next call overwrites. */
import type { ts } from 'ts-morph';
import type { Module } from './module.ts';
import { bare, calledName, keyOf, propertyName, receiverOf } from './syntax/names.ts';

/** A kernel with `pipeline: true`, and which calls run it. */
export interface PipelineKernel {
  readonly name: string;
  readonly isCalledBy: (call: ts.CallExpression) => boolean;
}

/** What the code says about a kernel; null if it does not say. */
interface Options {
  readonly pipeline: boolean | null;
  readonly immutable: boolean | null;
}

/** The kernels of a module that are declared with `pipeline` and without `immutable`. */
export function pipelineKernels(module: Module): readonly PipelineKernel[] {
  const { ts } = module;
  const creations = module.all(ts.isCallExpression).filter((call) => calledName(ts, call) === 'createKernel');
  return creations.flatMap((creation) => {
    const chain = chainFrom(module, creation);
    const name = holderOf(module, chain.end);
    if (name === null) return [];
    const said = [optionsIn(module, creation.arguments[1]), ...chain.settings, ...settingsOf(module, name)];
    const last = (of: (options: Options) => boolean | null): boolean =>
      said.map(of).findLast((one) => one !== null) ?? false;
    if (!last(({ pipeline }) => pipeline) || last(({ immutable }) => immutable)) return [];
    return [{ name, isCalledBy: (call) => keyOf(bare(ts, call.expression)) === name }];
  });
}

/** The methods chained to a creation: `.setOutput([n]).setPipeline(true)`. */
function chainFrom(
  module: Module,
  creation: ts.CallExpression,
): { readonly end: ts.Expression; readonly settings: readonly Options[] } {
  const { ts } = module;
  const settings: Options[] = [];
  let end: ts.Expression = creation;
  for (;;) {
    const { parent } = end;
    if (ts.isExpression(parent) && bare(ts, parent) === bare(ts, end) && parent !== end) end = parent;
    else if (ts.isPropertyAccessExpression(parent) && parent.expression === end && ts.isCallExpression(parent.parent)) {
      settings.push(settingOf(module, parent.parent));
      end = parent.parent;
    } else return { end, settings };
  }
}

/** `k` of `const k = …`, `this.k` of `this.k = …` and of the field `k = …`. */
function holderOf({ ts }: Module, value: ts.Expression): string | null {
  const { parent } = value;
  if (ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name)) return parent.name.text;
  if (ts.isPropertyDeclaration(parent)) return `this.${propertyName(ts, parent.name) ?? ''}`;
  const isAssignment = ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;
  return isAssignment && parent.right === value ? keyOf(parent.left) : null;
}

/** `k.setPipeline(true)` anywhere in the module. */
function settingsOf(module: Module, name: string): readonly Options[] {
  const { ts } = module;
  return module.all(ts.isCallExpression).flatMap((call) => {
    const owner = receiverOf(ts, call);
    return owner && keyOf(owner) === name ? [settingOf(module, call)] : [];
  });
}

function settingOf(module: Module, call: ts.CallExpression): Options {
  const value = flag(module, call.arguments[0]);
  const name = calledName(module.ts, call);
  return { pipeline: name === 'setPipeline' ? value : null, immutable: name === 'setImmutable' ? value : null };
}

/** Options that cannot be read here may say `immutable`: nothing is claimed of their kernel. */
const unknown: Options = { pipeline: null, immutable: true };

function optionsIn(module: Module, argument: ts.Expression | undefined): Options {
  const { ts } = module;
  if (!argument) return { pipeline: null, immutable: null };
  const literal = bare(ts, argument);
  if (!ts.isObjectLiteralExpression(literal) || literal.properties.some((one) => ts.isSpreadAssignment(one)))
    return unknown;
  const valueOf = (name: string): boolean | null => {
    const property = literal.properties.find((one) => one.name && propertyName(ts, one.name) === name);
    if (!property) return null;
    return ts.isPropertyAssignment(property) ? flag(module, property.initializer) : name === 'immutable';
  };
  return { pipeline: valueOf('pipeline'), immutable: valueOf('immutable') };
}

/** Anything but `false` may be true; only `true` is. */
function flag({ ts }: Module, value: ts.Expression | undefined): boolean {
  return value?.kind === ts.SyntaxKind.TrueKeyword;
}
