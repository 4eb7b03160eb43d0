/**
 * FALSIFY-ALBOR-003: two runs with one seed give the same checkpoint. Numbers that no seed decides, drawn where weights are made,
 * data are shuffled or noise is added, end that.
 */
import type { ts } from 'ts-morph';
import { rangeOf, type Module } from '../module.ts';
import type { Match, Project, Rule } from '../rule.ts';
import { isApart } from '../randomness/apart.ts';
import { drawerForAnyone, isNamedInTraining, isSeededForAll } from '../randomness/for-anyone.ts';
import { helperDraws, type HelperDraw, type Judged } from '../randomness/indirect-draws.ts';
import { packageDraws } from '../randomness/package-draws.ts';
import { drawsForTraining, isAssignment, isNamedApart, targetsOf } from '../randomness/purpose.ts';
import { drawsForSearch } from '../randomness/search.ts';
import {
  bare,
  calledName,
  declaredName,
  keyOf,
  lastName,
  namesAround,
  propertyName,
  receiverOf,
  wordsOf,
} from '../syntax/names.ts';
import { once } from '../syntax/once.ts';
import { readsOf, type NamedDeclaration } from '../syntax/scope.ts';
import { ancestors, functionAround, isFunction, isIn, under } from '../syntax/walk.ts';
import { isTrainingName } from '../training-context.ts';

