import { positionAt } from '../diagnostics/source.ts';
import type { KernelExpression, KernelFunction, KernelStatement, Place } from './kernel-syntax.ts';

type Node = KernelExpression | KernelStatement;

/** Text as it grows, and where each node starts in it. */
interface Writer {
  text: string;
  readonly starts: Map<Node, number>;
}

/**
 * The canonical JavaScript of a kernel: what gpu.js compiles and what the hash is taken of.
 *
 * Equal syntax gives equal text; every body is in braces and every operand that could be misread in parentheses.
 */
export function printKernel(kernel: KernelFunction): string {
  return written(kernel).text;
}

/** The places of a kernel's nodes in its canonical text, which types, comments and layout do not move. */
export function canonicalPlaces(kernel: KernelFunction): (node: Node) => Place | null {
  const { text, starts } = written(kernel);
  const source = { path: kernel.name, text };
  return (node) => {
    const start = starts.get(node);
    return start === undefined ? null : positionAt(source, start);
  };
}

/** One statement on one line, as shown in mutant names. */
export function printStatement(statement: KernelStatement): string {
  const writer: Writer = { text: '', starts: new Map() };
  writeStatement(writer, statement, '');
  return writer.text;
}

/** One expression. */
export function printExpression(expression: KernelExpression): string {
  const writer: Writer = { text: '', starts: new Map() };
  writeExpression(writer, expression);
  return writer.text;
}

function written(kernel: KernelFunction): Writer {
  const parameters = kernel.parameters.map((parameter) => parameter.name).join(', ');
  const writer: Writer = { text: `function ${kernel.name}(${parameters}) `, starts: new Map() };
  writeBlock(writer, kernel.body, '');
  writer.text += '\n';
  return writer;
}

function writeBlock(writer: Writer, statements: readonly KernelStatement[], indent: string): void {
  writer.text += '{\n';
  for (const statement of statements) {
    writer.text += `${indent}  `;
    writeStatement(writer, statement, `${indent}  `);
    writer.text += '\n';
  }
  writer.text += `${indent}}`;
}

/** `indent` is that of the statement's line. */
function writeStatement(writer: Writer, statement: KernelStatement, indent: string): void {
  writer.starts.set(statement, writer.text.length);
  switch (statement.kind) {
    case 'if':
      writeBetween(writer, 'if (', statement.condition, ') ');
      writeBlock(writer, statement.then, indent);
      if (statement.otherwise === null) return;
      writer.text += ' else ';
      writeBlock(writer, statement.otherwise, indent);
      return;
    case 'for':
      writer.text += 'for (';
      writeSimple(writer, statement.initial);
      writeBetween(writer, '; ', statement.condition, '; ');
      writeSimple(writer, statement.update);
      writer.text += ') ';
      writeBlock(writer, statement.body, indent);
      return;
    case 'while':
      writeBetween(writer, 'while (', statement.condition, ') ');
      writeBlock(writer, statement.body, indent);
      return;
    default:
      writeSimple(writer, statement);
      writer.text += ';';
  }
}

/** A statement without a body and without its semicolon. */
function writeSimple(writer: Writer, statement: KernelStatement): void {
  writer.starts.set(statement, writer.text.length);
  switch (statement.kind) {
    case 'declare':
      writer.text += `${statement.constant ? 'const' : 'let'} ${statement.name} = `;
      writeExpression(writer, statement.value);
      return;
    case 'assign':
      writer.text += `${statement.name} ${statement.operator}= `;
      writeExpression(writer, statement.value);
      return;
    case 'step':
      writer.text += `${statement.name}${statement.by === 1 ? '++' : '--'}`;
      return;
    case 'return':
      writer.text += 'return ';
      writeExpression(writer, statement.value);
      return;
    default:
      writer.text += statement.kind;
  }
}

function writeExpression(writer: Writer, expression: KernelExpression): void {
  writer.starts.set(expression, writer.text.length);
  switch (expression.kind) {
    case 'number':
    case 'boolean':
      writer.text += String(expression.value);
      return;
    case 'infinity':
      writer.text += 'Infinity';
      return;
    case 'name':
      writer.text += expression.name;
      return;
    case 'thread':
    case 'output':
      writer.text += `this.${expression.kind}.${expression.axis}`;
      return;
    case 'math-constant':
      writer.text += `Math.${expression.name}`;
      return;
    default:
      writeCompound(writer, expression);
  }
}

type Compound = Extract<
  KernelExpression,
  { kind: 'element' | 'call' | 'unary' | 'binary' | 'logical' | 'conditional' }
>;

function writeCompound(writer: Writer, expression: Compound): void {
  switch (expression.kind) {
    case 'element':
      writer.text += expression.array;
      for (const index of expression.indices) writeBetween(writer, '[', index, ']');
      return;
    case 'call':
      writer.text += `Math.${expression.fn}`;
      for (const [i, argument] of expression.arguments.entries())
        writeBetween(writer, i === 0 ? '(' : ', ', argument, '');
      writer.text += ')';
      return;
    case 'unary':
      writer.text += expression.operator;
      writeOperand(writer, expression.operand);
      return;
    case 'binary':
    case 'logical':
      writeOperand(writer, expression.left);
      writer.text += ` ${expression.operator} `;
      writeOperand(writer, expression.right);
      return;
    case 'conditional':
      writeOperand(writer, expression.condition);
      writer.text += ' ? ';
      writeOperand(writer, expression.then);
      writer.text += ' : ';
      writeOperand(writer, expression.otherwise);
  }
}

function writeBetween(writer: Writer, before: string, expression: KernelExpression, after: string): void {
  writer.text += before;
  writeExpression(writer, expression);
  writer.text += after;
}

function writeOperand(writer: Writer, expression: KernelExpression): void {
  const { kind } = expression;
  const compound = kind === 'binary' || kind === 'logical' || kind === 'conditional' || kind === 'unary';
  if (compound) writeBetween(writer, '(', expression, ')');
  else writeExpression(writer, expression);
}
