import type { ts } from 'ts-morph';
import {
  mathConstants,
  mathFunctions,
  type Axis,
  type KernelExpression,
  type MathConstant,
  type MathFunction,
} from './kernel-syntax.ts';
import { placeOf, refuse, type KernelReader } from './kernel-reader.ts';
import { partsOf } from './visit-kernel.ts';

type Expression = KernelExpression | null;

/** Deeper expressions than this are refused rather than risk the stack. */
const maxDepth = 200;

/** Reads one expression of a kernel; null after reporting why it cannot be one. */
export function readExpression(reader: KernelReader, node: ts.Expression, depth = 0): Expression {
  const { ts } = reader;
  if (depth > maxDepth)
    return refuse(reader, node, 'PV-5020', `this expression is nested deeper than ${maxDepth} levels`);
  const inner = withoutWrappers(reader, node);
  const place = placeOf(reader, inner);
  if (ts.isNumericLiteral(inner)) return { kind: 'number', value: Number(inner.text), place };
  if (inner.kind === ts.SyntaxKind.TrueKeyword) return { kind: 'boolean', value: true, place };
  if (inner.kind === ts.SyntaxKind.FalseKeyword) return { kind: 'boolean', value: false, place };
  if (ts.isIdentifier(inner)) return readName(reader, inner);
  if (ts.isPrefixUnaryExpression(inner)) return readUnary(reader, inner, depth);
  if (ts.isBinaryExpression(inner)) return readBinary(reader, inner, depth);
  if (ts.isConditionalExpression(inner)) {
    const condition = readExpression(reader, inner.condition, depth + 1);
    const then = readExpression(reader, inner.whenTrue, depth + 1);
    const otherwise = readExpression(reader, inner.whenFalse, depth + 1);
    return condition && then && otherwise && { kind: 'conditional', condition, then, otherwise, place };
  }
  if (ts.isElementAccessExpression(inner)) return readElement(reader, inner, depth);
  if (ts.isCallExpression(inner)) return readCall(reader, inner, depth);
  if (ts.isPropertyAccessExpression(inner)) return readProperty(reader, inner);
  return refuse(reader, inner, 'PV-5020', `a kernel cannot contain \`${excerpt(reader, inner)}\``, subsetHint);
}

const subsetHint =
  'a kernel may use numbers, locals, parameters, this.thread, this.output, Math functions, + - * / % **, comparisons, && || ! and ?:';

/** Parentheses, `x!`, `x as T`, `x satisfies T` mean nothing at run time. */
function withoutWrappers({ ts }: KernelReader, node: ts.Expression): ts.Expression {
  let inner = node;
  while (
    ts.isParenthesizedExpression(inner) ||
    ts.isNonNullExpression(inner) ||
    ts.isAsExpression(inner) ||
    ts.isSatisfiesExpression(inner)
  )
    inner = inner.expression;
  return inner;
}

function readName(reader: KernelReader, node: ts.Identifier): Expression {
  const place = placeOf(reader, node);
  const local = reader.locals.lookup(node.text);
  if (local) {
    const rank = reader.parameters.get(local.canonical) ?? 0;
    if (rank > 0)
      return refuse(
        reader,
        node,
        'PV-5020',
        `the array \`${node.text}\` can only be read element by element`,
        `write ${node.text}${'[…]'.repeat(rank)}`,
      );
    return { kind: 'name', name: local.canonical, place };
  }
  if (node.text === 'Infinity') return { kind: 'infinity', place };
  if (node.text === 'NaN' || node.text === 'undefined')
    return refuse(
      reader,
      node,
      'PV-5020',
      `a kernel cannot mention ${node.text}: graphics compilers assume that it never occurs`,
    );
  return refuse(
    reader,
    node,
    'PV-5021',
    `\`${node.text}\` is defined outside the kernel; no backend can see it there`,
    'pass it as a parameter, or write its value as a number',
  );
}

function readUnary(reader: KernelReader, node: ts.PrefixUnaryExpression, depth: number): Expression {
  const { SyntaxKind } = reader.ts;
  const operand = readExpression(reader, node.operand, depth + 1);
  if (!operand) return null;
  const place = placeOf(reader, node);
  if (node.operator === SyntaxKind.PlusToken) return operand;
  if (node.operator === SyntaxKind.MinusToken) return { kind: 'unary', operator: '-', operand, place };
  if (node.operator === SyntaxKind.ExclamationToken) return { kind: 'unary', operator: '!', operand, place };
  return refuse(
    reader,
    node,
    'PV-5020',
    `\`${excerpt(reader, node)}\` does not mean the same on every backend`,
    'write the step on its own line: i += 1',
  );
}

function readBinary(reader: KernelReader, node: ts.BinaryExpression, depth: number): Expression {
  const place = placeOf(reader, node);
  const symbol = node.operatorToken.getText(reader.file);
  // Loose equality of numbers is equality.
  const operator = symbol === '==' ? '===' : symbol === '!=' ? '!==' : symbol;
  const left = readExpression(reader, node.left, depth + 1);
  const right = readExpression(reader, node.right, depth + 1);
  if (!left || !right) return null;
  if (isWholeLiteral(left) && isWholeLiteral(right) && [left, right].some(isBeyondInt32)) {
    return refuse(
      reader,
      node,
      'PV-5020',
      'gpu.js may compute this in 32-bit integers, which it does not fit',
      'write the result as one number',
    );
  }
  switch (operator) {
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
    case '**':
    case '<':
    case '<=':
    case '>':
    case '>=':
    case '===':
    case '!==':
      return { kind: 'binary', operator, left, right, place };
    case '&&':
    case '||':
      return { kind: 'logical', operator, left, right, place };
    default:
      return refuse(
        reader,
        node.operatorToken,
        'PV-5020',
        `the operator \`${symbol}\` is not allowed in a kernel's expression`,
        subsetHint,
      );
  }
}