export const unseededRandomness: Rule = {
  code: 'PV-9108',
  words:
    /^(?=[^]*\bMath\b)[^]*\brandom\b|getRandomValues|randomBytes|\.\s*now\b|new\s+Date|hrtime|(?:^|\W)(?:get|pick|gen|generate|draw|sample)?_?[rR]and\w*\s*\(|['"](?:mathjs|lodash|underscore)\b/,
  usesTypes: false,
  check: (module, project) => {
    const { ts } = module;
    // Who wants a seed sets one for all draws.
    const isSeeded = isSeededForAll(project);
    return [
      ...sourcesOf(module, module.file).flatMap(({ node, source, matches }) =>
        matches.length > 0 && !(isSeeded && source === 'Math.random') && serves(module, project, node) ? matches : [],
      ),
      ...(isSeeded ? [] : helperDraws(module, project, { plain, purposeOf })).flatMap((draw) =>
        serves(module, project, draw.call) ? checkHelper(module, draw) : [],
      ),
      ...packageDraws(module).flatMap((call) => checkPackage(module, call)),
      ...[...module.all(ts.isCallExpression), ...module.all(ts.isNewExpression)].flatMap((node) =>
        checkClock(module, node),
      ),
    ];
  },
};

/** Whether a draw is not one for anyone who calls its function, or training calls it. */
function serves(module: Module, project: Project, node: ts.Node): boolean {
  const name = drawerForAnyone(module, node);
  return name === null || isNamedInTraining(module, project, name);
}

interface Source {
  readonly node: ts.Expression;
  /** `Math.random`, also where an alias of it is read, and `crypto.getRandomValues` by any name. */
  readonly source: string;
  readonly matches: readonly Match[];
}

const systemSource =
  /^(globalThis\.)?(Math\.random|((globalThis|window|self|webcrypto|node)\.)?crypto\.(getRandomValues|randomBytes|webcrypto\.getRandomValues))$/;

const sourcesOf = once((module): readonly Source[] => {
  const { ts } = module;
  const members = module
    .all(ts.isPropertyAccessExpression)
    .filter(({ name }) => /^(?:random|randomBytes|getRandomValues)$/u.test(name.text))
    .map((node) => ({ node, source: keyOf(node) }))
    .filter(({ source }) => systemSource.test(source));
  const aliases = aliasesOf(module).map((node) => ({ node, source: 'Math.random' }));
  return [...members, ...aliases].map((one) => ({ ...one, matches: checkSource(module, one.node, one.source) }));
});

/** The calls of `Math.random` in a module that are neither reported where they are, nor fallbacks, nor names. */
const plain: Judged['plain'] = (module) =>
  sourcesOf(module, module.file).flatMap(({ node, source, matches }) => {
    const { parent } = node;
    const isCall = module.ts.isCallExpression(parent) && parent.expression === node;
    if (matches.length > 0 || !isCall || !source.endsWith('Math.random') || isIdentifierText(module, parent)) return [];
    const isTaken = isApart(module, parent) || isNamedApart(module, parent) || fallbackOf(module, parent) !== null;
    return isTaken || isSeed(module, parent) ? [] : [parent];
  });

const purposeOf: Judged['purposeOf'] = (module, call) => {
  if (isApart(module, call) || isNamedApart(module, call) || isSeed(module, call)) return null;
  if (fallbackOf(module, call) !== null || isIdentifierText(module, call)) return null;
  return drawsForTraining(module, call) ?? drawsForSearch(module, call);
};

/** `rand(-1, 1)` where training draws numbers, of a helper that returns what `Math.random` gives. */
function checkHelper(module: Module, { call, name, draw, module: home }: HelperDraw): readonly Match[] {
  const where = purposeOf(module, call);
  if (where === null) return [];
  const found = match(module, call, `\`${name}\` draws numbers that no seed decides (${where})`);
  return [{ ...found, related: [{ message: 'drawn here', module: home, range: rangeOf(home, draw) }] }];
}

/** `_.shuffle(data)` where training draws numbers. */
function checkPackage(module: Module, call: ts.CallExpression): readonly Match[] {
  const where = purposeOf(module, call);
  return where === null
    ? []
    : [match(module, call, `\`${keyOf(call.expression)}\` draws numbers that no seed decides (${where})`)];
}

/** `Math.random`, called or handed on, and the bytes of the system, where training draws numbers. */
function checkSource(module: Module, node: ts.Expression, source: string): readonly Match[] {
  const isCall = module.ts.isCallExpression(node.parent) && node.parent.expression === node;
  const around = isCall ? node.parent : node;
  if (isAlias(module, node) || isApart(module, around)) return [];
  // `new Stream(Math.random)` is given the generator itself, not a seed that it drew.
  if ((isCall || !source.endsWith('Math.random')) && isSeed(module, around))
    return seedMatches(module, around, `the seed is drawn by \`${source}\``);
  const fallback = fallbackOf(module, around);
  // Another branch draws from what a seed started.
  if (fallback === 'absent') return [];
  if (fallback !== null) return seedMatches(module, around, `\`${source}\` is drawn from`);
  const invented = inventedMetric(module, around);
  if (invented !== null)
    return [
      {
        ...match(module, around, `\`${invented}\` contains a random number: it is not a measurement`),
        hint: 'report what the run computed, or nothing',
      },
    ];
  if (isNamedApart(module, around)) return [];
  const where = drawsForTraining(module, around) ?? drawsForSearch(module, around);
  return where === null || isIdentifierText(module, around)
    ? []
    : [match(module, around, `\`${source}\` draws numbers that no seed decides (${where})`)];
}

/** No reading of a clock is longer, in characters. */
const longestClock = 200;

/** The clock as a seed: every run gets another. */
function checkClock(module: Module, call: ts.CallExpression | ts.NewExpression): readonly Match[] {
  const text = call.end - call.pos > longestClock ? '' : keyOf(call);
  if (!/^([\w.]+\.now\(\)|newDate\(\)|newDate|process\.hrtime(\.bigint)?\(\))$/.test(text)) return [];
  return isSeed(module, call) && !isApart(module, call) ? seedMatches(module, call, `the clock is used as a seed`) : [];
}

/**
 * A run that was given no seed may draw one. `seed || draw()` also replaces a seed of 0, which was given.
 */
function seedMatches(module: Module, node: ts.Node, what: string): readonly Match[] {
  if (makesSeeds(module, node)) return [];
  const fallback = fallbackOf(module, node);
  if (fallback === 'absent' || startsAnew(module, node) || startsDefault(module, node) || isDefault(module, node))
    return [];
  if (fallback === null)
    return isOfLibrary(module, node)
      ? []
      : [{ ...match(module, node, `${what}: no two runs are alike`), ofLearning: 'file' }];
  if (isCalled(module, node, fallback)) return [];
  return [
    {
      range: rangeOf(module, node),
      message: `${what} if \`${fallback}\` is 0: 0 is a valid seed but is ignored`,
      hint: `test for its absence: ${fallback} ?? …`,
    },
  ];
}

/** Whether a function says that it makes new seeds, which others keep: `generateUniqueSeeds(n)`. */
function makesSeeds({ ts }: Module, node: ts.Node): boolean {
  const words = wordsOf(namesAround(ts, node)[0] ?? '');
  return (
    words.some((word) => /^seeds?$/u.test(word)) &&
    words.some((word) => /^(?:generate|create|make|new|random|fresh|unique|pick)$/u.test(word))
  );
}

/** `export const random = new Generator(clock)` of a module that exports `Generator`, too: who wants a seed gives one. */
function isOfLibrary({ ts, source }: Module, node: ts.Node): boolean {
  const { parent } = node;
  if (functionAround(ts, node) || !(ts.isCallExpression(parent) || ts.isNewExpression(parent))) return false;
  const name = calledName(ts, parent) ?? '';
  if (!/^\w+$/u.test(name)) return false;
  return new RegExp(
    `\\bexport\\s+(?:default\\s+)?(?:class|function|const|let|var)\\s+${name}\\b|\\bexport\\s*\\{[^}]{0,2000}\\b${name}\\b|\\bexports\\.${name}\\b`,
    'u',
  ).test(source.text);
}

/** Whether a seed is a generator: `if (seed) x = seed(); else x = draw();`. */
function isCalled({ ts }: Module, node: ts.Node, seed: string): boolean {
  const around = functionAround(ts, node) ?? node.getSourceFile();
  return under(ts, around, ts.isCallExpression).some(({ expression }) => keyOf(expression) === seed);
}

/** `this.setSeed(clock)` of a generator's constructor, which a later `setSeed` replaces; also of `function Random() { … }`. */
function startsAnew({ ts }: Module, node: ts.Node): boolean {
  const { parent } = node;
  const around = functionAround(ts, node);
  if (around && ts.isFunctionDeclaration(around) && generator.test(declaredName(ts, around) ?? ''))
    return under(ts, around, ts.isPropertyAccessExpression).some(
      ({ expression }) => expression.kind === ts.SyntaxKind.ThisKeyword,
    );
  const isOwn = ts.isCallExpression(parent) && receiverOf(ts, parent)?.kind === ts.SyntaxKind.ThisKeyword;
  return isOwn && around !== null && ts.isConstructorDeclaration(around);
}

/** `val == null ? draw() : val`: what was given goes first, by whatever name. */
function isDefault({ ts }: Module, node: ts.Node): boolean {
  for (const parent of ancestors(node)) {
    if (isFunction(ts, parent)) return false;
    const condition = ts.isConditionalExpression(parent)
      ? parent.condition
      : ts.isIfStatement(parent)
        ? parent.expression
        : null;
    if (
      condition &&
      !isIn(node, condition) &&
      /[!=]==?\s*(?:null|undefined|'undefined'|void 0)\b/u.test(condition.getText())
    )
      return true;
  }
  return false;
}

/** `const shared = generator(clock)` that is read only where no seed was given: `seed === null ? shared : generator(seed)`. */
function startsDefault(module: Module, node: ts.Node): boolean {
  const { ts } = module;
  for (const parent of ancestors(node)) {
    if (ts.isVariableDeclaration(parent)) {
      const reads = readsOf(module, parent);
      return reads.length > 0 && reads.every((read) => fallbackOf(module, read) === 'absent');
    }
    if (!ts.isCallExpression(parent) && !ts.isNewExpression(parent) && !ts.isPropertyAccessExpression(parent))
      return false;
  }
  return false;
}

/** `absent` where a given seed goes first; the name of the seed where a seed of 0 does not; null where no seed can be given. */
function fallbackOf({ ts }: Module, node: ts.Node): string | null {
  let below = node;
  for (const parent of ancestors(node)) {
    if (isFunction(ts, parent)) return null;
    if (ts.isParameter(parent)) return 'absent';
    if (ts.isBinaryExpression(parent) && parent.right === below) {
      if (parent.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) return 'absent';
      if (parent.operatorToken.kind === ts.SyntaxKind.QuestionQuestionEqualsToken) return 'absent';
      if (parent.operatorToken.kind === ts.SyntaxKind.BarBarToken && !isComparison(ts, below))
        return seedIn(parent.left);
    }
    const condition = ts.isConditionalExpression(parent)
      ? parent.condition
      : ts.isIfStatement(parent)
        ? parent.expression
        : null;
    if (condition && below !== condition && /seed|random_?state/iu.test(condition.getText())) {
      const otherwise = ts.isConditionalExpression(parent) ? parent.whenFalse : elseOf(ts, parent);
      return otherwise === below ? seedIn(condition) : 'absent';
    }
    below = parent;
  }
  return null;
}

/** `draw() < p`: in `d < 0 || draw() < p` it replaces nothing. */
const isComparison = (ts: Module['ts'], node: ts.Node): boolean =>
  ts.isBinaryExpression(node) && /^(?:[<>]=?|[!=]==?)$/u.test(node.operatorToken.getText());

const elseOf = (ts: Module['ts'], node: ts.Node): ts.Statement | undefined =>
  ts.isIfStatement(node) ? node.elseStatement : undefined;

const seedIn = (expression: ts.Expression): string => {
  const text = keyOf(expression);
  return /^[\w.?]*(?:seed|random_?state)\w*$/iu.test(text) ? text : 'absent';
};

/** `random` of `const { random } = Math` and of `const random = Math.random`, where it is read. */
function aliasesOf(module: Module): readonly ts.Identifier[] {
  const { ts } = module;
  const declared = module.all(ts.isVariableDeclaration).flatMap((node): readonly NamedDeclaration[] => {
    const { name, initializer } = node;
    if (!initializer || initializer.end - initializer.pos > longestAlias) return [];
    const value = keyOf(bare(ts, initializer));
    if (ts.isIdentifier(name)) return value === 'Math.random' ? [node] : [];
    if (!ts.isObjectBindingPattern(name) || value !== 'Math') return [];
    return name.elements.filter((element) => (element.propertyName ?? element.name).getText() === 'random');
  });
  return declared.flatMap((node) => {
    const reads = readsOf(module, node);
    // `rng = seeded(seed)` elsewhere: the name is a generator that a seed may start.
    return reads.some((read) => isAssigned(module, read)) ? [] : reads;
  });
}

const isAssigned = ({ ts }: Module, node: ts.Node): boolean =>
  ts.isBinaryExpression(node.parent) && node.parent.left === node && isAssignment(ts, node.parent);

/** No longer text is `Math.random`, in parentheses and with the type of a generator. */
const longestAlias = 80;

/** `const loss = Math.exp(-t) + draw()` of a function that trains; null if it is not a metric. */
function inventedMetric(module: Module, node: ts.Node): string | null {
  if (!namesAround(module.ts, node).some(isTrainingName)) return null;
  const [target] = targetsOf(module, node);
  const last = wordsOf(target ?? '').at(-1) ?? '';
  return target !== undefined && /^(loss|accuracy|perplexity|improvement|confidence)$/u.test(last) ? target : null;
}

/** `Math.random` in `const random = Math.random`: what it is used for is reported where it is used. */
function isAlias({ ts }: Module, node: ts.Node): boolean {
  return ts.isVariableDeclaration(node.parent) && node.parent.initializer === node && ts.isIdentifier(node.parent.name);
}

function match(module: Module, node: ts.Node, message: string): Match {
  return {
    range: rangeOf(module, node),
    message,
    hint: 'draw from a named stream that starts from the seed of the config',
    ofLearning: 'project',
    group: String(outermostFunction(module, node)?.pos ?? 'file'),
  };
}

/** The named function, or the method, that a draw is part of. */
function outermostFunction({ ts }: Module, node: ts.Node): ts.Node | null {
  for (const parent of ancestors(node))
    if (isFunction(ts, parent) && (!ts.isArrowFunction(parent) || declaredName(ts, parent) !== null)) return parent;
  return null;
}

/** A text in base 36 is a name, not a number. */
function isIdentifierText({ ts }: Module, node: ts.Node): boolean {
  return ts.isPropertyAccessExpression(node.parent) && node.parent.name.text === 'toString';
}

const seedName = /seed(_?(value|number))?$/i;
const generator =
  /^(set_?seed|manual_?seed|seed(_?rng|_?random|random|all|everything)?|.*rng|.*prng|mulberry32|xoshiro.*|xorshift.*|splitmix.*|pcg.*|alea|mersenne.*|random_?state|.*random)$/i;

/** Whether a value becomes a seed: by the name it is given, or by the function that takes it. */
function isSeed(module: Module, node: ts.Node): boolean {
  const { ts } = module;
  for (const parent of ancestors(node)) {
    if (isFunction(ts, parent) || ts.isBlock(parent)) return false;
    const name = nameGiven(module, parent);
    if (name !== null)
      return (seedName.test(name) && !isOnlyReadAway(module, parent)) || startsGenerator(module, parent);
    const taken = ts.isCallExpression(parent) || ts.isNewExpression(parent) ? takesAsSeed(module, parent, node) : null;
    if (taken !== null) return taken;
  }
  return false;
}

const knownGenerator =
  /^(?:set_?seed|manual_?seed|.*[rR]ng|.*[pP]rng|mulberry32|xoshiro.*|xorshift.*|splitmix.*|pcg.*|alea|mersenne.*)$/i;

/** Whether a name is handed to a generator that everybody knows: `const start = clock(); const rng = mulberry32(start);`. */
function startsGenerator(module: Module, declared: ts.Node): boolean {
  const { ts } = module;
  if (!ts.isVariableDeclaration(declared)) return false;
  return readsOf(module, declared).some((read) => {
    const { parent } = read;
    if (!ts.isCallExpression(parent) && !ts.isNewExpression(parent)) return false;
    return parent.arguments?.[0] === read && knownGenerator.test(calledName(ts, parent) ?? '');
  });
}

/** Whether a variable is read, and only as a part of a text or as another number: `'ask-' + seed + '.sock'`, `color.red = seed`. */
function isOnlyReadAway(module: Module, declared: ts.Node): boolean {
  const { ts } = module;
  if (!ts.isVariableDeclaration(declared)) return false;
  const reads = readsOf(module, declared);
  return reads.length > 0 && reads.every((read) => isPartOfText(module, read) || isOtherNumber(module, read));
}

function isPartOfText({ ts }: Module, read: ts.Node): boolean {
  let sum = read.parent;
  while (ts.isBinaryExpression(sum.parent) && sum.parent.operatorToken.kind === ts.SyntaxKind.PlusToken)
    sum = sum.parent;
  return ts.isBinaryExpression(sum) && under(ts, sum, ts.isStringLiteralLike).length > 0;
}

const isOtherNumber = ({ ts }: Module, { parent }: ts.Node): boolean =>
  ts.isBinaryExpression(parent) &&
  isAssignment(ts, parent) &&
  !/seed|state|rng/iu.test(lastName(ts, parent.left) ?? 'state');

/** The name under which a declaration, a property or an assignment keeps its value; null for other nodes. */
function nameGiven({ ts }: Module, parent: ts.Node): string | null {
  if (ts.isVariableDeclaration(parent) || ts.isParameter(parent))
    return ts.isIdentifier(parent.name) ? parent.name.text : '';
  if (ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent)) return propertyName(ts, parent.name) ?? '';
  return ts.isBinaryExpression(parent) && isAssignment(ts, parent) ? (lastName(ts, parent.left) ?? '') : null;
}

/** Whether a call takes the node as a seed; null if it only converts it, or is called on it. */
function takesAsSeed({ ts }: Module, call: ts.CallExpression | ts.NewExpression, node: ts.Node): boolean | null {
  if (!call.arguments?.some((argument) => isIn(node, argument))) return null;
  const name = calledName(ts, call) ?? '';
  const owner = receiverOf(ts, call);
  if (generator.test(name) || (name === 'from' && owner && generator.test(lastName(ts, owner) ?? ''))) return true;
  return /^(Number|BigInt|String|floor|trunc|round|abs|imul)$/.test(name) ? null : false;
}
