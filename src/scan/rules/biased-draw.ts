/**
 * Draws that look uniform and are not: a rounded index, one that begins at -1, a remainder of a number below 1, a sort by a random comparison, and exchanges that cannot leave an element in
 * its place (Sattolo's algorithm) or exchange each with any (n^n orders do not divide into n! equal parts).
 */
import type { ts } from 'ts-morph';
import { rangeOf, type Module } from '../module.ts';
import { isApart } from '../randomness/apart.ts';
import { drawsUnder, factorOf, placesOf } from '../randomness/places.ts';
import type { Match, Project, Rule } from '../rule.ts';
import { docOf } from '../syntax/comments.ts';
import { bare, calledName, keyOf, lastName } from '../syntax/names.ts';
import { once } from '../syntax/once.ts';
import { isIn, loopsAround, scopeOf, under, type Loop } from '../syntax/walk.ts';

export const biasedDraw: Rule = {
  code: 'PV-9133',
  words: /rand(om)?\b|rng\b|rand\w*\s*\(/i,
  usesTypes: false,
  check: (module, project) => {
    const { ts } = module;
    const calls = module.all(ts.isCallExpression);
    const all: readonly Found[] = [
      ...calls.flatMap(
        (call) => roundedIndex(module, call) ?? indexBeforeFirst(module, call) ?? sortedByChance(module, call) ?? [],
      ),
      ...module.all(ts.isVariableDeclaration).flatMap((declared) => unevenExchange(module, project, declared) ?? []),
      ...module.all(ts.isBinaryExpression).flatMap((node) => remainder(module, node) ?? []),
    ];
    return all.filter(({ node }) => !isApart(module, node));
  },
};

type Found = Match & { readonly node: ts.Node };

function found(module: Module, node: ts.Node, message: string, hint: string): Found {
  return { node, range: rangeOf(module, node), message, hint };
}

/** `xs[Math.round(random() * n)]`, also through a name. */
function roundedIndex(module: Module, call: ts.CallExpression): readonly Found[] | null {
  const { ts } = module;
  const [argument] = call.arguments;
  if (keyOf(call.expression) !== 'Math.round' || !argument) return null;
  const product = factorOf(module, argument);
  if (!product || ts.isNumericLiteral(product.factor) || !isIndex(module, call)) return null;
  const { factor } = product;
  const draw = keyOf(product.draw);
  const isCount = /(?:^|\.)length$/u.test(keyOf(factor));
  const less =
    ts.isBinaryExpression(factor) &&
    factor.operatorToken.kind === ts.SyntaxKind.MinusToken &&
    keyOf(factor.right) === '1'
      ? factor.left
      : null;
  const count = less ? less.getText() : isCount ? factor.getText() : `(${factor.getText()} + 1)`;
  return [
    found(
      module,
      call,
      isCount
        ? `\`Math.round\` may give \`${factor.getText()}\`, which is past the end, and gives 0 half as often as the others`
        : '`Math.round` gives the first and the last index half as often as the others',
      `Math.floor(${draw} * ${count}) gives each index equally often`,
    ),
  ];
}

/** `xs[Math.floor(random() * n - 1)]`, where `random() * (n - 1)` or `random() * n` was meant. */
function indexBeforeFirst(module: Module, call: ts.CallExpression): readonly Found[] | null {
  const { ts } = module;
  const [argument] = call.arguments;
  if (keyOf(call.expression) !== 'Math.floor' || !argument) return null;
  const node = bare(ts, argument);
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.MinusToken || keyOf(node.right) !== '1')
    return null;
  const product = factorOf(module, node.left);
  if (!product || ts.isNumericLiteral(product.factor) || !isIndex(module, call)) return null;
  return [
    found(
      module,
      call,
      `\`Math.floor\` gives -1 as often as each other index, and never the last: 1 is subtracted from the product, not from \`${product.factor.getText()}\``,
      `Math.floor(${keyOf(product.draw)} * ${product.factor.getText()}) gives each index equally often`,
    ),
  ];
}

/** Whether a value is used as an index: directly, or through the name that it is given. */
function isIndex(module: Module, node: ts.Expression): boolean {
  const { ts } = module;
  const { parent } = node;
  if (ts.isElementAccessExpression(parent)) return parent.argumentExpression === node;
  const name = ts.isVariableDeclaration(parent)
    ? parent.initializer === node && ts.isIdentifier(parent.name)
      ? parent.name.text
      : null
    : ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
      ? keyOf(parent.left)
      : null;
  if (name === null) return false;
  return indicesIn(module, scopeOf(ts, node)).has(name);
}

/** The names that a function uses as indices. */
const indicesIn = once(
  ({ ts }, scope) =>
    new Set(
      under(ts, scope, ts.isElementAccessExpression).flatMap(({ argumentExpression }) =>
        ts.isIdentifier(argumentExpression) ? [argumentExpression.text] : [],
      ),
    ),
);

/** `xs.sort(() => random() - 0.5)`. */
function sortedByChance(module: Module, call: ts.CallExpression): readonly Found[] | null {
  const { ts } = module;
  const [compare] = call.arguments;
  if (!/^(?:sort|toSorted)$/u.test(calledName(ts, call) ?? '') || !compare) return null;
  const body = bare(ts, compare);
  if (!ts.isArrowFunction(body) && !ts.isFunctionExpression(body)) return null;
  const draws = drawsUnder(module, body.body);
  const parameters = new Set(body.parameters.map(({ name }) => name.getText()));
  const compares = under(ts, body.body, ts.isIdentifier).some(({ text }) => parameters.has(text));
  if (draws.length === 0 || compares) return null;
  return [
    found(
      module,
      call,
      'a random comparison does not shuffle evenly: which orders are drawn more often depends on the sort of the engine',
      'shuffle by Fisher and Yates: for i from the last index down to 1, exchange i and Math.floor(random() * (i + 1))',
    ),
  ];
}

