/** Draws of packages that take no seed, or take one elsewhere: `_.shuffle(data)`, `mathjs.random()`. */
import type { ts } from 'ts-morph';
import type { Module } from '../module.ts';
import { importsOf } from '../syntax/callee.ts';
import { bare } from '../syntax/names.ts';
import { requiredBy, wholeModule } from '../syntax/required-modules.ts';
import { declarationAt } from '../syntax/scope.ts';

const fromLodash = /^(?:shuffle|sample|sampleSize|random)$/;
const draws: ReadonlyMap<string, RegExp> = new Map([
  ['mathjs', /^(?:random|randomInt|pickRandom)$/],
  ['lodash', fromLodash],
  ['lodash-es', fromLodash],
  ['underscore', fromLodash],
]);

/** The calls of a module that draw from a package; none where the module sets the package's seed. */
export function packageDraws(module: Module): readonly ts.CallExpression[] {
  const { ts, source } = module;
  if (!/['"](?:mathjs|lodash|underscore)/u.test(source.text) || source.text.includes('randomSeed')) return [];
  return module.all(ts.isCallExpression).filter((call) => isPackageDraw(module, bare(ts, call.expression)));
}

function isPackageDraw(module: Module, callee: ts.Expression): boolean {
  const { ts } = module;
  const owner = ts.isPropertyAccessExpression(callee) ? bare(ts, callee.expression) : callee;
  const origin = ts.isIdentifier(owner) ? originOf(module, owner) : null;
  if (!origin) return false;
  const member = ts.isPropertyAccessExpression(callee) ? callee.name.text : null;
  if (origin.name !== null) return member === null && isDraw(origin.specifier, origin.name);
  if (member !== null) return isDraw(origin.specifier, member);
  // `import shuffle from 'lodash/shuffle'`
  const [, owned = '', name = ''] =
    /^(lodash(?:-es)?|underscore)[./](?:modules\/)?([a-zA-Z]+)(?:\.js)?$/u.exec(origin.specifier) ?? [];
  return isDraw(owned, name);
}

const isDraw = (specifier: string, name: string): boolean => draws.get(specifier)?.test(name) ?? false;

interface Origin {
  readonly specifier: string;
  /** The name of the export; null for the package as a whole, or its default. */
  readonly name: string | null;
}

/** What an identifier is imported as, or required as; null if it is declared here. */
function originOf(module: Module, node: ts.Identifier): Origin | null {
  const { ts } = module;
  const declared = declarationAt(module, node.text, node);
  if (declared) {
    const required = requiredBy(module, declared);
    return required && { ...required, name: required.name === wholeModule ? null : required.name };
  }
  for (const { importClause: clause, moduleSpecifier } of importsOf(module, module.file)) {
    if (!clause || !ts.isStringLiteral(moduleSpecifier)) continue;
    const { text: specifier } = moduleSpecifier;
    const named = clause.namedBindings;
    if (clause.name?.text === node.text) return { specifier, name: null };
    if (!named) continue;
    if (ts.isNamespaceImport(named)) {
      if (named.name.text === node.text) return { specifier, name: null };
      continue;
    }
    const element = named.elements.find(({ name }) => name.text === node.text);
    if (element) return { specifier, name: (element.propertyName ?? element.name).text };
  }
  return null;
}
