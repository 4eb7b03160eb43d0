import type { ts } from 'ts-morph';
import type { KernelExpression, KernelStatement } from './kernel-syntax.ts';
import { placeOf, refuse, type KernelReader } from './kernel-reader.ts';
import { excerpt, readExpression } from './read-kernel-expression.ts';

/** Blocks nested deeper than this are refused rather than risk the stack. */
const maxDepth = 60;

/** Reads the statements of a block in a scope of their own; what cannot be read is reported and left out. */
export function readBlock(reader: KernelReader, nodes: readonly ts.Statement[], depth = 0): readonly KernelStatement[] {
  reader.locals.enter();
  const statements = nodes.flatMap((node) => readStatement(reader, node, depth));
  reader.locals.leave();
  return statements;
}

function readStatement(reader: KernelReader, node: ts.Statement, depth: number): readonly KernelStatement[] {
  const { ts } = reader;
  if (depth > maxDepth) return refused(reader, node, `statements are nested deeper than ${maxDepth} levels here`);
  if (ts.isVariableStatement(node)) return readDeclarations(reader, node.declarationList);
  if (ts.isExpressionStatement(node)) return present(readAction(reader, node.expression));
  if (ts.isReturnStatement(node)) return readReturn(reader, node);
  if (ts.isIfStatement(node)) return readIf(reader, node, depth);
  if (ts.isForStatement(node)) return readFor(reader, node, depth);
  if (ts.isWhileStatement(node)) {
    const condition = readExpression(reader, node.expression);
    const body = readBody(reader, node.statement, depth);
    return condition ? [{ kind: 'while', condition, body, place: placeOf(reader, node) }] : [];
  }
  if (ts.isBlock(node)) return readBlock(reader, node.statements, depth + 1);
  if (ts.isBreakStatement(node) && !node.label) return [{ kind: 'break', place: placeOf(reader, node) }];
  if (ts.isContinueStatement(node) && !node.label) return [{ kind: 'continue', place: placeOf(reader, node) }];
  if (ts.isEmptyStatement(node)) return [];
  return refused(reader, node, `a kernel cannot contain \`${excerpt(reader, node)}\``);
}

function refused(reader: KernelReader, node: ts.Node, message: string): readonly KernelStatement[] {
  refuse(
    reader,
    node,
    'PV-5020',
    message,
    'a kernel is made of const, let, assignments, if, for, while, break, continue and return',
  );
  return [];
}

const present = <T>(value: T | null): readonly T[] => (value === null ? [] : [value]);

function readBody(reader: KernelReader, node: ts.Statement, depth: number): readonly KernelStatement[] {
  return readBlock(reader, reader.ts.isBlock(node) ? node.statements : [node], depth + 1);
}

function readDeclarations(reader: KernelReader, list: ts.VariableDeclarationList): readonly KernelStatement[] {
  const constant = (list.flags & reader.ts.NodeFlags.Const) !== 0;
  return list.declarations.flatMap((declaration): readonly KernelStatement[] => {
    if (!reader.ts.isIdentifier(declaration.name))
      return refused(reader, declaration, 'a kernel cannot take arrays or objects apart');
    if (!declaration.initializer)
      return refused(reader, declaration, `\`${declaration.name.text}\` needs a first value`);
    const value = readExpression(reader, declaration.initializer);
    // Declared even when its value could not be read, so that its uses are not reported too.
    const name = reader.locals.declare(declaration.name.text, constant);
    return value ? [{ kind: 'declare', constant, name, value, place: placeOf(reader, declaration) }] : [];
  });
}

const assignments = new Map([
  ['=', ''],
  ['+=', '+'],
  ['-=', '-'],
  ['*=', '*'],
  ['/=', '/'],
  ['%=', '%'],
] as const);
type AssignmentSign = Parameters<(typeof assignments)['get']>[0];

/** `s += x`, `i++`, `--i`: what may be a statement or advance a loop. */
function readAction(reader: KernelReader, node: ts.Expression): KernelStatement | null {
  const { ts } = reader;
  const place = placeOf(reader, node);
  if (ts.isPostfixUnaryExpression(node) || (ts.isPrefixUnaryExpression(node) && isCounting(reader, node))) {
    const name = readTarget(reader, node.operand);
    return name === null
      ? null
      : { kind: 'step', name, by: node.operator === ts.SyntaxKind.PlusPlusToken ? 1 : -1, place };
  }
  if (ts.isBinaryExpression(node)) {
    const operator = assignments.get(node.operatorToken.getText(reader.file) as AssignmentSign);
    if (operator !== undefined) {
      const name = readTarget(reader, node.left);
      const value = readExpression(reader, node.right);
      return name !== null && value ? { kind: 'assign', name, operator, value, place } : null;
    }
  }
  return refuse(
    reader,
    node,
    'PV-5020',
    `\`${excerpt(reader, node)}\` does nothing in a kernel, or nothing that every backend can do`,
  );
}

