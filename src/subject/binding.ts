/**
 * The binding file: which function of the project is the kernel of which equation.
 */
import type { AccuracyClass } from '../contract/accuracy.ts';
import type { Located } from '../contract/contract.ts';
import type { Span } from '../diagnostics/source.ts';
import type { BackendId } from './kernel.ts';

/** The values of `status`, as upstream writes them. */
export const bindingStatuses = ['implemented', 'partial', 'not_implemented', 'pending'] as const;

/** Whether the kernel exists, according to the binding. */
export type BindingStatus = (typeof bindingStatuses)[number];

/** The values of `kind`: what a file holds, which its name says as well. */
export const bindingKinds = ['function', 'wgsl', 'wasm'] as const;

/** One row: an equation and its kernel. */
export interface BindingRow {
  /** The contract's id, without `.yaml`. */
  readonly contract: Located<string>;
  readonly equation: Located<string>;
  /** As written; relative to the project root, see docs/binding.md. */
  readonly modulePath: Located<string> | null;
  readonly functionName: Located<string> | null;
  readonly signature: string | null;
  readonly status: BindingStatus;
  readonly notes: string | null;
  /** What the kernel is called with, when it is not the equation's parameters and then its sizes. */
  readonly arguments: readonly Located<string>[] | null;
  /** The output's shape, when it is not the equation's. */
  readonly output: readonly Located<string>[] | null;
  readonly loopMax: number | null;
  readonly kind: Located<(typeof bindingKinds)[number]> | null;
  /** Of a shader: what fills its variables, by name; null leaves all of them to their names and order. */
  readonly variables: ReadonlyMap<string, readonly Located<string>[]> | null;
  /** Of a shader: workgroups along x, y and z. */
  readonly dispatch: readonly Located<string>[] | null;
  /** Where this kernel is checked; null leaves it to the run. */
  readonly backends: readonly BackendId[] | null;
  readonly span: Span;
}

/** `softmax-kernel-v1/softmax`: what a row is about. */
export function bindingKey({ contract, equation }: Pick<BindingRow, 'contract' | 'equation'>): string {
  return `${contract.value}/${equation.value}`;
}

/** A parsed binding file; rows that could not be read are not among its `rows`. */
export interface BindingFile {
  readonly version: string | null;
  readonly target: string | null;
  /** How accurate the kernels are meant to be; null if the file does not say. */
  readonly accuracy: AccuracyClass | null;
  readonly rows: readonly BindingRow[];
  readonly waivers: readonly WaiverRow[];
}

/** A {@link WaiverRow} about data: the file or the files (`configs/*.yaml`), from the root of the project. */
export interface DataWaiverRow extends WaiverRow {
  readonly file: Located<string>;
}

/** A claim that is known not to hold in this project: its owner, the reason, and the last day of the waiver. */
export interface WaiverRow {
  /** The contract's id, without `.yaml`. */
  readonly contract: Located<string>;
  readonly claim: Located<string>;
  readonly owner: Located<string>;
  readonly reason: Located<string>;
  /** The last day on which it is valid: `2027-03-31`, UTC. */
  readonly expires: Located<string>;
}
