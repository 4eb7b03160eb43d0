/**
 * Follows the mode of models along the paths of a script: which evaluation mode may still be in force at a `backward()`.
 *
 * Loops, branches, `try`, early returns and calls of functions of the file are followed. What another file does is not: a
 * call with a name like `train` or `mode` counts as a restore.
 */
import type { SyntaxNode } from '@lezer/common';
import type { PythonModule } from './module.ts';
import { argumentsOf, calleeOf, callsIn, childrenOf, functionsOf, parametersOf } from './syntax.ts';

/** An evaluation mode that reaches a training step. */
export interface StaleMode {
  /** The call that switches to evaluation mode. */
  readonly at: SyntaxNode;
  readonly model: string;
  readonly backward: SyntaxNode;
  /** Whether it gets there only by way of an exception that the script catches. */
  readonly caught: boolean;
}

interface Pending {
  readonly at: SyntaxNode;
  readonly model: string;
  readonly guards: readonly SyntaxNode[];
  readonly frame: SyntaxNode;
  /** Whether an iteration of a loop ended since. */
  readonly crossed: boolean;
  readonly caught: boolean;
}
/** By the offset of the call; null where no path leads. */
type State = ReadonlyMap<number, Pending> | null;

interface Exits {
  readonly next: State;
  readonly breaks: State;
  readonly continues: State;
  readonly returns: State;
}
const falls = (next: State): Exits => ({ next, breaks: null, continues: null, returns: null });

function join(a: State, b: State): State {
  if (a === null || b === null) return a ?? b;
  // What is certain without an exception is said without one.
  const joined = new Map(a);
  for (const [key, one] of b) {
    const other = joined.get(key);
    joined.set(
      key,
      other ? { ...one, crossed: one.crossed || other.crossed, caught: one.caught && other.caught } : one,
    );
  }
  return joined;
}

/** What all calls share. */
interface Walk {
  readonly module: PythonModule;
  readonly functions: ReadonlyMap<string, SyntaxNode | null>;
  readonly found: Map<number, StaleMode>;
  /** The functions being followed, and the conditions around the current statement. */
  readonly active: SyntaxNode[];
  readonly guards: SyntaxNode[];
  /** What may be in force where an exception leaves each `try` around, the innermost last. */
  thrown: State[];
  steps: number;
  /** Blocks around the current statement, those of callers included. */
  nesting: number;
}

interface Frame {
  readonly walk: Walk;
  readonly definition: SyntaxNode;
  /** Local names of models → names at the outermost caller. */
  readonly names: Map<string, string>;
  readonly depth: number;
}

const maxInlined = 6;
/** Beyond it, nothing more is claimed: no script that people write comes near. */
const maxSteps = 200_000;
const maxNesting = 300;

/** Every evaluation mode of a module that may reach a `backward()`, each once. */
export function staleModes(module: PythonModule): readonly StaleMode[] {
  const functions = functionsOf(module);
  const walk: Walk = { module, functions, found: new Map(), active: [], guards: [], thrown: [], steps: 0, nesting: 0 };
  const start = (definition: SyntaxNode, body: SyntaxNode): void => {
    walk.active.push(definition);
    block({ walk, definition, names: new Map(), depth: 0 }, body, new Map());
    walk.active.pop();
  };
  start(module.tree.topNode, module.tree.topNode);
  module.tree.iterate({
    enter: ({ name, node }) => {
      const body = name === 'FunctionDefinition' ? node.getChild('Body') : null;
      if (body) start(node, body);
    },
  });
  return [...walk.found.values()];
}

