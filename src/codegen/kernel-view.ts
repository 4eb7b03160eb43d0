/**
 * Bound kernels as a generated test imports, types and calls them.
 */
import type { Expression } from '../math/notation/syntax.ts';
import { printArgument } from '../subject/argument-expression.ts';
import type { BoundSubject } from '../subject/bound-subject.ts';
import { referenceText } from '../backends/reference-text.ts';
import { distinct, toCommentLine, toIdentifier, toLiteral } from './names.ts';

/** What the template of a test shows of one kernel. */
export interface KernelView {
  readonly key: string;
  readonly importName: string;
  readonly module: string;
  readonly wrapper: 'threadKernel' | 'functionKernel';
  /** What the wrapper is called with. */
  readonly expression: string;
  /** The name and the module of its texts; both null for a plain function. */
  readonly texts: string | null;
  readonly textsModule: string | null;
  /** The member of the contract's interface that the function must fit; null if the binding calls it in another way. */
  readonly member: { readonly name: string; readonly value: string } | null;
}

/** One bound kernel, and its names in the test. */
export interface KernelViewRequest {
  readonly subject: BoundSubject;
  /** The name of the equation in goals. */
  readonly key: string;
  /** What the test calls the function. */
  readonly name: string;
  /** The interface's member for the equation; null if it belongs to another contract. */
  readonly member: string | null;
  readonly importPath: (module: string) => string;
  /** What the test calls the kernel's texts, and their module without ending. */
  readonly texts: { readonly name: string; readonly module: string };
}

/**
 * The import, the type and the wrapper of a kernel. It is typed by the interface only if arguments and results fit it
 * unchanged.
 */
export function kernelView({ subject, key, name, member, importPath, texts: file }: KernelViewRequest): KernelView {
  const { module, program } = subject;
  const { order, shape } = callTexts(subject);
  const typed = member !== null && order === null && shape === null;
  const texts = program.syntax && file.name;
  const constant = constantOf(program);
  return {
    key: key === '__proto__' ? `[${toLiteral(key)}]` : toLiteral(key),
    importName: name === subject.name ? name : `${subject.name} as ${name}`,
    module: toLiteral(importPath(module)),
    wrapper: program.language === 'gpu.js' ? 'threadKernel' : 'functionKernel',
    expression: [
      typed ? `${constant}.${member}` : name,
      ...(texts === null ? (order === null ? [] : [order]) : optionsText({ texts, order, shape })),
    ].join(', '),
    texts,
    textsModule: texts === null ? null : toLiteral(`./${file.module}.js`),
    member: typed ? { name: member, value: name } : null,
  };
}

/** The constant of a test that holds its kernels of one kind to the interface. */
export function constantOf({ language }: Pick<BoundSubject['program'], 'language'>): 'threads' | 'functions' {
  return language === 'gpu.js' ? 'threads' : 'functions';
}

/** The module of each kernel's texts in the folder of the contract that tests them, without ending. No two share one. */
export function kernelFileNames(subjects: readonly BoundSubject[]): ReadonlyMap<BoundSubject, string> {
  const names = distinct(
    subjects.map(({ contract, equation }) => `${contract}.${toIdentifier(equation)}`),
    [],
    '-',
  );
  return new Map(subjects.map((subject, at) => [subject, `kernels/${names[at] ?? subject.equation}`]));
}

/** What `templates/kernel.hbs` shows; null for a plain function, whose text is its own. */
export function kernelTextsView({ name, program }: BoundSubject): object | null {
  if (!program.syntax) return null;
  const lines = (arithmetic: 'f32' | 'f64', syntax = program.syntax): string =>
    syntax === null ? '[]' : linesText(referenceText(syntax, arithmetic));
  return { name: toCommentLine(name), float32: lines('f32'), float64: lines('f64') };
}

/** A text as an array of its lines, one per line. */
function linesText(text: string): string {
  const lines = text.trimEnd().split('\n');
  return `[\n${lines.map((line) => `  ${toLiteral(line)}`).join(',\n')}\n]`;
}

interface CallTexts {
  /** Where the kernel's arguments and its output's shape come from, if not from the equation. */
  readonly order: string | null;
  readonly shape: string | null;
}

function optionsText({ texts, order, shape }: CallTexts & { readonly texts: string }): readonly string[] {
  return [
    `{ ${[`texts: ${texts}`, ...(order === null ? [] : [`order: ${order}`]), ...(shape === null ? [] : [`shape: ${shape}`])].join(', ')} }`,
  ];
}

function callTexts(subject: BoundSubject): CallTexts {
  const { arguments: sources, output, model } = subject;
  const parameters = model?.parameters.length ?? 0;
  const items = sources.map((source) =>
    source.kind === 'expression'
      ? computed(source.expression, subject)
      : String(source.kind === 'parameter' ? source.index : parameters + source.index),
  );
  const inOrder = items.every((item, at) => item === String(at));
  return {
    order: inOrder ? null : `[${items.join(', ')}]`,
    shape: output && `[${output.map((size) => computed(size, subject)).join(', ')}]`,
  };
}

function computed(expression: Expression, { model }: BoundSubject): string {
  const names = [...(model?.parameters.map(({ name }) => name) ?? []), ...(model?.sizes ?? [])];
  const text = printArgument(expression, (name) => `Number(values[${names.indexOf(name)}])`);
  // A constant reads none of them, and compilers reject unused parameters.
  return text.includes('values[') ? `(values) => ${text}` : `() => ${text}`;
}
