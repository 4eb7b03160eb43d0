/**
 * What the type checker knows about calls that syntax alone does not resolve: methods of values, packages, overloads.
 */
import { resolve } from 'node:path';
import type { Project, SourceFile as MorphFile, ts } from 'ts-morph';
import type { Range, SourceFile } from '../diagnostics/source.ts';
import type { Host } from '../host/host.ts';
import { typeProjects, type ConfigurationProblem } from '../subject/type-project.ts';
import type { TypeScript } from '../subject/typescript.ts';

export interface Types {
  /** The declaration that the checker resolves the call at this range to; null if it resolves to none. */
  readonly calleeAt: (path: string, range: Range) => ts.SignatureDeclaration | null;
  /** Configurations that could not be read: files under them are looked at without types. */
  readonly problems: readonly ConfigurationProblem[];
}

/**
 * Prepares the checker for the files given, each under the `tsconfig.json` nearest above it. The program itself is made at
 * the first question: most scans ask none.
 */
export async function openTypes(ts: TypeScript, host: Host, sources: readonly SourceFile[]): Promise<Types> {
  const projects = typeProjects(host, host.root);
  const files = new Map<string, MorphFile>();
  const problems = new Map<string, ConfigurationProblem>();
  for (const { path, text } of sources) {
    const module = await projects.moduleAt(resolve(host.root, path), text);
    if (module.ok) files.set(path, module.value);
    else problems.set(module.error.path, module.error);
  }
  const calleeAt: Types['calleeAt'] = (path, range) => {
    const file = files.get(path);
    const call = file && callAt(ts, file.compilerNode, range);
    if (!call) return null;
    const checker = checkerOf(file.getProject());
    return declarationOf(ts, checker.getResolvedSignature(call));
  };
  return { calleeAt, problems: [...problems.values()] };
}

const checkerOf = (project: Project): ts.TypeChecker => project.getTypeChecker().compilerObject;

function declarationOf(ts: TypeScript, signature: ts.Signature | undefined): ts.SignatureDeclaration | null {
  const declaration = signature?.declaration;
  if (!declaration || ts.isJSDocSignature(declaration)) return null;
  return declaration;
}

function callAt(ts: TypeScript, file: ts.SourceFile, range: Range): ts.CallExpression | ts.NewExpression | null {
  let at: ts.Node | undefined = file;
  while (at) {
    const isThere = at.getStart(file) === range.start && at.end === range.end;
    if (isThere && (ts.isCallExpression(at) || ts.isNewExpression(at))) return at;
    at = ts.forEachChild(at, (child) => (child.pos <= range.start && child.end >= range.end ? child : undefined));
  }
  return null;
}