/** `random() % n`: a number below 1 is its own remainder. */
function remainder(module: Module, node: ts.BinaryExpression): readonly Found[] | null {
  const { ts } = module;
  const { left, operatorToken, right } = node;
  const call = bare(ts, left);
  if (operatorToken.kind !== ts.SyntaxKind.PercentToken || !ts.isCallExpression(call)) return null;
  if (keyOf(call.expression) !== 'Math.random') return null;
  if (Number(keyOf(right)) < 1) return null;
  return [
    {
      node,
      range: rangeOf(module, node),
      message: '`%` changes nothing: a number that `Math.random` gives is below 1, and so is its remainder',
      hint: `${keyOf(left)} * ${right.getText()} is below ${right.getText()}; Math.floor makes it an index`,
    },
  ];
}

/** `j = floor(random() * i)` or `floor(random() * n)`, also through a helper, where the loop over `i` exchanges `[i]` and `[j]`. */
function unevenExchange(module: Module, project: Project, declared: ts.VariableDeclaration): readonly Found[] | null {
  const { ts } = module;
  const [loop] = loopsAround(ts, declared);
  const counter = loop && counterOf(module, loop);
  if (!loop || !counter || !ts.isIdentifier(declared.name) || !isIn(declared, loop.statement)) return null;
  const places = declared.initializer && placesOf(module, project, declared.initializer);
  const drawn = declared.name.text;
  if (!places || changedIn(module, loop.statement).has(counter)) return null;
  if (!exchanges(module, loop.statement, counter, drawn) || isMeantIn(module, scopeOf(ts, declared))) return null;
  const { node, count, from } = places;
  if (keyOf(count) === counter)
    return [
      found(
        module,
        node,
        `no element stays in its place: \`${drawn}\` is drawn from the places before \`${counter}\``,
        `draw from ${counter} + 1 places: ${from(`(${counter} + 1)`)}`,
      ),
    ];
  if (!isWhole(module, loop, count)) return null;
  return [
    found(
      module,
      node,
      `some orders are drawn more often than others: each element is exchanged with any of \`${count.getText()}\``,
      `shuffle by Fisher and Yates: for i from the last index down to 1, exchange i and ${from('(i + 1)')}`,
    ),
  ];
}

/** Whether a function says that it draws cycles, or mutates. */
const isMeantIn = once(
  ({ ts }, around) =>
    !ts.isSourceFile(around) && /sattolo|derangement|cyclic|mutat/iu.test(`${docOf(ts, around)} ${around.getText()}`),
);

/** The variable that the head of a `for` steps by one. */
function counterOf({ ts }: Module, loop: Loop): string | null {
  if (!ts.isForStatement(loop)) return null;
  const step = loop.incrementor ?? loop.condition;
  const counted = step && (ts.isPrefixUnaryExpression(step) || ts.isPostfixUnaryExpression(step)) ? step.operand : null;
  return counted && lastName(ts, counted);
}

/** The variables that a body assigns or steps. */
const changedIn = once(({ ts }, body): ReadonlySet<string> => {
  const assigned = under(ts, body, ts.isBinaryExpression).filter(({ operatorToken }) =>
    /^(?!==|<=|>=|!=).*=$/u.test(operatorToken.getText()),
  );
  const stepped = [...under(ts, body, ts.isPrefixUnaryExpression), ...under(ts, body, ts.isPostfixUnaryExpression)];
  const steps = stepped.filter(({ operator }) =>
    [ts.SyntaxKind.PlusPlusToken, ts.SyntaxKind.MinusMinusToken].includes(operator),
  );
  const targets = [...assigned.map(({ left }) => left), ...steps.map(({ operand }) => operand)];
  return new Set(targets.filter((target) => ts.isIdentifier(target)).map((target) => target.getText()));
});

/** The arrays that statements of a loop's body itself write, by index. */
const writtenIn = once(({ ts }, body): ReadonlyMap<string, ReadonlySet<string>> => {
  const statements = ts.isBlock(body) ? body.statements : [body];
  const owners = new Map<string, Set<string>>();
  for (const statement of statements) {
    if (!ts.isExpressionStatement(statement)) continue;
    for (const { owner, index } of writes(ts, statement.expression))
      owners.set(index, (owners.get(index) ?? new Set()).add(owner));
  }
  return owners;
});

/** Whether a body writes both `xs[a]` and `xs[b]` of one array. */
function exchanges(module: Module, body: ts.Statement, a: string, b: string): boolean {
  const written = writtenIn(module, body);
  return [...(written.get(b) ?? [])].some((owner) => written.get(a)?.has(owner));
}

interface Written {
  readonly owner: string;
  readonly index: string;
}

function writes(ts: Module['ts'], expression: ts.Expression): readonly Written[] {
  const node = bare(ts, expression);
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return [];
  const targets = ts.isArrayLiteralExpression(node.left) ? node.left.elements : [node.left];
  return targets.flatMap((target) =>
    ts.isElementAccessExpression(target)
      ? [{ owner: keyOf(target.expression), index: keyOf(target.argumentExpression) }]
      : [],
  );
}

/** Whether a factor is the number of all elements that the loop runs over: `i < n` with `random() * n`. */
function isWhole(module: Module, loop: Loop, factor: ts.Expression): boolean {
  const { ts } = module;
  if (!ts.isForStatement(loop) || !loop.condition || !ts.isBinaryExpression(loop.condition)) return false;
  return (
    loop.condition.operatorToken.kind === ts.SyntaxKind.LessThanToken && keyOf(loop.condition.right) === keyOf(factor)
  );
}
