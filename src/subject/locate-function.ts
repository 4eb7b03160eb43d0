import type {
  FunctionDeclaration,
  ArrowFunction,
  FunctionExpression,
  Node as MorphNode,
  SourceFile as MorphFile,
} from 'ts-morph';
import { closest } from '../base/text.ts';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import type { SourceFile, Span } from '../diagnostics/source.ts';
import type { Located } from '../contract/contract.ts';
import { loadMorph } from './typescript.ts';

/** A function in any of the forms that can be bound. */
export type MorphFunction = FunctionDeclaration | ArrowFunction | FunctionExpression;

/** The function of a row, or why there is none. */
export type Location =
  { readonly ok: true; readonly node: MorphFunction } | { readonly ok: false; readonly problem: Diagnostic };

/** The function that a module exports under a name, followed through re-exports; or why there is none. */
export function locateFunction(file: MorphFile, name: Located<string>, module: string): Location {
  const { Node } = loadMorph();
  const asFunction = (node: MorphNode): MorphFunction | null => {
    if (Node.isFunctionDeclaration(node)) return node.hasBody() ? node : null;
    const value = Node.isVariableDeclaration(node) ? node.getInitializer() : node;
    return Node.isArrowFunction(value) || Node.isFunctionExpression(value) ? value : null;
  };
  const exported = file.getExportedDeclarations();
  const declarations: readonly MorphNode[] = exported.get(name.value) ?? [];
  const found = declarations.map(asFunction).find((node) => node !== null);
  if (found) return { ok: true, node: found };
  const [other] = declarations;
  if (other)
    return fail(
      diagnostic('PV-5010', spanOf(other, module), `\`${name.value}\` is not a function with a body`, bound(name)),
    );
  const hidden = file.getFunction(name.value) ?? file.getVariableDeclaration(name.value);
  if (hidden) {
    const other = [...exported].find(([, nodes]) => nodes.some((node) => node === hidden))?.[0];
    const message = other === undefined ? `exists in ${module} but is not exported` : `is exported as \`${other}\``;
    const hint = other === undefined ? 'write export before it' : `name the function \`${other}\``;
    return fail(
      diagnostic('PV-5009', spanOf(hidden, module), `\`${name.value}\` ${message}`, { hint, ...bound(name) }),
    );
  }
  const near = closest(name.value, [...exported.keys()]);
  return fail(
    diagnostic('PV-5008', name.span, `${module} has no function \`${name.value}\``, {
      hint: near === null ? 'check the name, or set status: not_implemented' : `did you mean \`${near}\`?`,
    }),
  );
}

const fail = (problem: Diagnostic): Location => ({ ok: false, problem });

/** The second place of a finding about code: the binding that led there. */
export function bound(name: Located<string>): {
  readonly related: readonly { readonly message: string; readonly span: Span }[];
} {
  return { related: [{ message: 'bound here', span: name.span }] };
}

/** The line where a declaration starts, in its own file. */
export function spanOf(node: MorphNode, module: string): Span {
  const start = node.getStart();
  const lineEnd = node.getSourceFile().getFullText().indexOf('\n', start);
  const end = Math.min(node.getEnd(), lineEnd < 0 ? node.getEnd() : lineEnd);
  return { source: sourceOf(node.getSourceFile(), module), range: { start, end } };
}

const sources = new WeakMap<MorphFile, SourceFile>();

/** A module's text for diagnostics, one object per file. */
export function sourceOf(file: MorphFile, path: string): SourceFile {
  const known = sources.get(file);
  if (known) return known;
  const source = { path, text: file.getFullText() };
  sources.set(file, source);
  return source;
}
