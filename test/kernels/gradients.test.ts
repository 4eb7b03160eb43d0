/**
 * Every differentiable kernel has a gradient obligation: each of its real inputs is differentiated by `vjp` or `jvp` in a claim
 * that runs, or stands here with the reason why nobody differentiates by it.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { EquationModel } from '../../src/contract/goal.ts';
import { isDeclaredOnly } from '../../src/contract/goal.ts';
import { obstacleTo } from '../../src/math/derivative/derivative.ts';
import { elementTypeOf } from '../../src/math/term/types.ts';
import { shippedProject } from '../support/shipped-goals.ts';
import { noGradient } from './no-gradient.ts';

/** `contract/equation input` of every real input of a bound kernel whose formula has a derivative. */
let differentiable: readonly string[];
/** Those that a claim differentiates by. */
let differentiated: ReadonlySet<string>;

beforeAll(async () => {
  const { elaborated, subjects } = await shippedProject();
  const bound = new Set(subjects.map(({ contract, equation }) => `${contract}/${equation}`));
  const models = new Map(elaborated.map(({ contract, equations }) => [contract.id, equations]));
  differentiable = elaborated.flatMap(({ contract, equations }) =>
    equations
      .filter((model) => bound.has(`${contract.id}/${model.name}`) && hasDerivative(model) && !isGradient(model))
      .flatMap((model) => realInputs(model).map((input) => `${contract.id}/${model.name} ${input}`)),
  );
  differentiated = new Set(
    elaborated.flatMap(({ contract, goals }) => {
      const run = new Set(goals.map(({ id }) => id));
      const known = [contract.id, ...contract.dependsOn.map(({ value }) => value)].flatMap((id) =>
        (models.get(id) ?? []).map((model) => ({ id, model })),
      );
      return contract.obligations
        .filter(({ id }) => id !== null && run.has(`${contract.id}/${id}`))
        .flatMap(({ formal }) => (formal ? derivativesIn(formal.notation.statements) : []))
        .flatMap(({ equation, input }) => {
          const found = known.find(({ model }) => model.name === equation || model.symbol === equation);
          return found ? [`${found.id}/${found.model.name} ${input}`] : [];
        });
    }),
  );
});

describe('gradients of the shipped kernels', () => {
  test('each real input is differentiated by, or has its reason not to be', () => {
    expect(differentiable.filter((one) => !differentiated.has(one) && reasonOf(one) === undefined)).toEqual([]);
  });

  test('no reason is given for what a claim differentiates by, or for what is not there', () => {
    const needed = new Set(differentiable.filter((one) => !differentiated.has(one)));
    const given = Object.entries(noGradient).flatMap(([equation, inputs]) =>
      typeof inputs === 'string' ? [equation] : Object.keys(inputs).map((input) => `${equation} ${input}`),
    );
    const isNeeded = (one: string): boolean => [...needed].some((need) => need === one || need.startsWith(`${one} `));
    expect(given.filter((one) => !isNeeded(one))).toEqual([]);
  });

  test('a gradient that is taken away is missed', () => {
    const [one = ''] = differentiated;
    expect(differentiable).toContain(one);
    expect(reasonOf(one)).toBeUndefined();
  });
});

function reasonOf(one: string): string | undefined {
  const [equation = '', input = ''] = one.split(' ');
  const given = noGradient[equation];
  return typeof given === 'string' ? given : given?.[input];
}

function hasDerivative(model: EquationModel): boolean {
  return !isDeclaredOnly(model) && isReal(model.result) && obstacleTo(model.body) === null;
}

/** Gradients are told by their names; second derivatives are not taken. */
function isGradient({ name }: EquationModel): boolean {
  return /(^|_)backward(_|$)/.test(name);
}

function realInputs({ parameters }: EquationModel): readonly string[] {
  return parameters.filter(({ type }) => isReal(type)).map(({ name }) => name);
}

function isReal(type: EquationModel['result']): boolean {
  const { kind } = elementTypeOf(type);
  return kind === 'real' || kind === 'float';
}

interface Derivative {
  readonly equation: string;
  readonly input: string;
}

/** The first two arguments of every `vjp(…)` and `jvp(…)` in parsed notation. */
function derivativesIn(node: unknown): readonly Derivative[] {
  if (Array.isArray(node)) return node.flatMap(derivativesIn);
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.values(node).flatMap(derivativesIn);
  if (!('kind' in node) || node.kind !== 'call' || !('callee' in node) || !('arguments' in node)) return inner;
  if (!['vjp', 'jvp'].includes(nameOf(node.callee) ?? '') || !Array.isArray(node.arguments)) return inner;
  const [of, by] = node.arguments.map((argument: { readonly value: unknown }) => nameOf(argument.value));
  return typeof of === 'string' && typeof by === 'string' ? [...inner, { equation: of, input: by }] : inner;
}

/** `f` of `f` and of `f(x)`. */
function nameOf(node: unknown): string | null {
  if (typeof node !== 'object' || node === null || !('kind' in node)) return null;
  if (node.kind === 'name' && 'text' in node) return String(node.text);
  return node.kind === 'call' && 'callee' in node ? nameOf(node.callee) : null;
}
