/**
 * C-BUFSIZE-001: a buffer that is passed to a kernel has the size that the kernel's parameters say. The bug behind it, ALB-043:
 * `silu_backward` wrote [S, I] into a buffer of [S, H], four times too small.
 */
import type { ts } from 'ts-morph';
import { rangeOf, type Module } from '../module.ts';
import type { Match, Project, Rule } from '../rule.ts';
import { constantsIn } from '../sizes/constants.ts';
import { differs, isOwned, named, spoken, times, constant, type Monomial } from '../sizes/monomial.ts';
import { requirementsOf, type Requirement } from '../sizes/requirements.ts';
import { monomialOf, type ValueOf } from '../sizes/size-expression.ts';
import { bare, calledName, keyOf, propertyName } from '../syntax/names.ts';
import { scopeOf } from '../syntax/walk.ts';

export const bufferSize: Rule = {
  code: 'PV-9106',
  words:
    /new\s+(Float(16|32|64)|Int(8|16|32)|Uint(8|16|32))Array\s*\(\s*[\w(]|(createBuffer|[aA]lloc|[zZ]eros|[eE]mpty)\w*\s*\(/,
  usesTypes: true,
  check: (module, project) => {
    const { ts } = module;
    return [...module.all(ts.isCallExpression), ...module.all(ts.isNewExpression)].flatMap((call) =>
      checkCall(module, project, call),
    );
  },
};

type Call = ts.CallExpression | ts.NewExpression;

interface Buffer {
  readonly at: number;
  readonly argument: ts.Expression;
  readonly size: Monomial;
}

function checkCall(module: Module, project: Project, call: Call): readonly Match[] {
  const { ts } = module;
  const list = call.arguments ?? [];
  if (list.length < 2 || list.some((argument) => ts.isSpreadElement(argument))) return [];
  const valueOf = constantsIn(ts, scopeOf(ts, call));
  const buffers = list.flatMap((argument, at): readonly Buffer[] => {
    const size = sizeOf(module, argument, list, valueOf);
    return size ? [{ at, argument, size }] : [];
  });
  if (buffers.length === 0) return [];
  const callee = project.calleeOf(module, call);
  if (!callee) return [];
  const requirements = requirementsOf(ts, callee);
  return buffers.flatMap(({ at, argument, size }) => {
    const requirement = requirements.find((one) => one.at === at);
    const required = requirement && inWordsOfCaller(module, requirement, callee, call, valueOf);
    return requirement && required && !isOwned(size) && !isOwned(required) && differs(size, required)
      ? [match(module, call, argument, size, required, requirement)]
      : [];
  });
}

/** The number of elements of a buffer: of one that is made here, or of the constant that holds one. */
function sizeOf(
  module: Module,
  argument: ts.Expression,
  list: readonly ts.Expression[],
  valueOf: ValueOf,
): Monomial | null {
  const { ts } = module;
  const node = bare(ts, argument);
  const value = ts.isIdentifier(node) ? valueOf(node.text) : node;
  const creation = value && bare(ts, value);
  if (!creation || !(ts.isNewExpression(creation) || ts.isCallExpression(creation))) return null;
  const length = lengthIn(module, creation);
  const size = length && monomialOf(ts, length, valueOf);
  // A bare name may be an array that is copied; a product is always a number.
  return size && length && (size.names.length > 1 || isNumberName(module, length, list, valueOf)) ? size : null;
}

/** The length in `new Float32Array(length)`, `device.createBuffer({ size: length })`, `alloc(length)`, `Buffer.zeros(context, length)`. */
function lengthIn({ ts }: Module, creation: Call): ts.Expression | null {
  const name = calledName(ts, creation) ?? '';
  const list = creation.arguments ?? [];
  const [first] = list;
  if (ts.isNewExpression(creation))
    return /^(Float|Int|Uint)\d+Array$/.test(name) && list.length === 1 ? (first ?? null) : null;
  if (name === 'createBuffer' && first && ts.isObjectLiteralExpression(first)) {
    const size = first.properties.find((one) => one.name && propertyName(ts, one.name) === 'size');
    return size && ts.isPropertyAssignment(size) ? size.initializer : null;
  }
  const last = list.at(-1);
  const isProduct = last !== undefined && ts.isBinaryExpression(bare(ts, last));
  return /^(alloc|allocate|zeros|empty|create_?buffer)(_?f(loat)?(16|32))?$/i.test(name) && isProduct ? last : null;
}

/** A name is a number if its value is one, or when the same call passes it as a size. */
function isNumberName(
  { ts }: Module,
  length: ts.Expression,
  list: readonly ts.Expression[],
  valueOf: ValueOf,
): boolean {
  const node = bare(ts, length);
  if (!ts.isIdentifier(node)) return true;
  const value = valueOf(node.text);
  return (
    (value !== null && ts.isNumericLiteral(bare(ts, value))) || list.some((argument) => keyOf(argument) === node.text)
  );
}

/** The requirement with the arguments of the call in the place of the parameters; null if a name is neither of them. */
function inWordsOfCaller(
  module: Module,
  requirement: Requirement,
  callee: ts.SignatureDeclaration,
  call: Call,
  valueOf: ValueOf,
): Monomial | null {
  const { ts } = module;
  let size: Monomial = constant(requirement.size.factor);
  for (const name of requirement.size.names) {
    const at = callee.parameters.findIndex(
      (parameter) => ts.isIdentifier(parameter.name) && parameter.name.text === name,
    );
    const argument = call.arguments?.[at];
    const factor = at < 0 ? fieldOf(module, callee, call, name) : argument && monomialOf(ts, argument, valueOf);
    if (!factor) return null;
    size = times(size, factor);
  }
  return size;
}

/** `hidden` of a parameter `config`: the caller passes a config, whose field bears the same name. */
function fieldOf({ ts }: Module, callee: ts.SignatureDeclaration, call: Call, name: string): Monomial | null {
  const holder = callee.parameters.findIndex(
    (parameter) =>
      ts.isIdentifier(parameter.name) && /config|cfg|dims|shape|sizes|opts|options|params/i.test(parameter.name.text),
  );
  const argument = call.arguments?.[holder];
  if (!argument) return null;
  const value = bare(ts, argument);
  return ts.isIdentifier(value) || ts.isPropertyAccessExpression(value) ? named(name) : null;
}

function match(
  module: Module,
  call: Call,
  argument: ts.Expression,
  size: Monomial,
  required: Monomial,
  { buffer, source }: Requirement,
): Match {
  const callee = call.expression.getText(module.file).replace(/\s+/g, '');
  return {
    range: rangeOf(module, argument),
    message: `\`${callee}\` takes \`${buffer}\` of ${spoken(required)} elements (${source}), and this buffer has ${spoken(size)}`,
    hint: `allocate ${spoken(required)} elements, pass the buffer that has them, or check the sizes that the call passes`,
  };
}
