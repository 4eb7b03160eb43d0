/**
 * A gpu.js kernel with `pipeline: true` returns the texture that it renders into. Unless it is `immutable`, there is one such
 * texture per kernel: the next call overwrites the result of the last.
 * Source: gpu.js README, "Pipelining" and "Cloning Textures".
 */
import type { ts } from 'ts-morph';
import { pipelineKernels, type PipelineKernel } from '../gpu-kernels.ts';
import { rangeOf, type Module } from '../module.ts';
import type { Match, Rule } from '../rule.ts';
import { bare, calledName, keyOf } from '../syntax/names.ts';
import { areExclusive, classAround, isIn, loopsAround, scopeOf, under, type Loop } from '../syntax/walk.ts';

export const pipelineTextureReuse: Rule = {
  code: 'PV-9104',
  words: /createKernel/,
  usesTypes: false,
  check: (module) => pipelineKernels(module).flatMap((kernel) => checkKernel(module, kernel)),
};

/** A call of the kernel, and the variable that holds its texture, when one does. */
interface Result {
  readonly call: ts.CallExpression;
  readonly variable: string | null;
}

function checkKernel(module: Module, kernel: PipelineKernel): readonly Match[] {
  const { ts } = module;
  const calls = module.all(ts.isCallExpression).filter((call) => kernel.isCalledBy(call));
  const results = calls.map((call): Result => ({ call, variable: holderOf(module, call) }));
  const found = results.flatMap((result) => [
    ...readAfterNextCall(module, kernel, result, results),
    ...keptByLoop(module, kernel, result),
    ...besideNextCall(module, kernel, result, results),
    ...keptInField(module, kernel, result, results),
  ]);
  const seen = new Set<number>();
  return found.filter(({ range }) => !seen.has(range.start) && seen.add(range.start));
}

/** `t` of `const t = k(x)` and of `t = k(x)`; a result that is read or cloned at once is held by nothing. */
function holderOf({ ts }: Module, call: ts.CallExpression): string | null {
  const outer = outermost(ts, call);
  const { parent } = outer;
  if (ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name)) return parent.name.text;
  const isAssignment = ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;
  return isAssignment && parent.right === outer ? keyOf(parent.left) : null;
}

/** The expression with the assertions around it. */
function outermost(ts: Module['ts'], node: ts.Expression): ts.Expression {
  const { parent } = node;
  return ts.isExpression(parent) && bare(ts, parent) === bare(ts, node) ? outermost(ts, parent) : node;
}

/** Uses of a result after another call of its kernel has overwritten it. */
function readAfterNextCall(
  module: Module,
  kernel: PipelineKernel,
  { call, variable }: Result,
  results: readonly Result[],
): readonly Match[] {
  const { ts } = module;
  if (variable === null) return [];
  const scope = scopeOf(ts, call);
  const others = results.filter(
    (other) =>
      other.call !== call &&
      other.call.pos > call.pos &&
      scopeOf(ts, other.call) === scope &&
      !areExclusive(ts, call, other.call),
  );
  const rebound = assignmentsTo(module, variable, scope).filter((node) => node.pos > call.end);
  const found = usesOf(module, variable, scope).flatMap((use) => {
    const over = others.find((other) => other.call.pos < use.pos && !areExclusive(ts, other.call, use));
    if (!over) return [];
    const fed = isIn(use, over.call);
    const isNew = rebound.some((node) => node.end <= use.pos && node.pos > call.pos && !isIn(use, node));
    return isNew
      ? []
      : [
          match(
            module,
            use,
            fed
              ? `the texture \`${variable}\` is read by the kernel that writes it`
              : `\`${variable}\` is overwritten by the next call of \`${kernel.name}\``,
            over.call,
          ),
        ];
  });
  return found.slice(0, 1);
}

/** `add(k(a), k(b))`, `[k(a), k(b)]`: the first is overwritten before anything reads it. */
function besideNextCall(
  module: Module,
  kernel: PipelineKernel,
  { call }: Result,
  results: readonly Result[],
): readonly Match[] {
  const { ts } = module;
  const outer = outermost(ts, call);
  const { parent } = outer;
  const siblings = ts.isArrayLiteralExpression(parent)
    ? parent.elements
    : ts.isCallExpression(parent)
      ? parent.arguments
      : null;
  const at = siblings?.indexOf(outer) ?? -1;
  const next = results.find((other) => siblings?.some((one, k) => at >= 0 && k > at && isIn(other.call, one)));
  return next
    ? [match(module, call, `this result is overwritten by the next call of \`${kernel.name}\``, next.call)]
    : [];
}

/** Textures that fields keep from one call of a method to the next: a method runs as often as a loop. */
function keptInField(
  module: Module,
  kernel: PipelineKernel,
  { call, variable }: Result,
  results: readonly Result[],
): readonly Match[] {
  const { ts } = module;
  if (!variable?.startsWith('this.')) return [];
  const scope = scopeOf(ts, call);
  const uses = usesOf(module, variable, scope);
  const fed = uses.find((use) => isIn(use, call));
  if (fed) return [match(module, fed, `the texture \`${variable}\` is read by the kernel that writes it`, call)];
  // `const before = this.texture; this.texture = this.kernel(x); … before`.
  for (const use of uses) {
    const { parent } = outermost(ts, use);
    if (use.end > call.pos || !ts.isVariableDeclaration(parent) || !ts.isIdentifier(parent.name)) continue;
    const later = usesOf(module, parent.name.text, scope).find((one) => one.pos > call.end);
    if (later)
      return [
        match(module, later, `\`${parent.name.text}\` is overwritten by the next call of \`${kernel.name}\``, call),
      ];
  }
  const other = results.find(
    (one) =>
      one.variable?.startsWith('this.') &&
      one.variable !== variable &&
      one.call.pos > call.pos &&
      scopeOf(ts, one.call) !== scope &&
      classAround(ts, one.call) === classAround(ts, call),
  );
  return other
    ? [
        match(
          module,
          other.call,
          `\`${variable}\` and \`${other.variable ?? ''}\` are one texture of \`${kernel.name}\``,
          call,
        ),
      ]
    : [];
}

