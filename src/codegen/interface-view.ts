/**
 * What `templates/interface.hbs` shows of a contract: one member per equation.
 */
import type { ElaboratedContract, EquationModel, Parameter } from '../contract/goal.ts';
import { isSequence } from '../math/term/sequences.ts';
import type { Type } from '../math/term/term.ts';
import { describeSize, describeType, describeVariable } from './describe.ts';
import { distinctIdentifiers, toCommentLine, toTypeName } from './names.ts';

interface ParameterView {
  readonly name: string;
  /** As a gpu.js kernel sees it: nested arrays. */
  readonly threadType: string;
  /** As a plain function sees it: flat, row-major. */
  readonly flatType: string;
  readonly doc: string;
}

interface MethodView {
  readonly name: string;
  readonly formula: string;
  readonly domain: string;
  readonly parameters: readonly ParameterView[];
  readonly returns: string;
  readonly flatReturn: string;
  readonly obligations: readonly { readonly id: string; readonly text: string }[];
}

/** The interface of one contract: its type name, its docstring, its members. */
export interface InterfaceView {
  readonly typeName: string;
  readonly description: string;
  readonly references: readonly string[];
  readonly methods: readonly MethodView[];
  /** Equations that are not executable, with the reason: they get no method. */
  readonly unexecutable: readonly { readonly name: string; readonly formula: string }[];
}

/** The view of every executable equation of the contract, in its order. */
export function interfaceView({ contract, equations }: ElaboratedContract): InterfaceView {
  const executable = new Set(equations.map((equation) => equation.name));
  const names = memberNames(equations);
  return {
    typeName: toTypeName(contract.id),
    description: toCommentLine(contract.description ?? contract.id),
    references: contract.references.map(toCommentLine),
    methods: equations.map((model) => methodView(model, names.get(model.name) ?? model.name, contract)),
    unexecutable: contract.equations
      .filter((equation) => !executable.has(equation.name))
      .map((equation) => ({ name: toCommentLine(equation.name), formula: toCommentLine(equation.formula.text) })),
  };
}

/** Members that every object has, of other types. */
const inherited = Object.getOwnPropertyNames(Object.prototype);

/** The interface's member for each equation. */
export function memberNames(equations: readonly EquationModel[]): ReadonlyMap<string, string> {
  const names = distinctIdentifiers(
    equations.map(({ name }) => name),
    inherited,
  );
  return new Map(equations.map(({ name }, at) => [name, names[at] ?? name]));
}

function methodView(model: EquationModel, name: string, contract: ElaboratedContract['contract']): MethodView {
  const source = contract.equations.find((equation) => equation.name === model.name);
  const identifiers = distinctIdentifiers([...model.parameters.map((parameter) => parameter.name), ...model.sizes]);
  const inputs = model.parameters.map((parameter, at) =>
    parameterView(model, parameter, identifiers[at] ?? parameter.name),
  );
  const sizes = model.sizes.map((size, at) => sizeView(model, size, identifiers[model.parameters.length + at] ?? size));
  return {
    name,
    formula: toCommentLine(source?.formula.text ?? model.name),
    domain: toCommentLine(source?.domain?.text ?? ''),
    parameters: [...inputs, ...sizes],
    returns: toCommentLine(describeType(model.result)),
    flatReturn: flatReturn(model.result),
    obligations: contract.obligations
      .filter(({ appliesTo }) => appliesTo === null || appliesTo.value === 'all' || appliesTo.value === model.name)
      .map((obligation) => ({
        id: toCommentLine(obligation.id),
        text: toCommentLine(`${obligation.property}${obligation.formal ? `: ${obligation.formal.text}` : ' (prose)'}`),
      })),
  };
}

function parameterView(model: EquationModel, parameter: Parameter, name: string): ParameterView {
  return {
    name,
    threadType: threadType(parameter.type),
    flatType: flatType(parameter.type),
    doc: toCommentLine(describeVariable(model.domain, parameter.name, parameter.type)),
  };
}

function sizeView(model: EquationModel, size: string, name: string): ParameterView {
  const variable = model.domain.sizes.find((candidate) => candidate.name === size);
  return {
    name,
    threadType: 'number',
    flatType: 'number',
    doc: toCommentLine(`size, ${variable ? describeSize(variable) : size}`),
  };
}

/** `readonly (readonly number[])[]` for a matrix. */
function threadType(type: Type): string {
  if (type.kind === 'string') return 'string';
  if (type.kind !== 'tensor') return 'number';
  return type.shape.reduce((inner) => (inner === 'number' ? 'readonly number[]' : `readonly (${inner})[]`), 'number');
}

/** A sequence has as many whole numbers as the kernel gives. */
function flatReturn(type: Type): string {
  if (type.kind === 'string') return 'string';
  if (type.kind !== 'tensor') return 'number';
  return isSequence(type) ? 'Int32Array' : 'Float32Array';
}

function flatType(type: Type): string {
  if (type.kind === 'string') return 'string';
  if (type.kind !== 'tensor') return 'number';
  return type.element.kind === 'integer' ? 'Int32Array' : 'Float32Array';
}