function modelOf(frame: Frame, node: SyntaxNode | null): string | null {
  if (node?.name === 'ConditionalExpression') return modelOf(frame, node.firstChild);
  if (node?.name === 'CallExpression') {
    const callee = calleeOf(frame.walk.module, node);
    const passes = /^(to|cuda|eval|train|half|float|bfloat16)$/;
    if (callee?.receiver && passes.test(callee.name)) return modelOf(frame, callee.receiver);
    const wraps = /^(unwrap_model|prepare|compile|DataParallel|DistributedDataParallel|DDP|FSDP|unwrap|de_parallel)$/;
    return callee && wraps.test(callee.name)
      ? modelOf(frame, argumentsOf(frame.walk.module, node)[0]?.value ?? null)
      : null;
  }
  if (node?.name !== 'VariableName' && node?.name !== 'MemberExpression') return null;
  const text = frame.walk.module.textOf(node).replace(/\.module\b/g, '');
  if (!/^[\w.]+$/.test(text)) return null;
  const [root = '', ...rest] = text.split('.');
  return [frame.names.get(root) ?? root, ...rest].join('.');
}

const restored = (state: State, model: string | null): State =>
  state &&
  new Map([...state].filter(([, one]) => model !== null && !isPart(one.model, model) && !isPart(model, one.model)));

/** A call of `eval` without arguments, or `train(False)`. */
function isSwitchToEvaluation({ walk: { module } }: Frame, node: SyntaxNode, name: string): boolean {
  const first = argumentsOf(module, node)[0]?.value;
  return first ? name === 'train' && module.textOf(first) === 'False' : name === 'eval';
}

function call(frame: Frame, node: SyntaxNode, state: State): State {
  const callee = calleeOf(frame.walk.module, node);
  if (state === null || !callee) return state;
  if (callee.receiver && isSwitchToEvaluation(frame, node, callee.name)) {
    const model = modelOf(frame, callee.receiver);
    if (model === null) return state;
    const one = {
      at: node,
      model,
      guards: [...frame.walk.guards],
      frame: frame.definition,
      crossed: false,
      caught: false,
    };
    return new Map([...(restored(state, model) ?? []), [node.from, one]]);
  }
  const local = frame.walk.functions.get(callee.name);
  const isOwn = callee.receiver === null || /^(self|cls)$/.test(frame.walk.module.textOf(callee.receiver));
  if (local && isOwn && !frame.walk.active.includes(local) && frame.depth < maxInlined)
    return inlined(frame, node, local, state);
  if (callee.receiver && callee.name === 'train') return restored(state, modelOf(frame, callee.receiver));
  frame.walk.thrown = frame.walk.thrown.map((sink, i) =>
    i === frame.walk.thrown.length - 1 ? join(sink, state) : sink,
  );
  if (/^(manual_)?backward$/.test(callee.name)) reach(frame, node, state);
  return /train|restore|fit$|(^|_)mode(_|$)/i.test(callee.name) ? restored(state, null) : state;
}

function reach(frame: Frame, backward: SyntaxNode, state: ReadonlyMap<number, Pending>): void {
  for (const [key, { at, model, crossed, caught, frame: from, guards: conditions }] of state) {
    // Set on the way to the step of the same iteration: meant, as for frozen statistics.
    if (!crossed && from === frame.definition) continue;
    if (conditions.some((one) => frame.walk.guards.some((other) => related(frame.walk.module, one, other)))) continue;
    if (!frame.walk.found.has(key)) frame.walk.found.set(key, { at, model, backward, caught });
  }
}

function inlined(frame: Frame, node: SyntaxNode, definition: SyntaxNode, state: State): State {
  const parameters = parametersOf(frame.walk.module, definition).filter((name) => !/^(self|cls)$/.test(name));
  const names = new Map<string, string>(parameters.map((name) => [name, `${name}@${node.from}`]));
  argumentsOf(frame.walk.module, node).forEach(({ name, value }, i) => {
    const model = modelOf(frame, value);
    const parameter = name ?? parameters[i];
    if (model !== null && parameter !== undefined) names.set(parameter, model);
  });
  frame.walk.active.push(definition);
  const body = definition.getChild('Body');
  const exits = body
    ? block({ walk: frame.walk, definition, names, depth: frame.depth + 1 }, body, state)
    : falls(state);
  frame.walk.active.pop();
  return join(exits.next, exits.returns);
}

const calls = (frame: Frame, node: SyntaxNode, state: State): State =>
  callsIn(node).reduce<State>((before, one) => call(frame, one, before), state);

