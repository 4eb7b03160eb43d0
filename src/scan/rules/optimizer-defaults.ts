/**
 * C-HYPERPARAMS-001: every hyper-parameter of the config must reach the optimizer. The bug behind it, ALB-044: the CPU's
 * AdamW was made with `default_params(lr)`, so beta2 was 0.999 where the config said 0.95, and its second moment
 * amplified 50 times.
 */
import type { ts } from 'ts-morph';
import { listOf } from '../../base/text.ts';
import { rangeOf, type Module } from '../module.ts';
import type { Match, Project, Rule } from '../rule.ts';
import { familyOf, hyperParameterOf, type Family, type HyperParameter } from '../optimizers.ts';
import { bare, calledName, lastName, propertyName, receiverOf } from '../syntax/names.ts';

export const optimizerDefaults: Rule = {
  code: 'PV-9101',
  words: /[Aa]dam|ADAM|SGD|\bsgd|[Rr][Mm][Ss]_?[Pp]rop|[Aa]da_?[Dd]elta|[Ll]ion(?![a-z])|[Ll]amb(?![a-z])|LAMB|[Mm]uon/,
  usesTypes: true,
  isConvention: true,
  check: (module, project) =>
    [...module.all(module.ts.isCallExpression), ...module.all(module.ts.isNewExpression)].flatMap((call) =>
      checkCall(module, project, call),
    ),
};

type Call = ts.CallExpression | ts.NewExpression;

function checkCall(module: Module, project: Project, call: Call): readonly Match[] {
  const { ts } = module;
  const name = calledName(ts, call);
  if (name === null) return [];
  if (/^(default|defaults|with_?defaults|default_?(params|config|options)|create_?default)$/i.test(name)) {
    const owner = receiverOf(ts, call);
    const ownerName = (owner && lastName(ts, owner)) ?? '';
    // An object that happens to be called adam has a method; a class has defaults.
    const isOptimizer = /^[A-Z]/.test(ownerName) || (call.arguments?.length ?? 0) > 0;
    const family = isOptimizer ? familyOf(ownerName) : null;
    return family ? [match(module, call, `${keyText(call)} hides ${spoken(family.needs.slice(1))}`)] : [];
  }
  const family = familyOf(name.replace(/^(create|make|build|new)(?=[A-Z_])_?/, '')) ?? familyOfText(module, call, name);
  if (!family) return [];
  if (family.byName && !isByName(module, project, call)) return [];
  const given = givenTo(module, project, call, family);
  if (given === null) return [];
  const missing = family.needs.filter((one) => !given.names.has(one));
  if (missing.length > 0)
    return [
      match(
        module,
        call,
        `${keyText(call)} leaves ${spoken(missing)} to ${missing.length > 1 ? 'defaults' : 'a default'}`,
      ),
    ];
  return given.fixed.length > 0 && given.fromConfig
    ? [match(module, call, `${keyText(call)} takes ${spoken(given.fixed)} from the code and the rest from the config`)]
    : [];
}

/** `createOptimizer('adamw', { lr })`. */
function familyOfText({ ts }: Module, call: Call, name: string): Family | null {
  const [first] = call.arguments ?? [];
  return first && ts.isStringLiteralLike(first) && /optim/i.test(name) ? familyOf(first.text) : null;
}

/** Whether an options object is given to an optimizer that the module does not define itself. */
function isByName(module: Module, project: Project, call: Call): boolean {
  const hasOptions = call.arguments?.some((argument) => module.ts.isObjectLiteralExpression(argument)) ?? false;
  return hasOptions && project.calleeOf(module, call) === null;
}

const keyText = (call: Call): string => `\`${call.expression.getText(call.getSourceFile()).replace(/\s+/g, '')}\``;
const spoken = (names: readonly HyperParameter[]): string => listOf(names);

function match(module: Module, call: Call, message: string): Match {
  return { range: rangeOf(module, call), message, hint: 'pass every hyper-parameter from the config, by name' };
}

interface Given {
  readonly names: ReadonlySet<HyperParameter>;
  /** Those that the config decides elsewhere, written as numbers here. */
  readonly fixed: readonly HyperParameter[];
  /** Whether any of them is read from a value with a name like `config`. */
  readonly fromConfig: boolean;
}

interface Argument {
  readonly name: HyperParameter;
  readonly value: ts.Expression;
}

