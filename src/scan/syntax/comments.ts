import type { ts } from 'ts-morph';
import type { TypeScript } from '../../subject/typescript.ts';

/** The documentation comment directly before a declaration, or before the statement or property that holds it. */
export function docOf(ts: TypeScript, node: ts.Node): string {
  const file = node.getSourceFile();
  const docs = carriers(ts, node).map((carrier) => {
    const comments = ts.getLeadingCommentRanges(file.text, carrier.pos) ?? [];
    return comments.map(({ pos, end }) => file.text.slice(pos, end)).findLast((comment) => comment.startsWith('/**'));
  });
  return docs.filter((doc) => doc !== undefined).join('\n');
}

function carriers(ts: TypeScript, node: ts.Node): readonly ts.Node[] {
  const { parent } = node;
  if (ts.isVariableDeclaration(parent)) return [parent.parent.parent];
  if (ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent)) return [parent];
  if (ts.isConstructorDeclaration(node)) return [node, parent];
  return [node];
}

/** What the `@param` tags of a comment say, by name. */
export function paramTags(doc: string): ReadonlyMap<string, string> {
  const plain = doc.replace(/^\s*\*( |$)/gm, '');
  const tags = plain.matchAll(/@param\s+(?:\{[^}]*\}\s*)?\[?([A-Za-z_$][\w$]*)[^\s]*\s*-?([^@]*)/g);
  return new Map([...tags].map((tag) => [tag[1] ?? '', (tag[2] ?? '').trim()]));
}
