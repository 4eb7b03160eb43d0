/** Small questions about the syntax of Python. */
import type { SyntaxNode } from '@lezer/common';
import type { PythonModule } from './module.ts';

/** The children of a node, in order; comments left out. */
export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling)
    if (child.name !== 'Comment') children.push(child);
  return children;
}

/** The calls that evaluating a node makes, arguments before the call; code of lambdas and nested definitions left out. */
export function callsIn(node: SyntaxNode): readonly SyntaxNode[] {
  const calls: SyntaxNode[] = [];
  node.cursor().iterate(
    ({ name }) => !/^(LambdaExpression|FunctionDefinition|ClassDefinition|Body)$/.test(name),
    (inner) => {
      if (inner.name === 'CallExpression') calls.push(inner.node);
    },
  );
  return calls;
}

/** The positional and named arguments of a call; the name is null for positional ones. */
export function argumentsOf(
  module: PythonModule,
  call: SyntaxNode,
): readonly { readonly name: string | null; readonly value: SyntaxNode }[] {
  const children = childrenOf(call.getChild('ArgList') ?? call);
  return children.flatMap((value, i) => {
    if (/^[(),]$|^AssignOp$|^\*+$/.test(value.name) || children[i + 1]?.name === 'AssignOp') return [];
    const name = children[i - 1]?.name === 'AssignOp' ? children[i - 2] : undefined;
    return [{ name: name ? module.textOf(name) : null, value }];
  });
}

/** `step` of `optimizer.step()`, with `optimizer`; a null receiver for `step()`; null for other callees. */
export function calleeOf(
  module: PythonModule,
  call: SyntaxNode,
): { readonly name: string; readonly receiver: SyntaxNode | null } | null {
  const callee = call.firstChild;
  if (callee?.name === 'VariableName') return { name: module.textOf(callee), receiver: null };
  const property = callee?.name === 'MemberExpression' ? callee.getChild('PropertyName') : null;
  return property && callee ? { name: module.textOf(property), receiver: callee.firstChild } : null;
}

/** The names of the parameters of a function, in order. */
export function parametersOf(module: PythonModule, definition: SyntaxNode): readonly string[] {
  const children = childrenOf(definition.getChild('ParamList') ?? definition);
  return children
    .filter(({ name }, i) => name === 'VariableName' && children[i - 1]?.name !== 'AssignOp')
    .map(module.textOf);
}

/** The functions of a module by name; those defined twice, decorated by unknown code, or generators are null. */
export function functionsOf(module: PythonModule): ReadonlyMap<string, SyntaxNode | null> {
  const functions = new Map<string, SyntaxNode | null>();
  module.tree.iterate({
    enter: ({ name: kind, node }) => {
      const name = kind === 'FunctionDefinition' ? node.getChild('VariableName') : null;
      if (!name) return;
      const text = module.textOf(name);
      functions.set(text, functions.has(text) || !runsAsWritten(module, node) ? null : node);
    },
  });
  return functions;
}

function runsAsWritten(module: PythonModule, definition: SyntaxNode): boolean {
  const decorators = definition.parent?.getChildren('Decorator') ?? [];
  const known = /^@\s*(torch\.)?(no_grad|inference_mode|staticmethod)\b/;
  return decorators.every((one) => known.test(module.textOf(one))) && !/\byield\b/.test(module.textOf(definition));
}

/** The function around a node, or the module. */
export function scopeOf(node: SyntaxNode): SyntaxNode {
  let at = node;
  while (at.parent && at.parent.name !== 'FunctionDefinition') at = at.parent;
  return at.parent ?? at;
}

/** The content of a plain string; null for anything else. */
export function stringOf(module: PythonModule, node: SyntaxNode): string | null {
  if (node.name !== 'String') return null;
  const [, , content = null] = /^[uU]?(["'])([^\\]*)\1$/s.exec(module.textOf(node)) ?? [];
  return content;
}
