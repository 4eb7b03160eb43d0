/**
 * Statements of kernels. Where a condition depends on the input both ways are executed, and what they assigned is merged
 * where they meet again.
 */
import { present } from '../../base/invariant.ts';
import type { KernelExpression, KernelStatement, Place } from '../../subject/kernel-syntax.ts';
import { printExpression } from '../../subject/print-kernel.ts';
import type { BooleanExpression } from '../expression.ts';
import { demand, refuse, type Execution } from './execution.ts';
import { decide, evaluate, type Env } from './expressions.ts';
import { conditionSince, extend, type Path } from './path.ts';
import { choose, type Truth, type Value } from './value.ts';

/** A way through the code that is still going. */
export interface Flow {
  readonly path: Path;
  readonly env: Env;
}

/** Ways that left the straight line. */
export interface Exits {
  readonly returns: { readonly path: Path; readonly value: Value; readonly place: Place }[];
  /** Of the innermost loop. */
  readonly breaks: Flow[];
  readonly continues: Flow[];
}

/** Rounds of a loop whose end depends on the input; that it needs no more becomes a condition. */
const mostUndecidedRounds = 256;

/** Executes statements in order; null if none of the ways continues after them. */
export function executeBlock(
  execution: Execution,
  statements: readonly KernelStatement[],
  start: Flow,
  exits: Exits,
): Flow | null {
  let flow: Flow | null = start;
  for (const statement of statements) {
    if (flow === null || execution.problem) return null;
    flow = executeStatement(execution, statement, flow, exits);
  }
  return flow;
}

function executeStatement(execution: Execution, statement: KernelStatement, flow: Flow, exits: Exits): Flow | null {
  if (--execution.steps < 0) refuse(execution, statement.place, 'too many steps: choose smaller sizes');
  const { env, path } = flow;
  switch (statement.kind) {
    case 'declare':
      env.set(statement.name, evaluate(execution, statement.value, env, path));
      return flow;
    case 'assign':
    case 'step':
      env.set(statement.name, evaluate(execution, assigned(statement), env, path));
      return flow;
    case 'if':
      return executeIf(execution, statement, flow, exits);
    case 'for':
    case 'while':
      return executeLoop(execution, statement, flow, exits);
    case 'break':
      exits.breaks.push(flow);
      return null;
    case 'continue':
      exits.continues.push(flow);
      return null;
    case 'return':
      exits.returns.push({ path, value: evaluate(execution, statement.value, env, path), place: statement.place });
      return null;
  }
}

/** `x += y` and `x++` as the expressions that they abbreviate. */
function assigned(statement: Extract<KernelStatement, { kind: 'assign' | 'step' }>): KernelExpression {
  const { name, place } = statement;
  const left: KernelExpression = { kind: 'name', name, place };
  if (statement.kind === 'step')
    return { kind: 'binary', operator: '+', left, right: { kind: 'number', value: statement.by, place }, place };
  const { operator, value } = statement;
  return operator === '' ? value : { kind: 'binary', operator, left, right: value, place };
}

function executeIf(
  execution: Execution,
  statement: Extract<KernelStatement, { kind: 'if' }>,
  flow: Flow,
  exits: Exits,
): Flow | null {
  const condition = decide(execution, statement.condition, flow.env, flow.path);
  const otherwise = statement.otherwise ?? [];
  if (typeof condition === 'boolean')
    return executeBlock(execution, condition ? statement.then : otherwise, flow, exits);
  const before = countOf(exits);
  const branch = (body: readonly KernelStatement[], met: BooleanExpression): Flow | null =>
    executeBlock(execution, body, { path: extend(flow.path, met), env: new Map(flow.env) }, exits);
  const ways = [branch(statement.then, condition), branch(otherwise, execution.graph.not(condition))];
  const alive = ways.filter((way) => way !== null);
  return merge(execution, flow, alive, countOf(exits) === before, statement.place);
}

const countOf = ({ returns, breaks, continues }: Exits): number => returns.length + breaks.length + continues.length;

