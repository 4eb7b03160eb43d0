import type { KernelExpression, KernelFunction, KernelStatement } from './kernel-syntax.ts';

/**
 * The canonical JavaScript of a kernel: what gpu.js compiles and what the hash is taken of.
 *
 * Equal syntax gives equal text; every body stands in braces and every operand that could be misread in parentheses.
 */
export function printKernel(kernel: KernelFunction): string {
  const parameters = kernel.parameters.map((parameter) => parameter.name).join(', ');
  return `function ${kernel.name}(${parameters}) {\n${printBlock(kernel.body, '  ')}}\n`;
}

function printBlock(statements: readonly KernelStatement[], indent: string): string {
  return statements.map((statement) => `${indent}${printStatement(statement, indent)}\n`).join('');
}

/** One statement; `indent` is that of the line it stands on. */
export function printStatement(statement: KernelStatement, indent = ''): string {
  const block = (body: readonly KernelStatement[]): string => `{\n${printBlock(body, `${indent}  `)}${indent}}`;
  switch (statement.kind) {
    case 'if': {
      const otherwise = statement.otherwise === null ? '' : ` else ${block(statement.otherwise)}`;
      return `if (${printExpression(statement.condition)}) ${block(statement.then)}${otherwise}`;
    }
    case 'for':
      return `for (${printSimple(statement.initial)}; ${printExpression(statement.condition)}; ${printSimple(statement.update)}) ${block(statement.body)}`;
    case 'while':
      return `while (${printExpression(statement.condition)}) ${block(statement.body)}`;
    default:
      return `${printSimple(statement)};`;
  }
}

function printSimple(statement: KernelStatement): string {
  switch (statement.kind) {
    case 'declare':
      return `${statement.constant ? 'const' : 'let'} ${statement.name} = ${printExpression(statement.value)}`;
    case 'assign':
      return `${statement.name} ${statement.operator}= ${printExpression(statement.value)}`;
    case 'step':
      return `${statement.name}${statement.by === 1 ? '++' : '--'}`;
    case 'return':
      return `return ${printExpression(statement.value)}`;
    default:
      return statement.kind;
  }
}

/** One expression; also what people read in mutant names. */
export function printExpression(expression: KernelExpression): string {
  switch (expression.kind) {
    case 'number':
      return String(expression.value);
    case 'boolean':
      return String(expression.value);
    case 'infinity':
      return 'Infinity';
    case 'name':
      return expression.name;
    case 'thread':
    case 'output':
      return `this.${expression.kind}.${expression.axis}`;
    case 'math-constant':
      return `Math.${expression.name}`;
    case 'element':
      return expression.array + expression.indices.map((index) => `[${printExpression(index)}]`).join('');
    case 'call':
      return `Math.${expression.fn}(${expression.arguments.map(printExpression).join(', ')})`;
    case 'unary':
      return `${expression.operator}${printOperand(expression.operand)}`;
    case 'binary':
    case 'logical':
      return `${printOperand(expression.left)} ${expression.operator} ${printOperand(expression.right)}`;
    case 'conditional':
      return `${printOperand(expression.condition)} ? ${printOperand(expression.then)} : ${printOperand(expression.otherwise)}`;
  }
}

function printOperand(expression: KernelExpression): string {
  const compound = expression.kind === 'binary' || expression.kind === 'logical' || expression.kind === 'conditional' || expression.kind === 'unary';
  return compound ? `(${printExpression(expression)})` : printExpression(expression);
}
