import type {
  Axis,
  KernelExpression,
  KernelFunction,
  KernelStatement,
  MathFunction,
} from '../../subject/kernel-syntax.ts';
import { printExpression, printKernel } from '../../subject/print-kernel.ts';
import { mapExpression, mapStatement } from './rewrite.ts';
import type { Index } from './scope.ts';
import { mentionedIn, nameSetBy, statementsOf } from './slice.ts';
import type { Stage, StageSource } from './staged-kernel.ts';

/** A value, the statements that it needs, and what it varies with: at most three indices. */
interface StageValue {
  readonly value: KernelExpression;
  /** Of which function `value` is the argument. */
  readonly apply: MathFunction | null;
  readonly statements: readonly KernelStatement[];
  readonly indices: readonly Index[];
}

/** The stages that have been found; values that are computed alike share one. */
export interface StageSet {
  readonly stages: () => readonly Stage[];
  /** An expression that reads the value; null if no stage has it. */
  readonly read: (value: StageValue) => KernelExpression | null;
  /** Makes a stage of the value as `lifted` computes it, and an expression that reads it. */
  readonly create: (value: StageValue, lifted: StageValue) => KernelExpression;
  /** The last stage, whose result is the kernel's. */
  readonly last: (body: readonly KernelStatement[]) => Stage;
  /** A name that the kernel does not have. */
  readonly freshName: (near: string) => string;
}

const place = { line: 1, column: 1 };
const axes = ['x', 'y', 'z'] as const;

/** An empty set of stages for `kernel`, which hands out names that the kernel does not use. */
export function stageSet(kernel: KernelFunction): StageSet {
  const taken = new Set([kernel.name, ...kernel.parameters.map(({ name }) => name), ...mentionedIn(kernel.body)]);
  const freshName = (near: string): string => {
    let name = `${near}_staged`;
    for (let n = 2; taken.has(name); n++) name = `${near}_staged_${n}`;
    taken.add(name);
    return name;
  };
  const stages: Stage[] = [];
  const names: string[] = [];
  const known = new Map<string, number>();
  const element = (at: number, { indices, value }: StageValue): KernelExpression => ({
    kind: 'element',
    array: names[at] ?? '',
    indices: indices.length > 0 ? indices.map(readIndex) : [{ kind: 'number', value: 0, place }],
    place: value.place,
  });
  const build = (value: StageValue): Stage => stageOf(kernel, value, stages, names);
  const read = (value: StageValue): KernelExpression | null => {
    const stage = build(value);
    const at = known.get(keyOf(stage));
    if (at === undefined) return null;
    stages[at] = widened(stages[at] ?? stage, stage);
    return element(at, value);
  };
  const create = (value: StageValue, lifted: StageValue): KernelExpression => {
    const found = known.get(keyOf(build(lifted)));
    const at = found ?? stages.push(build(lifted)) - 1;
    if (found === undefined) names.push(freshName(`stage${at}`));
    for (const one of [value, lifted]) known.set(keyOf(build(one)), at);
    return element(at, value);
  };
  const last = (body: readonly KernelStatement[]): Stage => ({
    ...withParameters(kernel, body, stages, names),
    apply: null,
    extents: null,
  });
  return { stages: () => stages, read, create, last, freshName };
}

const keyOf = ({ kernel, apply, extents }: Stage): string =>
  `${extents?.length ?? 0} ${apply ?? ''} ${printKernel(kernel)}`;

const readIndex = (index: Index): KernelExpression =>
  index.kind === 'thread' ? { kind: 'thread', axis: index.axis, place } : { kind: 'name', name: index.name, place };

/** The stage with as many values as either needs. */
function widened(stage: Stage, other: Stage): Stage {
  const extents = stage.extents?.map((own, i) => {
    const texts = new Set(own.map(printExpression));
    return [...own, ...(other.extents?.[i] ?? []).filter((extent) => !texts.has(printExpression(extent)))];
  });
  return { ...stage, extents: extents ?? null };
}

/** A stage's kernel with names that do not depend on its origin, so that equal computations have equal texts. */
function stageOf(
  kernel: KernelFunction,
  { value, apply, statements, indices }: StageValue,
  stages: readonly Stage[],
  stageNames: readonly string[],
): Stage {
  const locals = new Map<string, string>();
  const axisOf = (at: number): Axis => axes[indices.length - 1 - at] ?? 'x';
  const thread = (at: number): KernelExpression => ({ kind: 'thread', axis: axisOf(at), place });
  const heads: KernelStatement[] = [];
  indices.forEach((index, at) => {
    if (index.kind !== 'part') return;
    const name = `index${at}_`;
    locals.set(index.name, name);
    // gpu.js gives integers a different arithmetic: a part is a float in the kernel and remains one.
    const value: KernelExpression = { kind: 'call', fn: 'floor', arguments: [thread(at)], place };
    heads.push({ kind: 'declare', constant: true, name, value, place });
  });
  for (const statement of statementsOf(statements)) {
    const name = nameSetBy(statement);
    if (statement.kind === 'declare' && name !== null) locals.set(name, `value${locals.size}_`);
  }
  const counters = new Map(
    indices.flatMap((index, at) => (index.kind === 'counter' ? [[index.name, at] as const] : [])),
  );
  const change = (expression: KernelExpression): KernelExpression => {
    if (expression.kind === 'thread')
      return thread(indices.findIndex((index) => index.kind === 'thread' && index.axis === expression.axis));
    if (expression.kind === 'output') return { kind: 'name', name: extentName(expression.axis), place };
    if (expression.kind !== 'name') return expression;
    const counter = counters.get(expression.name);
    return counter === undefined
      ? { ...expression, name: locals.get(expression.name) ?? expression.name }
      : thread(counter);
  };
  const body: readonly KernelStatement[] = [
    ...heads,
    ...statements.map((statement) => mapStatement(statement, change, (name) => locals.get(name) ?? name)),
    { kind: 'return', value: mapExpression(value, change), place },
  ];
  return {
    ...withParameters(kernel, body, stages, stageNames),
    apply,
    extents: indices.map(({ extent }) => [extent]),
  };
}

const extentName = (axis: Axis): string => `extent_${axis}_`;

/** The parameters of a body: those of the kernel and of the stages that it reads. */
function withParameters(
  kernel: KernelFunction,
  body: readonly KernelStatement[],
  stages: readonly Stage[],
  stageNames: readonly string[],
): Pick<Stage, 'kernel' | 'sources'> {
  const mentioned = mentionedIn(body);
  const parameters: KernelFunction['parameters'][number][] = [];
  const sources: StageSource[] = [];
  const add = (name: string, rank: 0 | 1 | 2 | 3, source: StageSource): void => {
    if (!mentioned.has(name)) return;
    parameters.push({ name, rank });
    sources.push(source);
  };
  kernel.parameters.forEach(({ name, rank }, index) => add(name, rank, { kind: 'argument', index }));
  stages.forEach(({ extents }, index) => {
    const rank = Math.max(1, extents?.length ?? 0) as 1 | 2 | 3;
    add(stageNames[index] ?? '', rank, { kind: 'stage', index });
  });
  for (const axis of axes) add(extentName(axis), 0, { kind: 'output', axis });
  return { kernel: { name: kernel.name, parameters, body }, sources };
}
