/**
 * A cache of keys and values that all layers write to one place: each layer attends to what the last one wrote. With one layer it
 * is correct, so a test of one layer does not show it.
 */
import type { ts } from 'ts-morph';
import { rangeOf, type Module } from '../module.ts';
import type { Match, Rule } from '../rule.ts';
import { bare, calledName, keyOf, lastName, receiverOf, wordsOf } from '../syntax/names.ts';
import { isIn, loopsAround, scopeOf, under, type Loop } from '../syntax/walk.ts';

export const layerCache: Rule = {
  code: 'PV-9132',
  words: /cache|\b(?:k|v|keys?|vals?|values?)\s*(?:\[|\.set\b)/i,
  usesTypes: false,
  check: (module) => {
    const { ts } = module;
    return [
      ...module.all(ts.isCallExpression).flatMap((call) => {
        const owner = calledName(ts, call) === 'set' && call.arguments.length === 2 ? receiverOf(ts, call) : null;
        // `cache.set(rows, offset)` of an array, not `map.set(key, value)`: the offset is computed.
        const [, offset] = call.arguments;
        const isComputed = offset !== undefined && ts.isBinaryExpression(bare(ts, offset));
        return owner && isComputed ? checkWrite(module, call, owner, offset) : [];
      }),
      ...module.all(ts.isBinaryExpression).flatMap((node) => {
        const target = bare(ts, node.left);
        return node.operatorToken.kind === ts.SyntaxKind.EqualsToken && ts.isElementAccessExpression(target)
          ? checkWrite(module, node, bare(ts, target.expression), target.argumentExpression)
          : [];
      }),
    ];
  },
};

function checkWrite(module: Module, write: ts.Node, cache: ts.Expression, offset: ts.Expression): readonly Match[] {
  const { ts } = module;
  const name = lastName(ts, cache);
  if (name === null) return [];
  const loop = loopsAround(ts, write).find((one) => layerOf(module, one) !== null);
  const layer = loop && layerOf(module, loop);
  if (!loop || !layer) return [];
  if (!isKeyValueCache(name) && !(isKeysOrValues(name) && isAtPosition(module, offset, loop))) return [];
  // What depends on the layer in any way may hold its axis: the cache, the offset, and what they are computed from.
  const dependent = dependentOn(module, loop, layer);
  if ([cache, offset].some((node) => mentions(module, node, dependent) || /layer/iu.test(node.getText()))) return [];
  // Read in the same turn and never again: a scratch buffer.
  if (isReplaced(module, cache, loop)) return [];
  return [
    {
      range: rangeOf(module, write),
      message: `every layer writes to the same place of \`${name}\`: the offset does not depend on \`${layer}\``,
      hint: `give the cache an axis for the layer: (${ts.isForStatement(loop) ? layer : 'layer'} * seqLen + position) * kvDim, or one cache for each layer`,
      group: `${loop.pos} ${keyOf(cache)}`,
    },
  ];
}

/** `keyCache`, `kv_cache`, `kCache`, `valueCache`; not a cache of results. */
function isKeyValueCache(name: string): boolean {
  const words = wordsOf(name);
  return words.includes('cache') && words.some((word) => /^(k|v|kv|keys?|values?)$/.test(word));
}

/** `k`, `values`: keys or values, which are a cache if those of earlier positions stay in it. */
const isKeysOrValues = (name: string): boolean => /^(?:k|v|ks|vs|keys?|vals?|values?)$/iu.test(name);

/**
 * Whether an offset is that of the row of a position which the loop does not step: what other positions hold was written before the
 * loop. A position that the loop steps itself fills a buffer for the layer.
 */
function isAtPosition(module: Module, offset: ts.Expression, loop: Loop): boolean {
  const { ts } = module;
  const declared = new Map(under(ts, loop, ts.isVariableDeclaration).map((one) => [keyOf(one.name), one]));
  const followed = new Set<string>();
  const parts: ts.Expression[] = [offset];
  let [hasRow, hasPosition] = [false, false];
  for (const part of parts) {
    hasRow ||= part.getText().includes('*');
    for (const { text } of under(ts, part, ts.isIdentifier)) {
      const own = declared.get(text);
      if (own?.initializer && !followed.has(text)) parts.push(own.initializer);
      followed.add(text);
      hasPosition ||= !own && wordsOf(text).some((word) => /^(?:pos|position|past|step|t)$/u.test(word));
    }
  }
  return hasRow && hasPosition;
}

/** The variable that counts layers: `for (let l = 0; l < nLayers; l++)`, `for (const layer of layers)`. */
function layerOf({ ts }: Module, loop: Loop): string | null {
  if (ts.isForOfStatement(loop) && ts.isVariableDeclarationList(loop.initializer)) {
    const [layer] = loop.initializer.declarations;
    const isLayer =
      layer && ts.isIdentifier(layer.name) && /^(?:.*layers|blocks)$/iu.test(lastName(ts, loop.expression) ?? '');
    return isLayer ? layer.name.getText() : null;
  }
  if (!ts.isForStatement(loop) || !loop.initializer || !ts.isVariableDeclarationList(loop.initializer)) return null;
  const [counter] = loop.initializer.declarations;
  if (!counter || !ts.isIdentifier(counter.name)) return null;
  const isOfLayers = /layers?$/i.test(counter.name.text) || /layers\b/i.test(loop.condition?.getText() ?? '');
  return isOfLayers ? counter.name.text : null;
}

/** The names that are assigned, in the loop, from something that depends on the layer. */
function dependentOn(module: Module, loop: Loop, layer: string): ReadonlySet<string> {
  const { ts } = module;
  const names = new Set([layer]);
  const declarations = under(ts, loop, ts.isVariableDeclaration);
  const assignments = under(ts, loop, ts.isBinaryExpression).filter(
    ({ operatorToken: { kind } }) => kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment,
  );
  // Anything that changes in the loop body counts: `offset += size` moves on with the layer.
  for (const { left } of assignments)
    if (ts.isIdentifier(left) || ts.isPropertyAccessExpression(left)) names.add(keyOf(left));
  for (let before = 0; before < names.size;) {
    before = names.size;
    for (const { name, initializer } of declarations)
      if (initializer && mentions(module, initializer, names))
        for (const id of under(ts, name, ts.isIdentifier)) names.add(id.text);
  }
  return names;
}

/** Whether an expression has one of the names in it, as a variable or as a whole member: `k` is not in `this.k`. */
const mentions = ({ ts }: Module, node: ts.Node, names: ReadonlySet<string>): boolean =>
  under(ts, node, ts.isPropertyAccessExpression).some((member) => names.has(keyOf(member))) ||
  under(ts, node, ts.isIdentifier).some(
    (one) => names.has(one.text) && !(ts.isPropertyAccessExpression(one.parent) && one.parent.name === one),
  );

/** Whether the cache is made or assigned in the loop. */
function isReplaced(module: Module, cache: ts.Expression, loop: Loop): boolean {
  const { ts } = module;
  const key = keyOf(cache);
  const declared = under(ts, scopeOf(ts, loop), ts.isVariableDeclaration).filter(({ name }) => keyOf(name) === key);
  if (declared.some((node) => isIn(node, loop.statement))) return true;
  return under(ts, loop.statement, ts.isBinaryExpression).some(
    ({ left, operatorToken }) => operatorToken.kind === ts.SyntaxKind.EqualsToken && keyOf(left) === key,
  );
}
