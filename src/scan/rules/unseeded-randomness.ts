/**
 * FALSIFY-ALBOR-003: two runs with one seed give the same checkpoint. Numbers that no seed decides, drawn where weights are made,
 * data are shuffled or noise is added, end that.
 */
import type { ts } from 'ts-morph';
import { rangeOf, type Module } from '../module.ts';
import type { Match, Rule } from '../rule.ts';
import { calledName, keyOf, lastName, namesAround, propertyName, receiverOf, wordsOf } from '../syntax/names.ts';
import { ancestors, isFunction, isIn } from '../syntax/walk.ts';
import { isTrainingName } from '../training-context.ts';

export const unseededRandomness: Rule = {
  code: 'PV-9108',
  words: /Math\s*\.\s*random|getRandomValues|randomBytes|\.\s*now\b|new\s+Date|hrtime/,
  usesTypes: false,
  check: (module) => {
    const { ts } = module;
    return [
      ...module.all(ts.isPropertyAccessExpression).flatMap((node) => checkSource(module, node)),
      ...[...module.all(ts.isCallExpression), ...module.all(ts.isNewExpression)].flatMap((node) =>
        checkClock(module, node),
      ),
    ];
  },
};

/** `Math.random`, called or handed on, and the bytes of the system, where training draws numbers. */
function checkSource(module: Module, node: ts.PropertyAccessExpression): readonly Match[] {
  const source = keyOf(node);
  if (
    !/^(globalThis\.)?(Math\.random|((globalThis|window|self|webcrypto|node)\.)?crypto\.(getRandomValues|randomBytes|webcrypto\.getRandomValues))$/.test(
      source,
    )
  )
    return [];
  const isCall = module.ts.isCallExpression(node.parent) && node.parent.expression === node;
  const around = isCall ? node.parent : node;
  if (isSeed(module, around))
    return [match(module, around, `the seed is drawn by \`${source}\`: no two runs are alike`)];
  const where = drawsForTraining(module, around);
  return where === null || isIdentifierText(module, around)
    ? []
    : [match(module, around, `\`${source}\` draws numbers that no seed decides (${where})`)];
}

/** The clock as a seed: every run gets another. */
function checkClock(module: Module, call: ts.CallExpression | ts.NewExpression): readonly Match[] {
  const text = keyOf(call);
  if (!/^([\w.]+\.now\(\)|newDate\(\)|newDate|process\.hrtime(\.bigint)?\(\))$/.test(text)) return [];
  return isSeed(module, call) ? [match(module, call, `the clock is used as a seed: no two runs are alike`)] : [];
}

function match(module: Module, node: ts.Node, message: string): Match {
  return {
    range: rangeOf(module, node),
    message,
    hint: 'draw from a named stream that starts from the seed of the config',
  };
}

const tensorWords =
  /^(weights?|bias(es)?|params?|parameters?|tensors?|layers?|embeddings?|matrix|kernel|linear|model|net|network|neurons?)$/;
const drawWords =
  /^(xavier|glorot|kaiming|orthogonal|randn|dropout|gaussian|muller|shuffle|shuffled|shuffler|permute|permutation|fisher|yates|augment|augmentation|minibatch|bootstrap|reparameteri[sz]e)$/;
const startWords =
  /^(init|initialize|initialise|initializer|initialiser|random|randomize|randomise|create|make|normal|uniform|he|fill|noise|perturb|mutate)$/;
const batchWords = /^(batch|batches|dataset|loader|dataloader|sampler|split|tokens?|logits|examples?|epoch)$/;
const pickWords = /^(sample|sampler|sampling|draw|pick|choose|random|shuffle|split|next|get|select|mask)$/;

/** The part of training that a draw belongs to; null if names do not show one. */
function drawsForTraining(module: Module, node: ts.Node): string | null {
  const names = [...targetsOf(module, node), ...namesAround(module.ts, node)];
  for (const name of names) {
    const words = wordsOf(name);
    if (
      /\b(id|uuid|jitter|backoff|retry|delay|color|colour|nonce|salt|token id|session|temp|animation)\b/.test(
        words.join(' '),
      )
    )
      return null;
    if (words.some((word) => drawWords.test(word)) || isTrainingName(name)) return `in \`${name}\``;
    if (
      words.some((word) => tensorWords.test(word)) &&
      (words.some((word) => startWords.test(word)) || isTarget(module, node, name))
    )
      return `in \`${name}\``;
    if (words.some((word) => batchWords.test(word)) && words.some((word) => pickWords.test(word)))
      return `in \`${name}\``;
  }
  const all = names.flatMap(wordsOf);
  const isInitialiser = all.some((word) => startWords.test(word)) && all.some((word) => tensorWords.test(word));
  return isInitialiser ? `in \`${names[0] ?? ''}\`` : null;
}

/** `weights` of `weights[i] = …`, `const weights = …` and `{ weights: … }`, within the same function. */
function targetsOf({ ts }: Module, node: ts.Node): readonly string[] {
  const targets: string[] = [];
  for (const parent of ancestors(node)) {
    if (isFunction(ts, parent) && !ts.isArrowFunction(parent)) break;
    if (ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name)) targets.push(parent.name.text);
    else if (ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent))
      targets.push(propertyName(ts, parent.name) ?? '');
    else if (ts.isParameter(parent) && ts.isIdentifier(parent.name)) targets.push(parent.name.text);
    else if (ts.isBinaryExpression(parent) && isAssignment(ts, parent)) {
      const left = ts.isElementAccessExpression(parent.left) ? parent.left.expression : parent.left;
      targets.push(lastName(ts, left) ?? '');
    }
  }
  return targets.filter((name) => name !== '');
}

const isAssignment = (ts: Module['ts'], node: ts.BinaryExpression): boolean =>
  node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment && node.operatorToken.kind <= ts.SyntaxKind.LastAssignment;

const isTarget = (module: Module, node: ts.Node, name: string): boolean => targetsOf(module, node).includes(name);

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
    if (name !== null) return seedName.test(name);
    const taken = ts.isCallExpression(parent) || ts.isNewExpression(parent) ? takesAsSeed(module, parent, node) : null;
    if (taken !== null) return taken;
  }
  return false;
}

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
