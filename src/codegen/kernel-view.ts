/**
 * Bound kernels as a generated test imports, types and calls them.
 */
import type { Expression } from '../math/notation/syntax.ts';
import { printArgument } from '../subject/argument-expression.ts';
import type { BoundSubject } from '../subject/bound-subject.ts';
import { toLiteral } from './names.ts';

export interface KernelView {
  readonly key: string;
  readonly importName: string;
  readonly module: string;
  readonly wrapper: 'threadKernel' | 'functionKernel';
  /** What the wrapper is called with. */
  readonly expression: string;
  /** The member of the contract's interface that the function must fit; null where the binding calls it in another way. */
  readonly member: { readonly name: string; readonly value: string } | null;
}

export interface KernelViewRequest {
  readonly subject: BoundSubject;
  /** The name of the equation in goals. */
  readonly key: string;
  /** What the test calls the function. */
  readonly name: string;
  /** The interface's member for the equation; null when it belongs to another contract. */
  readonly member: string | null;
  readonly importPath: (module: string) => string;
}

export function kernelView({ subject, key, name, member, importPath }: KernelViewRequest): KernelView {
  const { module, program } = subject;
  const call = callText(subject);
  const typed = member !== null && call === '';
  const constant = constantOf(program);
  return {
    key: key === '__proto__' ? `[${toLiteral(key)}]` : toLiteral(key),
    importName: name === subject.name ? name : `${subject.name} as ${name}`,
    module: toLiteral(importPath(module)),
    wrapper: program.language === 'gpu.js' ? 'threadKernel' : 'functionKernel',
    expression: typed ? `${constant}.${member}` : `${name}${call}`,
    member: typed ? { name: member, value: name } : null,
  };
}

/** The constant of a test that holds its kernels of one kind to the interface. */
export function constantOf({ language }: Pick<BoundSubject['program'], 'language'>): 'threads' | 'functions' {
  return language === 'gpu.js' ? 'threads' : 'functions';
}

/** Further arguments of the wrapper: where the kernel's arguments and its output's shape come from, if not from the equation. */
function callText(subject: BoundSubject): string {
  const { arguments: sources, output, model } = subject;
  const parameters = model?.parameters.length ?? 0;
  const items = sources.map((source) =>
    source.kind === 'expression'
      ? computed(source.expression, subject)
      : String(source.kind === 'parameter' ? source.index : parameters + source.index),
  );
  const inOrder = items.every((item, at) => item === String(at));
  const shape = output && `[${output.map((size) => computed(size, subject)).join(', ')}]`;
  const order = inOrder ? 'undefined' : `[${items.join(', ')}]`;
  return shape ? `, ${order}, ${shape}` : inOrder ? '' : `, ${order}`;
}

function computed(expression: Expression, { model }: BoundSubject): string {
  const names = [...(model?.parameters.map(({ name }) => name) ?? []), ...(model?.sizes ?? [])];
  return `(values) => ${printArgument(expression, (name) => `Number(values[${names.indexOf(name)}])`)}`;
}
