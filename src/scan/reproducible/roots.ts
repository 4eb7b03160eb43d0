/** Code that declares itself bit-reproducible: a comment with `@bitReproducible` on a function, a class or a file, or the settings. */
import type { ts } from 'ts-morph';
import type { Module } from '../module.ts';
import type { Project } from '../rule.ts';
import { docOf } from '../syntax/comments.ts';
import { isFunction } from '../syntax/walk.ts';

const marker = /@bitReproducible\b/;

interface Root {
  readonly module: Module;
  readonly node: ts.Node;
}

/** Whether any code that was read declares itself bit-reproducible. */
export function isAnythingDeclared(project: Pick<Project, 'pathsWith' | 'isReproducible'>): boolean {
  return declaringPaths(project).length > 0;
}

function declaringPaths(project: Pick<Project, 'pathsWith' | 'isReproducible'>): readonly string[] {
  const listed = project.pathsWith(/\S/).filter((path) => project.isReproducible(path));
  return [...new Set([...listed, ...project.pathsWith(marker)])];
}

/** Every declared function, class and file of the modules read. */
export function declaredRoots(project: Project): readonly Root[] {
  return declaringPaths(project).flatMap((path) => {
    const module = project.moduleAt(path);
    if (!module) return [];
    if (project.isReproducible(path) || isMarkedFile(module)) return [{ module, node: module.file }];
    return declarationsIn(module).map((node) => ({ module, node }));
  });
}

function declarationsIn(module: Module): readonly ts.Node[] {
  const { ts } = module;
  const isCode = (node: ts.Node): node is ts.Node => isFunction(ts, node) || ts.isClassLike(node);
  return module.all(isCode).filter((node) => marker.test(docOf(ts, node)));
}

/** A marked comment at the top of a file that belongs to no declaration: imports or a blank line follow, or another comment. */
function isMarkedFile({ ts, file, source }: Module): boolean {
  const [first] = file.statements;
  const comments = (ts.getLeadingCommentRanges(source.text, 0) ?? []).filter(({ pos }) =>
    source.text.startsWith('/**', pos),
  );
  const [head] = comments;
  if (!head || !marker.test(source.text.slice(head.pos, head.end))) return false;
  const isDeclaration =
    first && (ts.isFunctionDeclaration(first) || ts.isClassDeclaration(first) || ts.isVariableStatement(first));
  return !isDeclaration || comments.length > 1 || /^[^\S\n]*\r?\n[^\S\n]*\r?\n/.test(source.text.slice(head.end));
}