/**
 * Several ways that started from `start` and exclude each other, as one. `complete`: one of them is taken whenever `start`
 * is reached.
 */
function merge(execution: Execution, start: Flow, ways: readonly Flow[], complete: boolean, place: Place): Flow | null {
  const last = ways.at(-1);
  if (!last) return null;
  if (ways.length === 1) return { path: complete ? start.path : last.path, env: last.env };
  const { graph } = execution;
  const conditions = ways.map(({ path }) => conditionSince(graph, path, start.path));
  const env: Env = new Map();
  for (const name of start.env.keys()) {
    const value = ways.reduceRight<Value | null>((after, way, i) => {
      const here = present(way.env.get(name), 'a name that was there before a branch is there after it');
      return after === null ? here : choose(execution, conditions[i] ?? graph.true, here, after, place);
    }, null);
    env.set(name, present(value, 'there are several ways'));
  }
  return { path: complete ? start.path : extend(start.path, graph.or(conditions)), env };
}

function executeLoop(
  execution: Execution,
  statement: Extract<KernelStatement, { kind: 'for' | 'while' }>,
  flow: Flow,
  exits: Exits,
): Flow | null {
  const start = statement.kind === 'for' ? executeStatement(execution, statement.initial, flow, exits) : flow;
  if (start === null) return null;
  const entry: Flow = { path: start.path, env: new Map(start.env) };
  const returned = exits.returns.length;
  const ended: Flow[] = [];
  let round: Flow | null = start;
  let undecided = 0;
  for (let rounds = 0; round !== null && execution.problem === null; rounds++) {
    const condition = decide(execution, statement.condition, round.env, round.path);
    if (condition !== true) ended.push(leaving(execution, round, condition));
    if (condition === false) break;
    const inside: Flow = condition === true ? round : { ...round, path: extend(round.path, condition) };
    if (condition !== true) undecided += 1;
    if (rounds >= execution.loopMax || undecided > mostUndecidedRounds) {
      demandEnd(execution, inside, statement, rounds);
      ended.push(inside);
      break;
    }
    round = executeRound(execution, statement, inside, exits, ended);
  }
  return merge(execution, entry, ended, exits.returns.length === returned, statement.place);
}

/** The way on which the loop is over. The way that stays assigns to an environment of its own. */
function leaving({ graph }: Execution, { path, env }: Flow, condition: Truth): Flow {
  return typeof condition === 'boolean'
    ? { path, env }
    : { path: extend(path, graph.not(condition)), env: new Map(env) };
}

/** That the loop ends here. A loop that does not whatever the input is cut, as gpu.js cuts it. */
function demandEnd(
  execution: Execution,
  { path }: Flow,
  { condition, place }: Extract<KernelStatement, { kind: 'for' | 'while' }>,
  rounds: number,
): void {
  demand(execution, path, {
    kind: 'loop',
    place,
    condition: execution.graph.false,
    text: () => `${printExpression(condition)} ends the loop within ${rounds} rounds`,
  });
}

function executeRound(
  execution: Execution,
  statement: Extract<KernelStatement, { kind: 'for' | 'while' }>,
  inside: Flow,
  exits: Exits,
  ended: Flow[],
): Flow | null {
  if (--execution.steps < 0) refuse(execution, statement.place, 'too many steps: choose smaller sizes');
  const own: Exits = { returns: exits.returns, breaks: [], continues: [] };
  const returned = exits.returns.length;
  // What the round assigns must not change what it started from, which the merging compares with.
  const entry: Flow = { path: inside.path, env: inside.env };
  const end = executeBlock(execution, statement.body, { path: inside.path, env: new Map(inside.env) }, own);
  ended.push(...own.breaks);
  const ways = end === null ? own.continues : [...own.continues, end];
  const complete = own.breaks.length === 0 && exits.returns.length === returned;
  const next = merge(execution, entry, ways, complete, statement.place);
  if (next === null || statement.kind === 'while') return next;
  return executeStatement(execution, statement.update, next, exits);
}
