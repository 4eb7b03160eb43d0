import type { ParameterDeclaration, Type as MorphType } from 'ts-morph';
import { count } from '../base/text.ts';
import type { EquationModel } from '../contract/goal.ts';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Located } from '../contract/contract.ts';
import { printTerm } from '../math/term/print-term.ts';
import { isSequence } from '../math/term/sequences.ts';
import { elementTypeOf, isTensorType, shapeOf, typeText } from '../math/term/types.ts';
import type { ArgumentSource } from './bound-subject.ts';
import { isIntegerArray } from '../numeric/kernel-output.ts';
import { bound, spanOf, type MorphFunction } from './locate-function.ts';

/** What a TypeScript type can mean for a kernel; `null` is anything else. */
export type KernelType =
  | { readonly kind: 'nested'; readonly rank: number }
  | { readonly kind: 'flat'; readonly name: string }
  | { readonly kind: 'text' }
  | null;

/** A function and the equation whose inputs it must accept. */
export interface SignatureCheck {
  readonly node: MorphFunction;
  readonly module: string;
  readonly functionName: Located<string>;
  readonly model: EquationModel;
  readonly arguments: readonly ArgumentSource[];
  /** How many of the arguments the function must take; the rest are sizes that it may leave out. */
  readonly required: number;
}

/** Whether a function can be called as the kernel of its equation: one finding per parameter that does not fit. */
export function checkSignature(check: SignatureCheck): readonly Diagnostic[] {
  const { node, module, functionName, model } = check;
  const parameters = valueParameters(node);
  const gpu = parameters.length < node.getParameters().length;
  const related = bound(functionName);
  const wanted = interfaceText(check, gpu);
  if (parameters.length > check.arguments.length || parameters.length < check.required) {
    const takes = `\`${functionName.value}\` takes ${count(parameters.length, 'parameter')}, the equation ${model.name} has ${check.arguments.length}`;
    return [diagnostic('PV-5010', spanOf(node, module), takes, { hint: `expected ${wanted}`, ...related })];
  }
  const misfits = parameters.flatMap((parameter, i) => {
    const source = check.arguments[i];
    if (!source || takes(parameter, source, model, gpu)) return [];
    const message = `\`${parameter.getName()}\` should be ${expectedText(source, model, gpu)} (${describe(source, model)}), not ${parameter.getType().getText(parameter)}`;
    const hint = `expected ${wanted}${gpu ? '' : kernelHint(parameter)}`;
    return [diagnostic('PV-5010', spanOf(parameter, module), message, { hint, ...related })];
  });
  return returnFits(node.getReturnType(), model, gpu)
    ? misfits
    : [
        ...misfits,
        diagnostic(
          'PV-5010',
          spanOf(node.getReturnTypeNode() ?? node, module),
          `\`${functionName.value}\` should return ${returnText(model, gpu)}, not ${node.getReturnType().getText(node)}`,
          related,
        ),
      ];
}

/** Whether a parameter of a kernel (`gpu`) or of a plain function can hold the values of `source`. */
export function takes(
  parameter: ParameterDeclaration,
  source: ArgumentSource,
  model: EquationModel,
  gpu: boolean,
): boolean {
  return fits(kernelTypeOf(parameter.getType()), source, model, gpu);
}

/** Arrays of arrays are what gpu.js passes: anyone who writes them meant a kernel. */
function kernelHint(parameter: ParameterDeclaration): string {
  const type = kernelTypeOf(parameter.getType());
  if (type?.kind !== 'nested' || type.rank === 0) return '';
  return '; to have it compiled as a kernel of one output element, give it the first parameter `this: KernelThread`';
}

/** The parameters that exist at run time. */
export function valueParameters(node: MorphFunction): readonly ParameterDeclaration[] {
  return node.getParameters().filter((parameter) => parameter.getName() !== 'this');
}

/** The type as kernels use it: nested arrays of numbers, or text; null for any other type. */
export function kernelTypeOf(type: MorphType): KernelType {
  if (type.isNumber() || type.isNumberLiteral()) return { kind: 'nested', rank: 0 };
  if (type.isString() || type.isStringLiteral()) return { kind: 'text' };
  const element = type.isArray() || type.isReadonlyArray() ? type.getArrayElementType() : undefined;
  if (element) {
    const inner = kernelTypeOf(element);
    return inner?.kind === 'nested' ? { kind: 'nested', rank: inner.rank + 1 } : null;
  }
  const name = type.getSymbol()?.getName() ?? '';
  return isFlatArray(name) ? { kind: 'flat', name } : null;
}

