/**
 * One source file of TypeScript, parsed: no types, no binding, only syntax.
 */
import type { ts } from 'ts-morph';
import { err, ok, type Result } from '../base/result.ts';
import type { Range, SourceFile } from '../diagnostics/source.ts';
import type { TypeScript } from '../subject/typescript.ts';

/** A parsed file, with the compiler that parsed it. */
export interface Module {
  readonly ts: TypeScript;
  readonly source: SourceFile;
  readonly file: ts.SourceFile;
  /** Every node that the guard accepts, in the order of the text. The guard is one of the compiler's. */
  readonly all: <T extends ts.Node>(guard: (node: ts.Node) => node is T) => readonly T[];
}

/** Why a file cannot be parsed. */
export interface SyntaxProblem {
  readonly message: string;
  readonly range: Range;
}

/** No person writes programs with deeper trees; the limit keeps walks over parents and children short. */
const maxDepth = 2000;

/** Parses a file with links to parents; the first syntax error when there is one. */
export function parseModule(ts: TypeScript, source: SourceFile): Result<Module, SyntaxProblem> {
  const parsed = parse(ts, source, true);
  if (!parsed.ok) return parsed;
  const nodes = nodesOf(ts, parsed.value);
  if (nodes === null) return err(tooDeep);
  const known = new Map<unknown, readonly ts.Node[]>();
  const all = <T extends ts.Node>(guard: (node: ts.Node) => node is T): readonly T[] => {
    const found = known.get(guard) ?? nodes.filter(guard);
    known.set(guard, found);
    return found as readonly T[];
  };
  return ok({ ts, source, file: parsed.value, all });
}

/** The first syntax error of a file that no rule looks at, or null. */
export function syntaxProblemOf(ts: TypeScript, source: SourceFile): SyntaxProblem | null {
  const parsed = parse(ts, source, false);
  return parsed.ok ? null : parsed.error;
}

const tooDeep: SyntaxProblem = { message: 'the file nests too deep to be read', range: { start: 0, end: 1 } };

function parse(ts: TypeScript, source: SourceFile, parents: boolean): Result<ts.SourceFile, SyntaxProblem> {
  try {
    const options = { languageVersion: ts.ScriptTarget.ESNext, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
    // A byte order mark before `#!`, which Node and the compiler pass over when they read a file; no place moves.
    const text = source.text.replace(/^\uFEFF#!/u, '// ');
    const file = ts.createSourceFile(source.path, text, options, parents, kindOf(ts, source.path));
    const [first] = parseDiagnosticsOf(file).filter(({ code }) => !(isScript(source) && sloppy.has(code)));
    if (!first) return ok(file);
    const range = { start: first.start, end: first.start + first.length };
    return err({ message: ts.flattenDiagnosticMessageText(first.messageText, ' '), range });
  } catch (error) {
    // The parser is recursive: a hostile file exhausts the stack, and nothing else throws here.
    if (error instanceof RangeError) return err(tooDeep);
    throw error;
  }
}

/** Octal escapes and numbers, and decimals that begin with 0, which JavaScript allows where code is not strict. */
const sloppy: ReadonlySet<number> = new Set([1121, 1487, 1488, 1489]);

/** Whether a file may be JavaScript that is not strict: no module, and not TypeScript. */
const isScript = ({ path, text }: SourceFile): boolean =>
  /\.c?jsx?$/i.test(path) && !/^\s*(?:import|export)\b/mu.test(text);

/** The parser keeps its errors in the tree; a program would only copy them out, at many times the cost. */
function parseDiagnosticsOf(file: ts.SourceFile): readonly ts.DiagnosticWithLocation[] {
  return 'parseDiagnostics' in file ? (file.parseDiagnostics as readonly ts.DiagnosticWithLocation[]) : [];
}

function kindOf(ts: TypeScript, path: string): ts.ScriptKind {
  if (/\.tsx$/i.test(path)) return ts.ScriptKind.TSX;
  if (/\.[cm]?jsx?$/i.test(path)) return ts.ScriptKind.JSX;
  return ts.ScriptKind.TS;
}

/** All nodes, parents before children; null if the tree is too deep. */
function nodesOf(ts: TypeScript, file: ts.SourceFile): readonly ts.Node[] | null {
  const nodes: ts.Node[] = [];
  const stack: { readonly node: ts.Node; readonly depth: number }[] = [{ node: file, depth: 0 }];
  for (let top = stack.pop(); top; top = stack.pop()) {
    if (top.depth > maxDepth) return null;
    nodes.push(top.node);
    const children: ts.Node[] = [];
    ts.forEachChild(top.node, (child) => void children.push(child));
    for (const child of children.reverse()) stack.push({ node: child, depth: top.depth + 1 });
  }
  return nodes;
}

/** The text range of a node without the blanks and comments before it. */
export function rangeOf(module: Module, node: ts.Node): Range {
  return { start: node.getStart(module.file), end: node.end };
}