/** What a call gives an optimizer; null if it is unknown, as with `new AdamW(options)`, or if it creates no optimizer. */
function givenTo(module: Module, project: Project, call: Call, family: Family): Given | null {
  const { ts } = module;
  const list = call.arguments ?? [];
  if (list.some((argument) => ts.isSpreadElement(argument))) return null;
  const parameters = project
    .calleeOf(module, call)
    ?.parameters.map(({ name }) => (ts.isIdentifier(name) ? name.text : ''));
  const given: Argument[] = [];
  for (const [at, argument] of list.entries()) {
    const value = bare(ts, argument);
    if (at === 0 && ts.isStringLiteralLike(value)) continue;
    if (ts.isObjectLiteralExpression(value)) {
      const options = optionsIn(module, value);
      if (options === null) return null;
      given.push(...options);
      continue;
    }
    const name = hyperParameterOf(lastName(ts, value) ?? '') ?? hyperParameterOf(parameters?.[at] ?? '');
    if (name !== null) given.push({ name, value });
    else if (isNumber(module, value)) {
      const next = family.needs.find((one) => !given.some((known) => known.name === one));
      if (next) given.push({ name: next, value });
    } else if (at > 0 || !mayBeParameters(module, value)) return null;
  }
  return given.some(({ name }) => family.needs.includes(name)) || takesParametersAlone(module, list, family)
    ? summary(module, given)
    : null;
}

/** `new AdamW(model.parameters())`: an optimizer, whatever else it may be. */
function takesParametersAlone({ ts }: Module, list: readonly ts.Expression[], family: Family): boolean {
  const [first] = list;
  if (!first || !family.unmistakable || list.length > 2) return false;
  const value = bare(ts, first);
  const name = ts.isCallExpression(value) ? calledName(ts, value) : lastName(ts, value);
  const options = list[1] && bare(ts, list[1]);
  return (
    /^(params|parameters|trainableParameters|trainable_parameters)$/.test(name ?? '') &&
    (!options || ts.isObjectLiteralExpression(options))
  );
}

/** The first argument of many optimizers: the tensors it updates. A config, alone or by name, may hold everything. */
function mayBeParameters({ ts }: Module, value: ts.Expression): boolean {
  if (ts.isArrayLiteralExpression(value) || ts.isCallExpression(value)) return true;
  const name = lastName(ts, value) ?? '';
  return name !== '' && !/(config|cfg|conf|opts?|options|settings|hparams|hyper|args|recipe)/i.test(name);
}

/** The hyper-parameters that an object literal names; null if something is spread into it or computed. */
function optionsIn({ ts }: Module, literal: ts.ObjectLiteralExpression): readonly Argument[] | null {
  const found: Argument[] = [];
  for (const property of literal.properties) {
    if (ts.isShorthandPropertyAssignment(property)) {
      const name = hyperParameterOf(property.name.text);
      if (name !== null) found.push({ name, value: property.name });
    } else if (ts.isPropertyAssignment(property)) {
      const key = propertyName(ts, property.name);
      if (key === null) return null;
      const name = hyperParameterOf(key);
      if (name !== null) found.push({ name, value: property.initializer });
    } else return null;
  }
  return found;
}

function summary(module: Module, given: readonly Argument[]): Given {
  const names = new Set(given.map(({ name }) => name));
  if (names.has('betas')) names.add('beta1').add('beta2');
  if (names.has('beta1') && names.has('beta2')) names.add('betas');
  // The contract itself allows a separate epsilon.
  const decided = given.filter(({ name }) => name !== 'epsilon');
  return {
    names,
    fixed: decided.filter(({ value }) => isNumber(module, value)).map(({ name }) => name),
    fromConfig: decided.some(({ value }) => isFromConfig(module, value)),
  };
}

function isNumber({ ts }: Module, value: ts.Expression): boolean {
  const node = bare(ts, value);
  if (ts.isArrayLiteralExpression(node))
    return node.elements.length > 0 && node.elements.every((element) => ts.isNumericLiteral(element));
  return ts.isNumericLiteral(node) || (ts.isPrefixUnaryExpression(node) && ts.isNumericLiteral(node.operand));
}

function isFromConfig({ ts }: Module, value: ts.Expression): boolean {
  const node = bare(ts, value);
  if (!ts.isPropertyAccessExpression(node)) return false;
  const owner = lastName(ts, node.expression) ?? '';
  return /config|cfg|conf|opts?$|options|settings|hparams|hyper|args|recipe|train(ing)?$/i.test(owner);
}
