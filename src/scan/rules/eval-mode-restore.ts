/**
 * An evaluation in the middle of training switches the model to evaluation mode. When it throws, or returns early, before the
 * mode is put back, the rest of the run trains without dropout and with frozen statistics, and nothing says so.
 */
import type { ts } from 'ts-morph';
import { rangeOf, type Module } from '../module.ts';
import type { Edit } from '../edits.ts';
import type { Match, Project, Rule } from '../rule.ts';
import { bare, calledName, declaredName, keyOf, receiverOf, wordsOf } from '../syntax/names.ts';
import { ancestors, areExclusive, functionAround, isFunction, isIn, scopeOf, under } from '../syntax/walk.ts';

export const evalModeRestore: Rule = {
  code: 'PV-9103',
  words:
    /\.\s*eval\s*\(\s*\)|\b(set|to|enter)_?(eval|evaluation)(_?mode)?\s*\(|set_?training(_?mode)?\s*\(\s*false|\.\s*train\s*\(\s*false|\.\s*training\s*=\s*false/i,
  usesTypes: false,
  check: (module, project) => {
    const all = [...modeSwitches(module), ...switchesByHelpers(module, project)];
    const training = all.filter(({ to }) => to === 'training');
    return all.filter(({ to }) => to === 'evaluation').flatMap((one) => checkSwitch(module, one, training));
  },
};

/** A place where a model is put into a mode. */
interface Switch {
  readonly node: ts.Node;
  /** The model, as written. */
  readonly model: string;
  readonly to: 'evaluation' | 'training';
}

function modeSwitches(module: Module): readonly Switch[] {
  const { ts } = module;
  return [
    ...module.all(ts.isCallExpression).flatMap((call) => switchOfCall(module, call) ?? []),
    ...module.all(ts.isBinaryExpression).flatMap((assignment) => switchOfAssignment(module, assignment) ?? []),
  ];
}

/** `setEval(model)`, where `setEval` does nothing but switch the mode of its parameter. */
function switchesByHelpers(module: Module, project: Project): readonly Switch[] {
  const { ts } = module;
  return module.all(ts.isCallExpression).flatMap((node): readonly Switch[] => {
    if (node.arguments.length === 0 || !ts.isIdentifier(node.expression)) return [];
    if (!/mode|eval|train|infer/i.test(node.expression.text)) return [];
    const callee = project.functionNamed(module, node.expression);
    const body = callee && 'body' in callee ? callee.body : undefined;
    const inside = body && onlySwitch(module, body);
    if (!callee || !inside) return [];
    const at = callee.parameters.findIndex(({ name }) => ts.isIdentifier(name) && name.text === inside.model);
    const model = node.arguments[at];
    return model ? [{ node, model: keyOf(model), to: inside.to }] : [];
  });
}

/** The switch that a body consists of; null for any other body. */
function onlySwitch(module: Module, body: ts.Node): Switch | null {
  const { ts } = module;
  const [statement, ...others] = ts.isBlock(body) ? body.statements : [];
  if (others.length > 0) return null;
  const expression = statement && ts.isExpressionStatement(statement) ? statement.expression : body;
  if (ts.isCallExpression(expression)) return switchOfCall(module, expression);
  return ts.isBinaryExpression(expression) ? switchOfAssignment(module, expression) : null;
}

function switchOfCall({ ts }: Module, call: ts.CallExpression): Switch | null {
  const owner = receiverOf(ts, call);
  const name = calledName(ts, call);
  if (!owner || name === null) return null;
  const model = keyOf(owner);
  const [argument] = call.arguments;
  if (name === 'eval') return argument ? null : { node: call, model, to: 'evaluation' };
  if (!/^(train|set_?training(_?mode)?)$/i.test(name) || call.arguments.length > 1) return null;
  if (!argument && name !== 'train') return null;
  return { node: call, model, to: argument?.kind === ts.SyntaxKind.FalseKeyword ? 'evaluation' : 'training' };
}

function switchOfAssignment({ ts }: Module, node: ts.BinaryExpression): Switch | null {
  if (node.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return null;
  const target = bare(ts, node.left);
  if (!ts.isPropertyAccessExpression(target) || target.name.text !== 'training') return null;
  const to = node.right.kind === ts.SyntaxKind.FalseKeyword ? 'evaluation' : 'training';
  return { node, model: keyOf(target.expression), to };
}

function checkSwitch(module: Module, one: Switch, training: readonly Switch[]): readonly Match[] {
  const { ts } = module;
  if (definesTheMode(module, one) || isMeantToStay(one.model)) return [];
  const scope = scopeOf(ts, one.node);
  const restores = training.filter((other) => other.model === one.model);
  if (isOnBranch(ts, one.node) && restores.some((other) => areExclusive(ts, one.node, other.node))) return [];
  if (isRestoredInFinally(module, one, restores)) return [];
  const restore = restores.find((other) => other.node.pos > one.node.pos && scopeOf(ts, other.node) === scope);
  if (!restore && !isEvaluation(module, one, restores.length > 0)) return [];
  const early = restore ? returnBetween(module, one, restore) : null;
  const fix = restore && !early ? fixFor(module, one, restore) : null;
  return [
    {
      range: rangeOf(module, one.node),
      message: early
        ? `\`${one.model}\` is left in evaluation mode by a return before its mode is restored`
        : restore
          ? `\`${one.model}\` returns to training mode only when nothing throws in between`
          : `\`${one.model}\` is left in evaluation mode`,
      hint: `put the mode back in \`finally\`: try { … } finally { ${one.model}.train(); }`,
      related: early ? [{ message: 'returns here', module, range: rangeOf(module, early) }] : [],
      ...(fix ? { fix } : {}),
    },
  ];
}

/** A return of the same function between the two switches. */
function returnBetween(module: Module, one: Switch, restore: Switch): ts.ReturnStatement | null {
  const { ts } = module;
  const returns = under(ts, scopeOf(ts, one.node), ts.isReturnStatement, (node) => isFunction(ts, node));
  return returns.find((node) => node.pos > one.node.end && node.end < restore.node.pos) ?? null;
}

/** Whether a node runs under a condition within its function. */
function isOnBranch(ts: Module['ts'], node: ts.Node): boolean {
  for (const parent of ancestors(node)) {
    if (isFunction(ts, parent)) return false;
    if (ts.isIfStatement(parent) || ts.isConditionalExpression(parent) || ts.isCaseBlock(parent)) return true;
  }
  return false;
}

const definers =
  /^(eval|train|set_?training(_?mode)?|set_?mode|set_?eval|eval_?mode|freeze|inference(_?mode)?|constructor|reset|enter|leave|toggle.*)$/i;

/** The method that is the switch itself, and the loop over submodules in it. */
function definesTheMode(module: Module, { node, model }: Switch): boolean {
  const { ts } = module;
  const around = functionAround(ts, node);
  const name = around && declaredName(ts, around);
  const isHelper = around && 'body' in around && around.body && onlySwitch(module, around.body) !== null;
  // Reported where the helper is called.
  if (isHelper && around.parameters.some(({ name: of }) => ts.isIdentifier(of) && of.text === model)) return true;
  return name !== null && definers.test(name) && !/^(teacher|student|model)$/i.test(model);
}

/** A teacher or a frozen copy is never trained. */
const isMeantToStay = (model: string): boolean =>
  /teacher|reference|\bref|frozen|ema|target|pretrained|baseline/i.test(model);

/** Whether leaving the mode switched can hurt: the model is trained in this module, or the function is an evaluation of one. */
function isEvaluation({ ts }: Module, { node, model }: Switch, isTrainedHere: boolean): boolean {
  if (
    !/model|net|module|layer|student|encoder|decoder|policy|critic|actor|generator|discriminator|transformer|gpt|^this$|^this\.(m|f)$/i.test(
      model,
    ) &&
    !isTrainedHere
  )
    return false;
  for (const parent of ancestors(node)) {
    if (!isFunction(ts, parent)) continue;
    const words = wordsOf(declaredName(ts, parent) ?? '');
    if (
      words.some((word) =>
        /^(evaluate|evaluation|eval|validate|validation|val|perplexity|train|training|fit|pretrain|finetune)$/.test(
          word,
        ),
      )
    )
      return !words.some((word) => /^(predict|infer|inference|generate|serve|load)$/.test(word));
  }
  return isTrainedHere && functionAround(ts, node) !== null;
}

/** Whether a `finally` puts the mode back whatever happens after the switch. */
function isRestoredInFinally(module: Module, one: Switch, restores: readonly Switch[]): boolean {
  const { ts } = module;
  const scope = scopeOf(ts, one.node);
  if (restores.some(({ node }) => node.pos > one.node.pos && isInFinallyCallback(ts, node) && isIn(node, scope)))
    return true;
  return module.all(ts.isTryStatement).some((statement) => {
    if (scopeOf(ts, statement) !== scope) return false;
    const { finallyBlock, tryBlock } = statement;
    if (!finallyBlock || statement.end < one.node.end) return false;
    if (!isIn(one.node, tryBlock) && statement.pos < one.node.pos) return false;
    return restores.some(({ node }) => isIn(node, finallyBlock)) || restoresByCall(ts, finallyBlock, one.model);
  });
}

/** `run(model).finally(() => model.train())`. */
function isInFinallyCallback(ts: Module['ts'], node: ts.Node): boolean {
  const around = functionAround(ts, node);
  const call = around?.parent;
  return call !== undefined && ts.isCallExpression(call) && calledName(ts, call) === 'finally';
}

/** `finally { restore(); }` or `finally { restoreMode(model, was); }`. */
function restoresByCall(ts: Module['ts'], block: ts.Block, model: string): boolean {
  return under(ts, block, ts.isCallExpression).some((call) => {
    const name = calledName(ts, call) ?? '';
    if (receiverOf(ts, call) !== null) return name === 'restore';
    const isAboutModel = call.arguments.length === 0 || call.arguments.some((argument) => keyOf(argument) === model);
    return isAboutModel && /restore|train|mode|reset/i.test(name);
  });
}

/** Wraps what is between the two switches, if they are statements of one block and nothing declared between is used later. */
function fixFor(module: Module, one: Switch, restore: Switch): readonly Edit[] | null {
  const { ts } = module;
  const [from, to] = [one.node.parent, restore.node.parent];
  if (!ts.isExpressionStatement(from) || !ts.isExpressionStatement(to) || from.parent !== to.parent) return null;
  const block = from.parent;
  if (!ts.isBlock(block)) return null;
  const between = block.statements.filter((statement) => statement.pos >= from.end && statement.end <= to.pos);
  if (between.length === 0 || (between.some((statement) => declares(ts, statement)) && to !== block.statements.at(-1)))
    return null;
  const indent = /[^\S\r\n]*$/.exec(module.source.text.slice(0, to.getStart(module.file)))?.[0] ?? '';
  return [
    { range: { start: from.end, end: from.end }, text: `\n${indent}try {` },
    { range: rangeOf(module, to), text: `} finally {\n${indent}  ${to.getText(module.file)}\n${indent}}` },
  ];
}

const declares = (ts: Module['ts'], statement: ts.Statement): boolean =>
  ts.isVariableStatement(statement) || ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement);
