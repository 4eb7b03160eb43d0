/** What a random number is drawn for, as far as the names around it say. */
import type { ts } from 'ts-morph';
import type { Module } from '../module.ts';
import { calledName, lastName, namesAround, propertyName, wordsOf } from '../syntax/names.ts';
import { ancestors, isFunction, isIn } from '../syntax/walk.ts';
import { isTrainingName } from '../training-context.ts';

const tensorWords =
  /^(weights?|bias(es)?|params?|parameters?|tensors?|layers?|embeddings?|matrix|kernel|linear|model|net|network|neurons?)$/;
/** Words of a value that is drawn itself: a weight, not the network that one of two is. */
const valueWords = /^(weights?|bias(es)?|params?|parameters?|tensors?|embeddings?|matrix|kernel)$/;
/** Last words of a name that says which weight, or how many. */
const placeWords = /^(?:index|idx|indices|id|at|count|num|size)$/;
const drawWords =
  /^(xavier|glorot|kaiming|orthogonal|randn|dropout|gauss|gaussian|muller|shuffle|shuffled|shuffler|permute|permutation|fisher|yates|augment|augmentation|minibatch|bootstrap|folds|kfolds?|reparameteri[sz]e)$/;
const startWords =
  /^(init|initialize|initialise|initializer|initialiser|random|randomize|randomise|create|make|normal|uniform|he|fill|noise|perturb|mutate)$/;
const batchWords =
  /^(batch|batches|dataset|loader|dataloader|sampler|split|tokens?|logits|examples?|experiences?|replay|epoch)$/;
const pickWords = /^(sample|sampler|sampling|draw|pick|choose|random|shuffle|split|next|get|select|mask)$/;

const apartWords =
  /\b(id|uuid|secure|crypto|jitter|backoff|retry|delay|color|colour|nonce|salt|token id|session|temp|animation|resources?|warm|warmup|dummy|placeholder|random seed)\b/;

/** Whether the nearest name around a draw, or what it is drawn for, has nothing to do with training. */
export function isNamedApart(module: Module, node: ts.Node): boolean {
  const [nearest = ''] = namesAround(module.ts, node);
  return [...targetsOf(module, node), nearest].some((name) => apartWords.test(wordsOf(name).join(' ')));
}

/** The part of training that a draw belongs to; null if names do not show one. */
export function drawsForTraining(module: Module, node: ts.Node): string | null {
  const targets = targetsOf(module, node);
  const around = namesAround(module.ts, node);
  const names = [...targets, ...around];
  for (const name of names) {
    const words = wordsOf(name);
    if (apartWords.test(words.join(' '))) return null;
    const isTarget = targets.includes(name);
    if (words.some((word) => drawWords.test(word)) || (!isTarget && isTrainingName(name))) return `in \`${name}\``;
    const isValue = words.some((word) => valueWords.test(word)) && !placeWords.test(words.at(-1) ?? '');
    if (isTarget && isValue && isDrawnValue(module, node)) return `in \`${name}\``;
    if (words.some((word) => tensorWords.test(word)) && words.some((word) => startWords.test(word)))
      return `in \`${name}\``;
    if (words.some((word, at) => batchWords.test(word) && words.toSpliced(at, 1).some((one) => pickWords.test(one))))
      return `in \`${name}\``;
  }
  const all = names.flatMap(wordsOf);
  const isInitialiser = all.some((word) => startWords.test(word)) && all.some((word) => tensorWords.test(word));
  return isInitialiser ? `in \`${names[0] ?? ''}\`` : null;
}

/** `weights` of `weights[i][j] = …`, `const weights = …` and `{ weights: … }`, within the same function. */
export function targetsOf({ ts }: Module, node: ts.Node): readonly string[] {
  const targets: string[] = [];
  for (const parent of ancestors(node)) {
    if (isFunction(ts, parent) && !ts.isArrowFunction(parent)) break;
    if (ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name)) targets.push(parent.name.text);
    else if (ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent))
      targets.push(propertyName(ts, parent.name) ?? '');
    else if (ts.isParameter(parent) && ts.isIdentifier(parent.name)) targets.push(parent.name.text);
    else if (ts.isBinaryExpression(parent) && isAssignment(ts, parent)) {
      let { left } = parent;
      while (ts.isElementAccessExpression(left)) left = left.expression;
      targets.push(lastName(ts, left) ?? '');
    }
  }
  return targets.filter((name) => name !== '');
}

export const isAssignment = (ts: Module['ts'], node: ts.BinaryExpression): boolean =>
  node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment && node.operatorToken.kind <= ts.SyntaxKind.LastAssignment;

/**
 * Whether a draw is a value itself: not an index, and not the bare share in [0, 1) that a field of a record holds
 * (`{ weight: draw() }` of a task), since weights of models are centred or scaled.
 */
function isDrawnValue({ ts }: Module, node: ts.Node): boolean {
  if (ts.isPropertyAssignment(node.parent)) return false;
  for (const parent of ancestors(node)) {
    if (ts.isStatement(parent)) return true;
    if (ts.isElementAccessExpression(parent) && isIn(node, parent.argumentExpression)) return false;
    if (ts.isCallExpression(parent) && /^(floor|round|trunc)$/u.test(calledName(ts, parent) ?? '')) return false;
    const isComparison = ts.isConditionalExpression(parent) && isIn(node, parent.condition);
    if (isComparison) return false;
  }
  return true;
}
