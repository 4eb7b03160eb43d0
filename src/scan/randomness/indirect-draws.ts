/**
 * Draws through helpers: `rand(-1, 1)` where `rand` returns what `Math.random` gives. A helper says nothing about what is drawn; its
 * calls do.
 */
import type { ts } from 'ts-morph';
import type { Module } from '../module.ts';
import type { Project } from '../rule.ts';
import { calledName, declaredName, wordsOf } from '../syntax/names.ts';
import { ancestors, functionAround, isFunction, isIn, under, type FunctionNode } from '../syntax/walk.ts';

export interface HelperDraw {
  readonly call: ts.CallExpression;
  /** What the call calls. */
  readonly name: string;
  /** Where the helper, or the helper that it calls, draws. */
  readonly draw: ts.Node;
  readonly module: Module;
}

/** What the rule says of draws. */
export interface Judged {
  /** The draws of a module that it neither reports nor takes for something else: a fallback, a seed, an identifier. */
  readonly plain: (module: Module) => readonly ts.Node[];
  /** The part of training that a call draws for; null if nothing shows one. */
  readonly purposeOf: (module: Module, call: ts.CallExpression) => string | null;
}

/** No helper is longer, in characters: longer functions do more than to draw. */
const longest = 800;
/** Names of helpers of other modules; calls of other names are not resolved. */
const drawsByName = /^(?:rand|gauss|normal|uniform|sample|pick|choice|choose|flip|chance)/i;

/** The calls of helpers in a module: of its own, and of those that it imports. */
export function helperDraws(module: Module, project: Project, judged: Judged): readonly HelperDraw[] {
  const { ts } = module;
  const own = helpersIn(module, project, judged);
  const names = new Set([...own.keys()].map((helper) => declaredName(ts, helper)));
  return module.all(ts.isCallExpression).flatMap((call): readonly HelperDraw[] => {
    const name = calledName(ts, call);
    if (name === null || !(names.has(name) || wordsOf(name).some((word) => drawsByName.test(word)))) return [];
    const called = project.functionNamed(module, call.expression);
    const home = called && (own.has(called as FunctionNode) ? module : homeOf(module, project, called));
    if (!home) return [];
    const draw = helpersIn(home, project, judged).get(called as FunctionNode);
    return draw ? [{ call, name, draw, module: home }] : [];
  });
}

/** The module of a function, if it is another one that draws. */
function homeOf(module: Module, project: Project, called: ts.Node): Module | null {
  const home = project.moduleAt(called.getSourceFile().fileName);
  return home && home !== module && home.source.text.includes('random') ? home : null;
}

type Helpers = ReadonlyMap<FunctionNode, ts.Node>;

const known = new WeakMap<Module, Helpers>();

/** The helpers that a module declares, with their draws: those that draw, and those that return what such a one gives. */
function helpersIn(module: Module, project: Project, judged: Judged): Helpers {
  const before = known.get(module);
  if (before) return before;
  const { ts } = module;
  const helpers = new Map<FunctionNode, ts.Node>();
  for (const draw of judged.plain(module)) {
    const around = functionAround(ts, draw);
    if (around && isHelper(module, around) && returns(module, around, draw)) helpers.set(around, draw);
  }
  const names = new Set([...helpers.keys()].map((helper) => declaredName(ts, helper)));
  for (const call of helpers.size > 0 ? module.all(ts.isCallExpression) : []) {
    const around = functionAround(ts, call);
    if (!around || helpers.has(around) || !names.has(calledName(ts, call)) || !isHelper(module, around)) continue;
    const called = project.functionNamed(module, call.expression);
    const draw = called && helpers.get(called as FunctionNode);
    if (draw && returns(module, around, call) && judged.purposeOf(module, call) === null) helpers.set(around, draw);
  }
  known.set(module, helpers);
  return helpers;
}

/** Whether a function is short, has a name, and speaks of no generator or seed that it might draw from instead. */
function isHelper({ ts, source }: Module, around: FunctionNode): boolean {
  if (around.end - around.pos > longest || ts.isConstructorDeclaration(around)) return false;
  if (declaredName(ts, around) === null) return false;
  if (around.parameters.some(({ name }) => /random/iu.test(name.getText()))) return false;
  return !/seed|rng|generator/iu.test(source.text.slice(around.pos, around.end));
}

/** Whether a function returns a value, or a name whose value it is part of. */
function returns({ ts }: Module, around: FunctionNode, value: ts.Node): boolean {
  if (ts.isArrowFunction(around) && !ts.isBlock(around.body)) return true;
  let below = value;
  for (const parent of ancestors(value)) {
    if (ts.isReturnStatement(parent)) return true;
    if (ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name) && parent.initializer === below) {
      const { text } = parent.name;
      const body = around.body ?? around;
      return under(ts, body, ts.isReturnStatement, (node) => isFunction(ts, node)).some(
        ({ expression }) => expression && under(ts, expression, ts.isIdentifier).some((one) => one.text === text),
      );
    }
    if (ts.isStatement(parent) || !isIn(parent, around)) return false;
    below = parent;
  }
  return false;
}
