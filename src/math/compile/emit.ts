import { invariant } from '../../base/invariant.ts';
import { printTerm } from '../term/print-term.ts';
import { isRunTimeName } from '../term/sequences.ts';
import { INTEGER, REAL, type Term } from '../term/term.ts';
import { freeVariables } from '../term/traverse.ts';
import { emitAssertion, type CheckEmission } from './emit-check.ts';
import {
  arrayExpression,
  functionText,
  lowerValue,
  moduleText,
  scalarExpression,
  storageOf,
  type FunctionParameter,
  type Storage,
} from './emit-module.ts';
import { unjudged, valueOf } from './emit-value.ts';
import { createEmitter } from './emitter.ts';
import { stringLiteral } from './graph.ts';
import { createLowering, declare, lower, optimise, type Lowering } from './lower.ts';
import type { EmitEquationOptions, EmitOptions, EquationMathematics, GoalMathematics } from './model.ts';
import type { GraphNode } from './node.ts';
import type { Emitter, Scope } from './scope.ts';
import { equationProblem, goalProblem, refuse } from './too-large.ts';

/**
 * An equation as the text of a module that exports `create(m): CompiledEquation`.
 *
 * Values are expected in the order of `parameters`, sizes in the order of `sizes`. The result is a fresh flat
 * array: Float64Array in `float64` and of whole numbers, Float32Array in `float32`.
 *
 * @throws RangeError when the mathematics is too large; see `equationProblem`.
 */
export function emitEquation(model: EquationMathematics, { arithmetic, language }: EmitEquationOptions): string {
  refuse(equationProblem(model));
  const lowering = createLowering();
  model.sizes.forEach((name, position) => declare(lowering, name, INTEGER, 'size', position));
  model.parameters.forEach(({ name, type }, position) => declare(lowering, name, type, 'input', position));
  const emitter = createEmitter({ float32: arithmetic === 'float32', typescript: language === 'ts' });
  const [node] = optimise(lowering, [lowerValue(lowering, model.body)]);
  invariant(node, 'one root in, one root out');
  const parts = { name: 'equation', parameters: ['sizes', 'values'], result: 'Float32Array | Float64Array' } as const;
  const body = functionText(emitter, parts, [node], (inner, scope) => {
    scope.lines.push(`return ${resultExpression(inner, node, isWhole(model) ? 'float64' : arithmetic, scope)};`);
  });
  return moduleText(emitter, { body, result: 'equation', resultType: 'CompiledEquation' });
}

/** Whole numbers are not rounded to float32: `16777217` is unchanged. */
function isWhole({ body, result = body.type }: EquationMathematics): boolean {
  return (result.kind === 'tensor' ? result.element : result).kind === 'integer';
}

function resultExpression(emitter: Emitter, node: GraphNode, storage: Storage, scope: Scope): string {
  const name = storage === 'float32' ? 'Float32Array' : 'Float64Array';
  if (node.kind !== 'array') return `${name}.of(${scalarExpression(emitter, node, 'float64', scope)})`;
  const array = arrayExpression(emitter, node, storage, scope);
  // An input that is returned as it came would let the caller's array escape as a result.
  return node.op === 'store' ? array : `${array}.slice()`;
}

/**
 * A goal as the text of a module that exports `create(m): CompiledGoal`.
 *
 * The mathematics is float64 throughout; arguments of kernels are rounded to the format they are received in.
 *
 * @throws RangeError when the mathematics is too large; see `goalProblem`.
 */
export function emitGoal(goal: GoalMathematics, { language }: EmitOptions): string {
  refuse(goalProblem(goal));
  const lowering = createLowering();
  goal.domain.sizes.forEach(({ name }, position) => declare(lowering, name, INTEGER, 'size', position));
  goal.domain.variables.forEach((variable, position) => {
    const { element, shape } = variable;
    declare(
      lowering,
      variable.name,
      shape.length === 0 ? element : { kind: 'tensor', element, shape },
      'input',
      position,
    );
  });
  const emitter = createEmitter({ float32: false, typescript: language === 'ts' });
  const precondition = emitPrecondition(emitter, lowering, goal.domain.preconditions);
  const applications = goal.applications.map((application, k) => {
    const emitted = emitApplication(emitter, lowering, application, k);
    declare(lowering, application.output, application.type, 'output', k);
    return emitted;
  });
  const check = emitCheck(emitter, lowering, goal);
  const members = goal.applications.map((application, k) => {
    const ways = waysOf(application).map((way) => `'${way}'`);
    const each = ways.length > 0 ? `, each: { runs: runs${k}, arguments: [${ways.join(', ')}] }` : '';
    return `{ arguments: arguments${k}, sizes: sizes${k}${each} }`;
  });
  return moduleText(emitter, {
    body: [...precondition, ...applications.flat(), ...check.lines],
    result: `{ comparisons: [${check.comparisons.join(', ')}], precondition, applications: [${members.join(', ')}], check }`,
    resultType: 'CompiledGoal',
  });
}