/** Results that outlive one turn of a loop: collected, or carried to the next turn and read there. */
function keptByLoop(module: Module, kernel: PipelineKernel, { call, variable }: Result): readonly Match[] {
  const { ts } = module;
  const [loop] = loopsAround(ts, call);
  if (!loop)
    return isMapped(module, call)
      ? [match(module, call, `every element is the same texture of \`${kernel.name}\``, null)]
      : [];
  const holders = variable === null ? [] : [variable];
  if (isCollected(ts, call))
    return [match(module, call, `every turn collects the same texture of \`${kernel.name}\``, null)];
  for (const use of holders.flatMap((name) => usesOf(module, name, loop))) {
    if (isCollected(ts, use))
      return [match(module, use, `every turn collects the same texture of \`${kernel.name}\``, call)];
  }
  return carried(module, kernel, call, variable, loop);
}

/** `prev = cur` at the end of a turn, `prev` read after the call of the next: both are one texture. */
function carried(
  module: Module,
  kernel: PipelineKernel,
  call: ts.CallExpression,
  variable: string | null,
  loop: Loop,
): readonly Match[] {
  const { ts } = module;
  if (variable === null) return [];
  const isOutside = !declaredIn(module, variable, loop);
  const aliases = under(ts, loop, ts.isBinaryExpression)
    .filter((node) => node.operatorToken.kind === ts.SyntaxKind.EqualsToken && keyOf(bare(ts, node.right)) === variable)
    .map((node) => keyOf(node.left))
    .filter((name) => !declaredIn(module, name, loop));
  const names = isOutside ? [variable, ...aliases] : aliases;
  for (const name of names) {
    const uses = usesOf(module, name, loop);
    const fed = uses.find((use) => isIn(use, call));
    if (fed) return [match(module, fed, `the texture \`${name}\` is read by the kernel that writes it`, call)];
    const later = name === variable ? undefined : uses.find((use) => use.pos > call.end);
    if (later) return [match(module, later, `\`${name}\` is overwritten by the next call of \`${kernel.name}\``, call)];
  }
  return [];
}

function declaredIn({ ts }: Module, name: string, loop: ts.Node): boolean {
  return under(ts, loop, ts.isVariableDeclaration).some(
    (node) => ts.isIdentifier(node.name) && node.name.text === name,
  );
}

/** `list.push(t)`, `list[i] = t`. */
function isCollected(ts: Module['ts'], node: ts.Expression): boolean {
  const outer = outermost(ts, node);
  const { parent } = outer;
  if (ts.isCallExpression(parent))
    return parent.arguments.includes(outer) && /^(push|unshift)$/.test(calledName(ts, parent) ?? '');
  const isAssignment = ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;
  return isAssignment && parent.right === outer && ts.isElementAccessExpression(parent.left);
}

/** `xs.map((x) => k(x))`. */
function isMapped({ ts }: Module, call: ts.CallExpression): boolean {
  const { parent } = outermost(ts, call);
  if (!ts.isArrowFunction(parent) || !ts.isCallExpression(parent.parent)) return false;
  return /^(map|flatMap|from)$/.test(calledName(ts, parent.parent) ?? '');
}

/** Where a variable is read: not where it is assigned, declared, cloned for later or released. */
function usesOf(module: Module, name: string, scope: ts.Node): readonly ts.Expression[] {
  const { ts } = module;
  const isUse = (node: ts.Node): node is ts.Expression =>
    (ts.isIdentifier(node) || ts.isPropertyAccessExpression(node)) && keyOf(node) === name;
  return under(ts, scope, isUse).filter((node) => {
    const { parent } = node;
    if (ts.isVariableDeclaration(parent)) return parent.initializer === node;
    if (ts.isPropertyAccessExpression(parent))
      return parent.expression === node && !/^(delete|dispose|destroy|clear)$/.test(parent.name.text);
    if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
    return !(
      ts.isBinaryExpression(parent) &&
      parent.left === node &&
      parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
    );
  });
}

function assignmentsTo({ ts }: Module, name: string, scope: ts.Node): readonly ts.Node[] {
  return under(ts, scope, ts.isBinaryExpression).filter(
    (node) => node.operatorToken.kind === ts.SyntaxKind.EqualsToken && keyOf(node.left) === name,
  );
}

function match(module: Module, node: ts.Node, message: string, call: ts.Node | null): Match {
  return {
    range: rangeOf(module, node),
    message,
    hint: 'keep a copy with .clone(), read it with .toArray() before the next call, or make the kernel immutable',
    ...(call ? { related: [{ message: 'overwritten here', module, range: rangeOf(module, call) }] } : {}),
  };
}
