import type { ts } from 'ts-morph';
import type { Diagnostic, Staged } from '../diagnostics/diagnostic.ts';
import type { SourceFile } from '../diagnostics/source.ts';
import type { Rank } from './kernel.ts';
import type { Axis, KernelFunction, KernelStatement } from './kernel-syntax.ts';
import { asciiName, refuse, scopedNames, type KernelReader } from './kernel-reader.ts';
import { rankOfType, rankOfUses } from './rank-of-type.ts';
import { readBlock } from './read-kernel-statement.ts';
import { expressionsOf } from './visit-kernel.ts';
import type { TypeScript } from './typescript.ts';

/** Findings reported per kernel; more than these are the same mistake. */
const maxFindings = 16;

/** A function as TypeScript writes it, wherever it is. */
export type FunctionNode = ts.FunctionDeclaration | ts.FunctionExpression | ts.ArrowFunction;

/**
 * Reads a gpu.js kernel: its syntax without types and comments, and with a unique name for every variable.
 *
 * The value is null if anything in it lies outside the subset; each such place is a diagnostic with its span.
 */
export function readKernel(
  typescript: TypeScript,
  source: SourceFile,
  file: ts.SourceFile,
  node: FunctionNode,
  name: string,
  ranks: readonly (Rank | null)[] = [],
): Staged<KernelFunction | null> {
  const diagnostics: Diagnostic[] = [];
  const locals = scopedNames(['Math', 'Infinity', asciiName(name)]);
  const reader: KernelReader = { ts: typescript, source, file, parameters: new Map(), locals, diagnostics };
  if (
    typescript.isArrowFunction(node) ||
    node.asteriskToken ||
    node.modifiers?.some((modifier) => modifier.kind === typescript.SyntaxKind.AsyncKeyword)
  ) {
    refuse(
      reader,
      node,
      'PV-5020',
      'a kernel is a plain function: not an arrow, not async, not a generator',
      `write function ${name}(this: KernelThread, …): number { … }`,
    );
    return { value: null, diagnostics };
  }
  const parameters = readParameters(reader, node, ranks);
  const body = node.body ? readBlock(reader, node.body.statements) : [];
  const kernel: KernelFunction = { name: asciiName(name), parameters, body };
  if (diagnostics.length === 0 && !alwaysReturns(body))
    refuse(
      reader,
      node.name ?? node,
      'PV-5023',
      `\`${name}\` can end without returning a value`,
      'end it with a return',
    );
  return { value: diagnostics.length === 0 ? kernel : null, diagnostics: diagnostics.slice(0, maxFindings) };
}

function readParameters(
  reader: KernelReader,
  node: FunctionNode,
  ranks: readonly (Rank | null)[],
): KernelFunction['parameters'] {
  return node.parameters
    .filter((parameter) => !isThis(parameter))
    .map((parameter, i) => {
      const plain =
        reader.ts.isIdentifier(parameter.name) &&
        !parameter.initializer &&
        !parameter.dotDotDotToken &&
        !parameter.questionToken;
      if (!plain)
        refuse(
          reader,
          parameter,
          'PV-5020',
          'a parameter of a kernel is a plain name: no default, no rest, no ?, no pattern',
        );
      const written = parameter.name.getText(reader.file);
      const rank =
        ranks[i] ??
        rankOfType(reader.ts, parameter.type) ??
        (node.body ? rankOfUses(reader.ts, written, node.body) : 0);
      const name = reader.locals.declare(written, false);
      reader.parameters.set(name, rank);
      return { name, rank };
    });
}

/** TypeScript's `this` parameter, which does not exist at run time. */
export function isThis(parameter: ts.ParameterDeclaration): boolean {
  return parameter.name.getText() === 'this';
}

function alwaysReturns(statements: readonly KernelStatement[]): boolean {
  return statements.some(
    (statement) =>
      statement.kind === 'return' ||
      (statement.kind === 'if' &&
        statement.otherwise !== null &&
        alwaysReturns(statement.then) &&
        alwaysReturns(statement.otherwise)),
  );
}

/** The rank of output that a kernel's use of `this.thread` shows: 1 more than the last axis it reads, at least `x`'s. */
export function outputRankOf(kernel: KernelFunction): 1 | 2 | 3 {
  const axes = new Set<Axis>();
  for (const expression of expressionsOf(kernel.body)) if (expression.kind === 'thread') axes.add(expression.axis);
  return axes.has('z') ? 3 : axes.has('y') ? 2 : 1;
}