type Way = 'same' | 'part' | 'element';

/** What each run of an application gets of each argument; [] where it runs once. */
function waysOf({ each, arguments: args }: GoalMathematics['applications'][number]): readonly Way[] {
  if (!each) return [];
  return args.map(({ type }, i) => {
    if (each.arguments[i] !== true) return 'same';
    return type.kind === 'tensor' && type.shape.length > each.sizes.length ? 'part' : 'element';
  });
}

function emitPrecondition(emitter: Emitter, lowering: Lowering, preconditions: readonly Term[]): string[] {
  const nodes = preconditions.map((term) => lower(lowering, term));
  return functionText(
    emitter,
    { name: 'precondition', parameters: ['sizes', 'values'], result: 'boolean' },
    nodes,
    (inner, scope) => {
      for (const node of nodes) scope.lines.push(`if (!${unjudged(inner, node, scope)}) return false;`);
      scope.lines.push('return true;');
    },
  );
}

function emitApplication(
  emitter: Emitter,
  lowering: Lowering,
  application: GoalMathematics['applications'][number],
  k: number,
): string[] {
  const nodes = optimise(
    lowering,
    application.arguments.map((term) => lowerValue(lowering, term)),
  );
  const values = nodes.map((node, at) => ({ node, storage: storageOf(application.arguments[at]?.type ?? REAL) }));
  const sizes = application.sizes.map((term) => lower(lowering, term));
  const runs = application.each?.sizes.map((term) => lower(lowering, term));
  const given = application.sizes.some((term) => [...freeVariables(term)].some(isRunTimeName));
  const sizeParameters: readonly FunctionParameter[] = given ? ['sizes', 'values', 'outputs'] : ['sizes', 'values'];
  const list = (
    name: string,
    parameters: readonly FunctionParameter[],
    result: string,
    roots: readonly GraphNode[],
    write: (emitter: Emitter, scope: Scope) => string[],
  ): string[] =>
    functionText(emitter, { name, parameters, result }, roots, (inner, scope) => {
      const items = write(inner, scope);
      scope.lines.push(`return [${items.join(', ')}];`);
    });
  return [
    ...list(`arguments${k}`, ['sizes', 'values', 'outputs'], 'CaseValue[]', nodes, (inner, scope) =>
      values.map(({ node, storage }) =>
        node.kind === 'array'
          ? arrayExpression(inner, node, storage, scope)
          : scalarExpression(inner, node, storage, scope),
      ),
    ),
    ...list(`sizes${k}`, sizeParameters, 'number[]', sizes, (inner, scope) =>
      sizes.map((node) => valueOf(inner, node, scope)),
    ),
    ...(runs
      ? list(`runs${k}`, ['sizes', 'values'], 'number[]', runs, (inner, scope) =>
          runs.map((node) => valueOf(inner, node, scope)),
        )
      : []),
  ];
}

function emitCheck(
  emitter: Emitter,
  lowering: Lowering,
  goal: GoalMathematics,
): { readonly lines: string[]; readonly comparisons: readonly string[] } {
  const [predicate] = optimise(lowering, [lower(lowering, goal.predicate)]);
  invariant(predicate, 'one root in, one root out');
  const comparisons: CheckEmission['comparisons'] = [];
  const lines = functionText(
    emitter,
    { name: 'check', parameters: ['sizes', 'values', 'outputs', 'report'], result: 'boolean' },
    [predicate],
    (inner, scope) => {
      const check: CheckEmission = { emitter: inner, comparisons, implications: 0 };
      emitAssertion(check, predicate, true, scope);
      scope.lines.unshift(
        'let worst = -Infinity;',
        'let error = 0;',
        'let allowed = 0;',
        `let premise = ${check.implications === 0};`,
      );
      scope.lines.push('return m.held(m.conclude(report, worst, error, allowed), premise);');
    },
  );
  return {
    lines,
    comparisons: comparisons.map((node) => stringLiteral(describe(lowering.sources.get(node.id), goal.formal))),
  };
}

/** The comparison as the author wrote it if that is known, else as it was elaborated. */
function describe(term: Term | undefined, formal: string): string {
  const written = term?.origin ? formal.slice(term.origin.start, term.origin.end).trim() : '';
  return written !== '' ? written : term ? printTerm(term, 160) : formal;
}
