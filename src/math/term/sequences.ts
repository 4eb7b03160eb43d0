/**
 * Sequences: tensors of one axis whose length is known only in a run.
 *
 * The length of such an axis is a variable. In the type of an equation it is `*`; in a goal it belongs to one output:
 * `|out:0|` is how many elements `out:0` has.
 */
import { INTEGER, type ScalarType, type Term, type Type } from './term.ts';

const ANY = '*';

/** The length of a result in the type of an equation: any. */
export const anyLength: Term = { kind: 'variable', name: ANY, type: INTEGER, origin: null };

/** Whether `text` is the exponent of `ℤ*`. */
export function isAnyLength(text: string): boolean {
  return text === ANY;
}

/** Whether `name` is that of the length of a value. */
export function isLengthName(name: string): boolean {
  return name === ANY || name.startsWith('|');
}

/** The name of the length of an input or output of a goal. */
export function lengthName(output: string): string {
  return `|${output}|`;
}

/** Whether `name` denotes a length that is known only in a run. */
export function isRunTimeName(name: string): boolean {
  return name === ANY || name.startsWith('|out:');
}

/** The sequences over `element`. */
export function sequenceOf(element: ScalarType): Type {
  return { kind: 'tensor', element, shape: [anyLength] };
}

/** Whether the result of an equation has any length. */
export function isSequence(type: Type): boolean {
  return hasLength(type, ANY);
}

/** Whether the output `output` of a goal has its own length, rather than that of an argument. */
export function decidesLength(type: Type, output: string): boolean {
  return hasLength(type, lengthName(output));
}

function hasLength(type: Type, name: string): boolean {
  return type.kind === 'tensor' && type.shape.some((axis) => axis.kind === 'variable' && axis.name === name);
}