/** Whole numbers and their arithmetic, which gpu.js may type as integers. */
function isWholeLiteral(expression: KernelExpression): boolean {
  if (expression.kind === 'number') return Number.isInteger(expression.value);
  return literalKinds.has(expression.kind) && partsOf(expression).every(isWholeLiteral);
}

const literalKinds: ReadonlySet<string> = new Set(['unary', 'binary']);

function isBeyondInt32(expression: KernelExpression): boolean {
  if (expression.kind === 'number') return Math.abs(expression.value) >= 2 ** 31;
  return partsOf(expression).some(isBeyondInt32);
}

function readElement(reader: KernelReader, node: ts.ElementAccessExpression, depth: number): Expression {
  const { ts } = reader;
  const place = placeOf(reader, node);
  const indices: KernelExpression[] = [];
  let base: ts.Expression = node;
  while (ts.isElementAccessExpression(base)) {
    const index = readExpression(reader, base.argumentExpression, depth + 1);
    if (!index) return null;
    indices.unshift(index);
    base = withoutWrappers(reader, base.expression);
  }
  const local = ts.isIdentifier(base) ? reader.locals.lookup(base.text) : null;
  const rank = local ? reader.parameters.get(local.canonical) : undefined;
  if (!local || rank === undefined)
    return refuse(
      reader,
      base,
      'PV-5020',
      `only a parameter of the kernel can be indexed, not \`${excerpt(reader, base)}\``,
    );
  if (indices.length !== rank)
    return refuse(
      reader,
      node,
      'PV-5020',
      `\`${excerpt(reader, base)}\` has ${rank} ax${rank === 1 ? 'is' : 'es'} but ${indices.length} ${indices.length === 1 ? 'index' : 'indices'}`,
    );
  return { kind: 'element', array: local.canonical, indices, place };
}

function readCall(reader: KernelReader, node: ts.CallExpression, depth: number): Expression {
  const { ts } = reader;
  const callee = node.expression;
  const name =
    ts.isPropertyAccessExpression(callee) && ts.isIdentifier(callee.expression) && callee.expression.text === 'Math'
      ? callee.name.text
      : null;
  if (name === null)
    return refuse(
      reader,
      callee,
      'PV-5021',
      `a kernel cannot call \`${excerpt(reader, callee)}\`: only functions of Math exist on every backend`,
      'write its body in place',
    );
  if (!isMathFunction(name))
    return refuse(
      reader,
      callee,
      'PV-5020',
      `Math.${name} does not exist on every backend`,
      `use one of ${Object.keys(mathFunctions).join(', ')}`,
    );
  const variadic = name === 'min' || name === 'max';
  const wanted = mathFunctions[name];
  if (variadic ? node.arguments.length < wanted : node.arguments.length !== wanted) {
    return refuse(
      reader,
      node,
      'PV-5020',
      `Math.${name} takes ${variadic ? 'at least ' : ''}${wanted} argument${wanted === 1 ? '' : 's'} here, not ${node.arguments.length}`,
    );
  }
  const values = node.arguments.map((argument) => readExpression(reader, argument, depth + 1));
  const read = values.filter((value) => value !== null);
  return read.length === values.length
    ? { kind: 'call', fn: name, arguments: read, place: placeOf(reader, node) }
    : null;
}

function readProperty(reader: KernelReader, node: ts.PropertyAccessExpression): Expression {
  const { ts } = reader;
  const place = placeOf(reader, node);
  const property = node.name.text;
  const owner = node.expression;
  if (ts.isIdentifier(owner) && owner.text === 'Math' && isMathConstant(property))
    return { kind: 'math-constant', name: property, place };
  if (ts.isPropertyAccessExpression(owner) && owner.expression.kind === ts.SyntaxKind.ThisKeyword && isAxis(property)) {
    if (owner.name.text === 'thread') return { kind: 'thread', axis: property, place };
    if (owner.name.text === 'output') return { kind: 'output', axis: property, place };
  }
  const hint = property === 'length' ? 'pass the size as a parameter: the contract does' : subsetHint;
  return refuse(reader, node, 'PV-5020', `a kernel cannot read \`${excerpt(reader, node)}\``, hint);
}

const isAxis = (name: string): name is Axis => name === 'x' || name === 'y' || name === 'z';
const isMathConstant = (name: string): name is MathConstant => mathConstants.some((constant) => constant === name);
const isMathFunction = (name: string): name is MathFunction => Object.hasOwn(mathFunctions, name);

/** The node's text, short enough for one line. */
export function excerpt(reader: KernelReader, node: ts.Node): string {
  const text = node.getText(reader.file).replaceAll(/\s+/gu, ' ');
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