function block(frame: Frame, body: SyntaxNode, state: State): Exits {
  if (frame.walk.nesting >= maxNesting) return falls(null);
  frame.walk.nesting += 1;
  let exits = falls(state);
  for (const one of childrenOf(body)) {
    if (exits.next === null) break;
    exits = after(exits, statement(frame, one, exits.next));
  }
  frame.walk.nesting -= 1;
  return exits;
}

function statement(frame: Frame, node: SyntaxNode, state: State): Exits {
  if (++frame.walk.steps > maxSteps) return falls(null);
  const run = statements[node.name];
  if (run) return run(frame, node, state);
  if (node.name === 'AssignStatement') rename(frame, node);
  return falls(calls(frame, node, state));
}

function rename(frame: Frame, node: SyntaxNode): void {
  const target = node.firstChild;
  const model = modelOf(frame, node.lastChild);
  if (target?.name !== 'VariableName' || model === null || target.nextSibling?.name !== 'AssignOp') return;
  frame.names.set(frame.walk.module.textOf(target), model);
}

function guarded(frame: Frame, condition: SyntaxNode, body: SyntaxNode, state: State): Exits {
  frame.walk.guards.push(condition);
  const exits = block(frame, body, state);
  frame.walk.guards.pop();
  return exits;
}

function branches(frame: Frame, node: SyntaxNode, state: State): Exits {
  let exits: Exits = { ...falls(null) };
  let condition: SyntaxNode | null = null;
  let rest = state;
  let hasElse = false;
  for (const child of childrenOf(node)) {
    if (child.name === 'else') hasElse = true;
    else if (child.name === 'Body' || child.name === 'MatchBody') {
      const one = guarded(frame, condition ?? node, child, rest);
      exits = either(exits, one);
      // `if was_training: model.train()` restores what was there.
      if (
        condition &&
        /train/i.test(frame.walk.module.textOf(condition)) &&
        /\.train\(/.test(frame.walk.module.textOf(child))
      )
        rest = one.next;
    } else if (!/^(if|elif|match)$/.test(child.name)) {
      condition = child;
      rest = calls(frame, child, rest);
    }
  }
  return hasElse ? exits : either(exits, falls(rest));
}

function loop(frame: Frame, node: SyntaxNode, state: State): Exits {
  const head = childrenOf(node).filter(({ name }) => name !== 'Body');
  const body = node.getChild('Body');
  let entry = head.reduce((before, one) => calls(frame, one, before), state);
  let exits = falls(null);
  for (let i = 0; i < 2 && body; i++) {
    exits = either(exits, block(frame, body, entry));
    const again = join(exits.next, exits.continues);
    entry = join(entry, again && crossing(again, state, node));
  }
  const isEndless = /^while\s+(True|1)\b/.test(frame.walk.module.textOf(node));
  return { ...falls(join(isEndless ? null : entry, exits.breaks)), returns: exits.returns };
}

function attempt(frame: Frame, node: SyntaxNode, state: State): Exits {
  const children = childrenOf(node);
  const bodies = children.flatMap((child, i) =>
    child.name === 'Body' ? [{ body: child, head: headOf(children, i) }] : [],
  );
  frame.walk.thrown.push(state);
  let exits = bodies[0] ? block(frame, bodies[0].body, state) : falls(state);
  const at = frame.walk.thrown.pop() ?? null;
  for (const { body, head } of bodies.slice(1)) {
    const kind = frame.walk.module.textOf(head[0] ?? node);
    if (kind === 'except')
      exits = either(
        exits,
        block(frame, body, mayCatch(head.map(frame.walk.module.textOf)) ? caughtFrom(at, state) : state),
      );
    if (kind === 'else') exits = after({ ...exits, next: null }, block(frame, body, exits.next));
    if (kind === 'finally') {
      const through = (one: State): State => one && block(frame, body, one).next;
      const last = frame.walk.thrown.length - 1;
      const escaped = bodies.some((other) => other.head[0]?.name === 'except') ? null : through(at);
      frame.walk.thrown = frame.walk.thrown.map((sink, i) => (i === last && escaped ? join(sink, escaped) : sink));
      exits = {
        next: through(exits.next),
        breaks: through(exits.breaks),
        continues: through(exits.continues),
        returns: through(exits.returns),
      };
    }
  }
  return exits;
}

const statements: Readonly<Record<string, (frame: Frame, node: SyntaxNode, state: State) => Exits>> = {
  IfStatement: branches,
  MatchStatement: branches,
  MatchBody: branches,
  MatchClause: branches,
  ForStatement: loop,
  WhileStatement: loop,
  TryStatement: attempt,
  WithStatement: (frame, node, state) => {
    const inside = childrenOf(node).filter(({ name }) => name !== 'Body');
    const entered = inside.reduce((before, one) => calls(frame, one, before), state);
    const body = node.getChild('Body');
    return body ? block(frame, body, entered) : falls(entered);
  },
  ReturnStatement: (frame, node, state) => ({ ...falls(null), returns: calls(frame, node, state) }),
  RaiseStatement: (frame, node, state) => {
    const at = calls(frame, node, state);
    frame.walk.thrown = frame.walk.thrown.map((sink, i) =>
      i === frame.walk.thrown.length - 1 ? join(sink, at) : sink,
    );
    return falls(null);
  },
  BreakStatement: (_frame, _node, state) => ({ ...falls(null), breaks: state }),
  ContinueStatement: (_frame, _node, state) => ({ ...falls(null), continues: state }),
  FunctionDefinition: (_frame, _node, state) => falls(state),
  ClassDefinition: (_frame, _node, state) => falls(state),
  DecoratedStatement: (_frame, _node, state) => falls(state),
  StatementGroup: block,
};

const isPart = (part: string, whole: string): boolean => part === whole || part.startsWith(`${whole}.`);

function either(a: Exits, b: Exits): Exits {
  return {
    next: join(a.next, b.next),
    breaks: join(a.breaks, b.breaks),
    continues: join(a.continues, b.continues),
    returns: join(a.returns, b.returns),
  };
}
const after = (before: Exits, then: Exits): Exits => ({ ...either({ ...before, next: null }, then), next: then.next });

/** What the next iteration finds; only what this loop set has crossed, and conditions may have another value by then. */
function crossing(state: ReadonlyMap<number, Pending>, entry: State, loop: SyntaxNode): State {
  return new Map(
    [...state].map(([key, one]) => {
      const isNew = entry === null || !entry.has(key);
      const guards = one.guards.filter(({ from, to }) => from < loop.from || to > loop.to);
      return [key, isNew ? { ...one, crossed: true, guards } : one];
    }),
  );
}

/** From `except` or `finally` to its body. */
function headOf(children: readonly SyntaxNode[], body: number): readonly SyntaxNode[] {
  let start = body - 1;
  while (start > 0 && !/^(try|except|else|finally)$/.test(children[start]?.name ?? '')) start -= 1;
  return children.slice(start, body);
}

/** What a failing evaluation raises: memory, a bad sample. An interrupt or a missing key ends elsewhere. */
const mayCatch = (head: readonly string[]): boolean =>
  head.length === 1 || /\b(Exception|BaseException|RuntimeError|OutOfMemoryError|ValueError)\b/.test(head.join(' '));

function caughtFrom(thrown: State, entry: State): State {
  return thrown && new Map([...thrown].map(([key, one]) => [key, entry?.has(key) ? one : { ...one, caught: true }]));
}

/** Whether two conditions share a name: then they may exclude each other. */
function related({ textOf }: PythonModule, a: SyntaxNode, b: SyntaxNode): boolean {
  const names = (node: SyntaxNode): readonly string[] =>
    (textOf(node).match(/[A-Za-z_]\w*/g) ?? []).filter(
      (name) => !/^(not|and|or|is|None|True|False|in|self|args)$/.test(name),
    );
  const others = new Set(names(b));
  return a.from === b.from || names(a).some((name) => others.has(name));
}
