/**
 * C-GEMMARGS-001: the sizes of a matrix product are passed in the order of the signature. The bug behind it, ALB-059: a backward
 * GEMM made with n and k swapped wrote its rows 64 times too far apart, into the optimizer's state next to it.
 */
import type { ts } from 'ts-morph';
import { listOf } from '../../base/text.ts';
import { rangeOf, type Module } from '../module.ts';
import type { Match, Project, Rule } from '../rule.ts';
import { sizesOfOperands } from '../sizes/operands.ts';
import { bare, calledName, lastName, namesAround, receiverOf, wordsOf } from '../syntax/names.ts';

export const gemmArgumentOrder: Rule = {
  code: 'PV-9107',
  words: /gemm|gemv|(mat_?mul|linear|dense|\bmm)\w*\s*[.(]/i,
  usesTypes: true,
  check: (module, project) => {
    const { ts } = module;
    return [...module.all(ts.isCallExpression), ...module.all(ts.isNewExpression)].flatMap((call) =>
      checkCall(module, project, call),
    );
  },
};

type Call = ts.CallExpression | ts.NewExpression;

interface Placed {
  readonly at: number;
  readonly argument: ts.Expression;
  /** The dimension that the argument is named for, and the one that the parameter is. */
  readonly passed: string;
  readonly expected: string;
}

function checkCall(module: Module, project: Project, call: Call): readonly Match[] {
  const { ts } = module;
  const list = call.arguments ?? [];
  if (list.length < 2 || list.some((argument) => ts.isSpreadElement(argument)) || !namesAProduct(module, call))
    return [];
  const passed = list.map((argument) => dimensionOf(lastName(ts, argument) ?? ''));
  const isNamedForOrder = new Set(passed.filter((one) => one !== null)).size >= 2;
  if (!isNamedForOrder && list.length < 6) return [];
  const parameters = project.calleeOf(module, call)?.parameters;
  if (!parameters) return [];
  const bySize = isTransposed(module, call) ? null : sizesOfOperands(module, call, parameters);
  if (bySize) return [bySize];
  const placed = list.flatMap((argument, at): readonly Placed[] => {
    const name = parameters[at]?.name;
    const [mine, expected] = [passed[at], dimensionOf(name && ts.isIdentifier(name) ? name.text : '')];
    return mine && expected ? [{ at, argument, passed: mine, expected }] : [];
  });
  const wrong = placed.filter((one) => one.passed !== one.expected);
  // A permutation: what is missing in one place is in another. Anything else is a different naming, not a different order.
  const isPermutation =
    wrong.length > 1 &&
    same(
      wrong.map((one) => one.passed),
      wrong.map((one) => one.expected),
    );
  if (!isPermutation || isTransposed(module, call)) return [];
  const [first] = wrong;
  const last = wrong.at(-1);
  if (!first || !last) return [];
  const order = placed.map(({ expected }) => expected);
  return [
    {
      range: { start: rangeOf(module, first.argument).start, end: last.argument.end },
      message: `the signature takes ${listOf(order)}, and this call passes ${listOf(placed.map((one) => one.passed))}`,
      hint: `pass the sizes in the order ${order.join(', ')}`,
      ...fixOf(module, wrong),
    },
  ];
}

const same = (a: readonly string[], b: readonly string[]): boolean =>
  new Set(a).size === a.length && a.toSorted().join() === b.toSorted().join();

/** The dimension that a name is for: `m`, `dimM`, `numRows`; null for other names. */
function dimensionOf(name: string): string | null {
  const words = wordsOf(name).filter((word) => !/^(dim|size|num|n_|len|count|of|a|b|c)$/.test(word));
  const [only] = words;
  if (words.length === 1 && only !== undefined && /^[mnk]$/.test(only)) return only;
  if (words.length === 0) return /^n$/i.test(name) ? 'n' : null;
  if (words.length !== 1 || only === undefined) return null;
  return /^(rows|cols|columns|inner|hidden|intermediate|vocab|seq|batch)$/.test(only)
    ? only.replace('columns', 'cols')
    : null;
}

function namesAProduct(module: Module, call: Call): boolean {
  const { ts } = module;
  const owner = receiverOf(ts, call);
  const names = [calledName(ts, call), owner && lastName(ts, owner)];
  return names.some((name) => name !== null && /gemm|gemv|mat_?mul|^mm$|linear|dense/i.test(name));
}

/**
 * dA = dC · Bᵀ is a product of m × n and n × k: a plain product called with the sizes permuted is right there. A kernel that
 * is itself a backward one documents its own order.
 */
function isTransposed(module: Module, call: Call): boolean {
  const { ts } = module;
  const owner = receiverOf(ts, call);
  if (/backward|grad/i.test(`${calledName(ts, call) ?? ''} ${(owner && lastName(ts, owner)) ?? ''}`)) return false;
  const isGradient = /^(d[A-Z_]|grad|delta)|(grad|gradient|T|_t|transposed|trans)$|^transpose/;
  const list = call.arguments ?? [];
  return (
    list.some((argument) => isGradient.test(lastName(ts, argument) ?? '') || isTransposition(module, argument)) ||
    namesAround(ts, call).some((name) => /backward|grad|transpose/i.test(name))
  );
}

function isTransposition({ ts }: Module, argument: ts.Expression): boolean {
  const node = bare(ts, argument);
  if (node.kind === ts.SyntaxKind.TrueKeyword || (ts.isStringLiteral(node) && /^t(rans)?/i.test(node.text)))
    return true;
  if (ts.isObjectLiteralExpression(node)) return /trans/i.test(node.getText(node.getSourceFile()));
  return ts.isCallExpression(node) && /transpose|^t$/i.test(calledName(ts, node) ?? '');
}

/** Each wrong argument replaced by the one that belongs there: they are names, so their order is all that changes. */
function fixOf(module: Module, wrong: readonly Placed[]): Pick<Match, 'fix'> {
  const fix = wrong.flatMap(({ argument, expected }) => {
    const right = wrong.find((one) => one.passed === expected);
    return right ? [{ range: rangeOf(module, argument), text: right.argument.getText(module.file) }] : [];
  });
  return { fix };
}
