/**
 * `Math.exp`, `pow`, `sin` and similar functions may differ in the last bits between engines and versions (ECMA-262, "Function
 * Properties of the Math Object": implementation-approximated). Code that declares itself bit-reproducible, and what it calls,
 * must use none of them.
 */
import type { ts } from 'ts-morph';
import type { Edit } from '../edits.ts';
import { rangeOf, type Module } from '../module.ts';
import type { Match, Project, Rule } from '../rule.ts';
import { isAnythingDeclared } from '../reproducible/roots.ts';
import { reachedFrom, type Reached } from '../reproducible/reach.ts';
import { bare } from '../syntax/names.ts';
import { isIn } from '../syntax/walk.ts';

export const platformMath: Rule = {
  code: 'PV-9109',
  words: /\bMath\b|[^/*]\*\*[^/*]/,
  concerns: isAnythingDeclared,
  usesTypes: false,
  check: (module, project) => {
    const reached = reachedIn(project, module);
    return reached.length === 0 || hasItsOwnMath(module)
      ? []
      : approximations(module).flatMap((use) => checkUse(module, use, reached));
  },
};

const reachedBy = new WeakMap<Project, readonly Reached[]>();

/** What declared code reaches, worked out once for all modules. */
function reachedIn(project: Project, module: Module): readonly Reached[] {
  const all = reachedBy.get(project) ?? reachedFrom(project);
  reachedBy.set(project, all);
  return all.filter((one) => one.module === module);
}

function checkUse(module: Module, { node, name, fix }: Use, reached: readonly Reached[]): readonly Match[] {
  const by = reached.find((one) => isIn(node, one.node));
  if (!by) return [];
  const way =
    by.way.length > 1
      ? `, which \`${by.way[0] ?? ''}\` calls${
          by.way.length > 2
            ? ` through ${by.way
                .slice(1, -1)
                .map((step) => `\`${step}\``)
                .join(', ')}`
            : ''
        }`
      : '';
  const place = by.way.at(-1) ?? '';
  return [
    {
      range: rangeOf(module, node),
      message: `${name} may differ between engines, in ${place === '' ? 'a file' : `\`${place}\``}${way}${by.way.length > 1 ? '; that' : ' that'} is declared bit-reproducible`,
      hint: 'use an implementation of your own, made of + − × ÷ and Math.sqrt, which are exactly rounded',
      ...(by.root.module !== module || by.way.length > 1
        ? { related: [{ message: 'declared here', module: by.root.module, range: by.root.range }] }
        : {}),
      ...(fix ? { fix } : {}),
    },
  ];
}

interface Use {
  readonly node: ts.Node;
  readonly name: string;
  readonly fix: readonly Edit[] | null;
}

const approximated = new Set(
  'pow exp expm1 log log1p log2 log10 sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh cbrt hypot'.split(
    ' ',
  ),
);

/** Every use of a function that engines approximate, through `Math`, under an alias, or as `**`. */
function approximations(module: Module): readonly Use[] {
  const { ts } = module;
  const aliases = aliasesOf(module);
  return [
    ...module
      .all(ts.isPropertyAccessExpression)
      .flatMap((node) => useOf(module, node, node.expression, node.name.text)),
    ...module.all(ts.isElementAccessExpression).flatMap((node) => {
      const { argumentExpression: key } = node;
      return ts.isStringLiteralLike(key) ? useOf(module, node, node.expression, key.text) : [];
    }),
    ...module.all(ts.isIdentifier).flatMap((node): readonly Use[] => {
      const name = aliases.get(node.text);
      return name !== undefined && isRead(module, node) ? [{ node, name: `Math.${name}`, fix: null }] : [];
    }),
    ...module.all(ts.isBinaryExpression).flatMap((node) => powerOf(module, node)),
  ];
}

function useOf(module: Module, node: ts.Expression, owner: ts.Expression, name: string): readonly Use[] {
  const { ts } = module;
  const object = bare(ts, owner);
  const isMath =
    (ts.isIdentifier(object) && object.text === 'Math') ||
    (ts.isPropertyAccessExpression(object) && object.getText(module.file) === 'globalThis.Math');
  if (!isMath || !approximated.has(name) || isAliasing(module, node)) return [];
  const call = node.parent;
  const [base, exponent] = ts.isCallExpression(call) && call.expression === node ? call.arguments : [];
  return [
    {
      node,
      name: `Math.${name}`,
      fix: name === 'pow' && base && exponent ? squareFix(module, call, base, exponent) : null,
    },
  ];
}

/** `x ** y`, unless both are written as integers: then the compiler could fold it. */
function powerOf(module: Module, node: ts.BinaryExpression): readonly Use[] {
  const { ts } = module;
  if (node.operatorToken.kind !== ts.SyntaxKind.AsteriskAsteriskToken) return [];
  const isWhole = (one: ts.Expression): boolean =>
    ts.isNumericLiteral(bare(ts, one)) || ts.isBigIntLiteral(bare(ts, one));
  if (isWhole(node.left) && isWhole(node.right)) return [];
  if (ts.isBigIntLiteral(bare(ts, node.right)) || ts.isBigIntLiteral(bare(ts, node.left))) return [];
  return [{ node, name: '`**`', fix: squareFix(module, node, node.left, node.right) }];
}

/** The square of a name is a product, which is exactly rounded. */
function squareFix(
  module: Module,
  whole: ts.Node,
  base: ts.Expression,
  exponent: ts.Expression,
): readonly Edit[] | null {
  const { ts } = module;
  const power = bare(ts, exponent);
  if (!ts.isIdentifier(base) || !ts.isNumericLiteral(power) || power.text !== '2') return null;
  return [{ range: rangeOf(module, whole), text: `(${base.text} * ${base.text})` }];
}

/** `const exp = Math.exp` is reported where `exp` is used. */
function isAliasing({ ts }: Module, node: ts.Node): boolean {
  return ts.isVariableDeclaration(node.parent) && node.parent.initializer === node && ts.isIdentifier(node.parent.name);
}

/** Names that refer to a function of `Math`: `const exp = Math.exp`, `const { exp, log: ln } = Math`. */
function aliasesOf(module: Module): ReadonlyMap<string, string> {
  const { ts } = module;
  const aliases = new Map<string, string>();
  for (const { name, initializer } of module.all(ts.isVariableDeclaration)) {
    if (!initializer) continue;
    if (ts.isIdentifier(name) && ts.isPropertyAccessExpression(initializer)) {
      const of = initializer.name.text;
      if (initializer.expression.getText(module.file) === 'Math' && approximated.has(of)) aliases.set(name.text, of);
    } else if (ts.isObjectBindingPattern(name) && initializer.getText(module.file) === 'Math') {
      for (const element of name.elements) {
        const of = (element.propertyName ?? element.name).getText(module.file);
        if (ts.isIdentifier(element.name) && approximated.has(of)) aliases.set(element.name.text, of);
      }
    }
  }
  return aliases;
}

/** Whether an identifier is read, rather than declared or the name of a property. */
function isRead({ ts }: Module, node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isBindingElement(parent) || ts.isVariableDeclaration(parent)) return parent.initializer === node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  return !(ts.isPropertyAssignment(parent) && parent.name === node) && !ts.isParameter(parent);
}

/** A module that declares or imports `Math` means its own. */
function hasItsOwnMath({ ts, all }: Module): boolean {
  const declared = [...all(ts.isVariableDeclaration), ...all(ts.isImportSpecifier), ...all(ts.isNamespaceImport)];
  return declared.some(({ name }) => ts.isIdentifier(name) && name.text === 'Math');
}