const isFlatArray = (name: string): boolean =>
  name === 'Float32Array' || name === 'Float64Array' || isIntegerArray(name);

function fits(type: KernelType, source: ArgumentSource, model: EquationModel, gpu: boolean): boolean {
  if (isText(source, model)) return type?.kind === 'text' && !gpu;
  const rank = rankOf(source, model);
  if (rank === 0) return type?.kind === 'nested' && type.rank === 0;
  if (type?.kind === 'flat') return gpu ? rank === 1 : type.name === flatName(source, model);
  return gpu && type?.kind === 'nested' && type.rank === rank;
}

function rankOf(source: ArgumentSource, model: EquationModel): number {
  const type = source.kind === 'parameter' ? model.parameters[source.index]?.type : undefined;
  return type ? shapeOf(type).length : 0;
}

function isText(source: ArgumentSource, model: EquationModel): boolean {
  return source.kind === 'parameter' && model.parameters[source.index]?.type.kind === 'string';
}

function flatName(source: ArgumentSource, model: EquationModel): string {
  const type = source.kind === 'parameter' ? model.parameters[source.index]?.type : undefined;
  return type && elementTypeOf(type).kind === 'integer' ? 'Int32Array' : 'Float32Array';
}

function expectedText(source: ArgumentSource, model: EquationModel, gpu: boolean): string {
  if (isText(source, model)) return 'string';
  const rank = rankOf(source, model);
  return rank === 0 ? 'number' : gpu ? nestedText(rank) : flatName(source, model);
}

function nestedText(rank: number): string {
  return rank <= 1 ? 'readonly number[]' : `readonly (${nestedText(rank - 1)})[]`;
}

function describe(source: ArgumentSource, model: EquationModel): string {
  if (source.kind === 'size') return `the size ${model.sizes[source.index]}`;
  if (source.kind === 'expression') return 'an expression of the binding';
  const parameter = model.parameters[source.index];
  if (!parameter) return 'a parameter';
  const shape = shapeOf(parameter.type)
    .map((size) => printTerm(size))
    .join('×');
  return `${parameter.name} ∈ ${typeText(elementTypeOf(parameter.type))}${shape === '' ? '' : shape.length > 1 ? `^{${shape}}` : `^${shape}`}`;
}

function returnFits(type: MorphType, model: EquationModel, gpu: boolean): boolean {
  const awaited = type.getSymbol()?.getName() === 'Promise' && !gpu ? (type.getTypeArguments()[0] ?? type) : type;
  const kernelType = kernelTypeOf(awaited);
  if (!gpu && model.result.kind === 'string') return kernelType?.kind === 'text';
  if (!gpu && isSequence(model.result)) return isIntegers(kernelType);
  if (gpu || !isTensorType(model.result)) return kernelType?.kind === 'nested' && kernelType.rank === 0;
  if (kernelType?.kind !== 'flat') return false;
  return kernelType.name.startsWith('Float') || elementTypeOf(model.result).kind === 'integer';
}

/** Arrays of numbers that `integerOutput` reads. */
function isIntegers(type: KernelType): boolean {
  if (type?.kind === 'nested') return type.rank === 1;
  return type?.kind === 'flat' && isIntegerArray(type.name);
}

function returnText(model: EquationModel, gpu: boolean): string {
  if (!gpu && model.result.kind === 'string') return 'string';
  if (!gpu && isSequence(model.result)) return 'Int32Array';
  return gpu || !isTensorType(model.result) ? 'number' : 'Float32Array';
}

/** The function type that the equation requires, as people write it. */
function interfaceText({ model, functionName, arguments: sources }: SignatureCheck, gpu: boolean): string {
  const parts = sources.map((source, i) => `${nameOf(source, model) ?? `a${i}`}: ${expectedText(source, model, gpu)}`);
  return `${functionName.value}(${[...(gpu ? ['this: KernelThread'] : []), ...parts].join(', ')}): ${returnText(model, gpu)}`;
}

/** As the equation names it; an expression has no name. */
export function nameOf(source: ArgumentSource, model: EquationModel): string | undefined {
  if (source.kind === 'expression') return undefined;
  return source.kind === 'size' ? model.sizes[source.index] : model.parameters[source.index]?.name;
}
