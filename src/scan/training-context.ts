/** Whether code is part of training, told by the names around it. */
import type { ts } from 'ts-morph';
import type { Module } from './module.ts';
import { calledName, lastName, namesAround, wordsOf } from './syntax/names.ts';
import { loopsAround, under, type Loop } from './syntax/walk.ts';

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
/** First words of functions that work on what training left behind, or before it starts. */
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
  return names.some(isTrainingName) || loopsAround(module.ts, node).some((loop) => isTrainingLoop(module, loop));
}

const calls =
  /^(backward|zero_?grad|trainStep|train_step|trainBatch|trainOnBatch|applyGradients|apply_gradients|clipGradNorm|clip_grad_norm_?|minimize|optimizerStep)$/;

/** A loop that counts steps, epochs or iterations, takes batches, or calls what only training calls. */
export function isTrainingLoop(module: Module, loop: Loop): boolean {
  const { ts } = module;
  if (ts.isForStatement(loop) && loop.initializer && ts.isVariableDeclarationList(loop.initializer)) {
    const [counter] = loop.initializer.declarations;
    const name = counter && ts.isIdentifier(counter.name) ? counter.name.text : '';
    if (/^(global|micro|train)?_?(step|epoch|iter|iteration)(_?(idx|index|num|no))?$/i.test(name)) return true;
  }
  if (ts.isForOfStatement(loop) && /^(batch|minibatch)$/i.test(loopVariable(module, loop))) return true;
  return under(ts, loop.statement, ts.isCallExpression).some((call) => {
    const name = calledName(ts, call) ?? '';
    return calls.test(name) || (name === 'step' && /opt(im)?/i.test(ownerName(module, call)));
  });
}

function loopVariable({ ts }: Module, loop: ts.ForOfStatement): string {
  if (!ts.isVariableDeclarationList(loop.initializer)) return '';
  const [variable] = loop.initializer.declarations;
  return variable && ts.isIdentifier(variable.name) ? variable.name.text : '';
}

function ownerName({ ts }: Module, call: ts.CallExpression): string {
  return ts.isPropertyAccessExpression(call.expression) ? (lastName(ts, call.expression.expression) ?? '') : '';
}