const isCounting = ({ ts }: KernelReader, node: ts.PrefixUnaryExpression): boolean =>
  node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken;

/** Whether `x[i]` or `x[i]![j]` is an element of a parameter. */
function isOfParameter({ ts, locals, parameters }: KernelReader, node: ts.ElementAccessExpression): boolean {
  let root: ts.Expression = node;
  while (ts.isElementAccessExpression(root) || ts.isNonNullExpression(root) || ts.isParenthesizedExpression(root))
    root = root.expression;
  const local = ts.isIdentifier(root) ? locals.lookup(root.text) : null;
  return !local || parameters.has(local.canonical);
}

/** The canonical name of a local that may be assigned. */
function readTarget(reader: KernelReader, node: ts.Expression): string | null {
  const { ts } = reader;
  if (ts.isElementAccessExpression(node)) {
    if (!isOfParameter(reader, node))
      return refuse(
        reader,
        node,
        'PV-5020',
        `\`${excerpt(reader, node)}\` cannot be assigned: a kernel has no local arrays`,
        'keep numbers in variables, and let each thread return its own element',
      );
    return refuse(
      reader,
      node,
      'PV-5022',
      `\`${excerpt(reader, node)}\` is an input: on the GPU it cannot be written, on the CPU the caller's data would change`,
      'return the value instead',
    );
  }
  if (!ts.isIdentifier(node)) return refuse(reader, node, 'PV-5020', `\`${excerpt(reader, node)}\` cannot be assigned`);
  const local = reader.locals.lookup(node.text);
  if (!local) return refuse(reader, node, 'PV-5021', `\`${node.text}\` is not a variable of the kernel`);
  if (reader.parameters.has(local.canonical))
    return refuse(
      reader,
      node,
      'PV-5022',
      `\`${node.text}\` is a parameter, and parameters cannot be assigned on every backend`,
      `copy it first: let value = ${node.text};`,
    );
  if (local.constant) return refuse(reader, node, 'PV-5020', `\`${node.text}\` is a constant`);
  return local.canonical;
}

function readReturn(reader: KernelReader, node: ts.ReturnStatement): readonly KernelStatement[] {
  if (!node.expression) return refused(reader, node, 'a kernel returns the value of its output element');
  const value = readExpression(reader, node.expression);
  return value ? [{ kind: 'return', value, place: placeOf(reader, node) }] : [];
}

function readIf(reader: KernelReader, node: ts.IfStatement, depth: number): readonly KernelStatement[] {
  const condition = readExpression(reader, node.expression);
  const then = readBody(reader, node.thenStatement, depth);
  const otherwise = node.elseStatement ? readBody(reader, node.elseStatement, depth) : null;
  return condition ? [{ kind: 'if', condition, then, otherwise, place: placeOf(reader, node) }] : [];
}

function readFor(reader: KernelReader, node: ts.ForStatement, depth: number): readonly KernelStatement[] {
  const { initializer, condition: test, incrementor } = node;
  if (!initializer || !test || !incrementor)
    return refused(reader, node, 'a for loop needs a start, a condition and a step; otherwise use while');
  reader.locals.enter();
  const parts = readForParts(reader, initializer, test, incrementor);
  const body = readBody(reader, node.statement, depth);
  reader.locals.leave();
  return parts ? [{ kind: 'for', ...parts, body, place: placeOf(reader, node) }] : [];
}

interface ForParts {
  readonly initial: KernelStatement;
  readonly condition: KernelExpression;
  readonly update: KernelStatement;
}

function readForParts(
  reader: KernelReader,
  initializer: ts.ForInitializer,
  test: ts.Expression,
  step: ts.Expression,
): ForParts | null {
  const starts = reader.ts.isVariableDeclarationList(initializer)
    ? readDeclarations(reader, initializer)
    : present(readAction(reader, initializer));
  const condition = readExpression(reader, test);
  const update = readAction(reader, step);
  const [initial, second] = starts;
  if (second) return refuse(reader, initializer, 'PV-5020', 'a for loop has one variable');
  return initial && condition && update ? { initial, condition, update } : null;
}
