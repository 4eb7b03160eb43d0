/** Whether code is part of training, judged by the names around it. */
import type { ts } from 'ts-morph';
import type { Module } from './module.ts';
import { calledName, keyOf, lastName, namesAround, receiverOf, wordsOf } from './syntax/names.ts';
import { ancestors, loopsAround, under, type Loop } from './syntax/walk.ts';

const trains = new Set([
  'train',
  'training',
  'pretrain',
  'finetune',
  'fit',
  'backward',
  'backprop',
  'optimize',
  'optimise',
]);
/** First words of functions that run before training or use its results. */
const apart = new Set(
  'print format render show report summarize summarise plot describe parse load read write save export list usage help display draw compare'.split(
    ' ',
  ),
);

/** Whether a function of this name is a part of training: `trainStep`, `fit`, `runEpoch`, `onEpochEnd`; not `printTrainingReport`. */
export function isTrainingName(name: string): boolean {
  const words = wordsOf(name);
  const [first = ''] = words;
  if (apart.has(first)) return false;
  if (words.some((word) => trains.has(word)) || /^(trainer|pretrainer)$/.test(first)) return true;
  if (first === 'on') return words.some((word) => word === 'step' || word === 'epoch' || word === 'batch');
  return (
    /^(run|do|one) (training )?(epoch|step)$/.test(words.join(' ')) ||
    /^(validation|evaluation|eval) (step|epoch|loop)$/.test(words.join(' '))
  );
}

/** Whether the node runs within training: in a function of training, or in a loop that trains. */
export function isInTraining(module: Module, node: ts.Node): boolean {
  const names = namesAround(module.ts, node);
  if (names.some((name) => apart.has(wordsOf(name)[0] ?? ''))) return false;
  if (isBatchCallback(module, node)) return true;
  return names.some(isTrainingName) || loopsAround(module.ts, node).some((loop) => isTrainingLoop(module, loop));
}

const calls =
  /^(backward|zero_?grad|trainStep|train_step|trainBatch|trainOnBatch|applyGradients|apply_gradients|clipGradNorm|clip_grad_norm_?|minimize|optimizerStep)$/;

/** A loop that counts steps, epochs or iterations, takes batches, or calls what only training calls. */
function isTrainingLoop(module: Module, loop: Loop): boolean {
  const known = trainingLoops.get(loop) ?? trainsInside(module, loop);
  trainingLoops.set(loop, known);
  return known;
}

const trainingLoops = new WeakMap<Loop, boolean>();

function trainsInside(module: Module, loop: Loop): boolean {
  const { ts } = module;
  if (countsSteps(module, loop) || takesBatches(module, loop)) return true;
  return under(ts, loop.statement, ts.isCallExpression).some((call) => {
    const name = calledName(ts, call) ?? '';
    const owner = receiverOf(ts, call);
    return calls.test(name) || (name === 'step' && owner !== null && /opt(im)?/i.test(lastName(ts, owner) ?? ''));
  });
}

/** `for (let step = 0; …)`, `while (step < maxSteps)`, `for (…; i < epochs; …)`; not a loop over the results of a run. */
function countsSteps({ ts }: Module, loop: Loop): boolean {
  const condition = ts.isForStatement(loop)
    ? loop.condition
    : ts.isWhileStatement(loop) || ts.isDoStatement(loop)
      ? loop.expression
      : undefined;
  const text = condition ? keyOf(condition) : '';
  if (/history|log|record|result|curve|\.length/i.test(text)) return false;
  if (
    /\b\w*(steps|epochs|iterations|iters)\b(?!\.)/i.test(text) ||
    /\b(global|micro|train)?_?(step|epoch)\b/i.test(text)
  )
    return true;
  const list = ts.isForStatement(loop) ? loop.initializer : undefined;
  const [counter] = list && ts.isVariableDeclarationList(list) ? list.declarations : [];
  const name = counter && ts.isIdentifier(counter.name) ? counter.name.text : '';
  return /^(global|micro|train)?_?(step|epoch|iter|iteration)(_?(idx|index|num|no))?$/i.test(name);
}

/** `for (const batch of …)`, `for (const x of trainLoader)`. */
function takesBatches({ ts }: Module, loop: Loop): boolean {
  if (!ts.isForOfStatement(loop)) return false;
  const list = loop.initializer;
  const [variable] = ts.isVariableDeclarationList(list) ? list.declarations : [];
  const isBatch = variable && ts.isIdentifier(variable.name) && /^(mini)?_?batch$/i.test(variable.name.text);
  return isBatch === true || isBatches(lastName(ts, loop.expression) ?? '');
}

const isBatches = (name: string): boolean => /^(train_?)?(batches|mini_?batches|data_?loader|loader)$/i.test(name);

/** `batches.forEach((batch) => …)`. */
function isBatchCallback({ ts }: Module, node: ts.Node): boolean {
  for (const parent of ancestors(node)) {
    if (!ts.isCallExpression(parent) || calledName(ts, parent) !== 'forEach') continue;
    const owner = receiverOf(ts, parent);
    if (owner && isBatches(lastName(ts, owner) ?? '')) return true;
  }
  return false;
}
