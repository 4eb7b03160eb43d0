import type { Term } from '../term/term.ts';

/** A scalar in the arithmetic T, tagged so that T may be anything. */
export type Scalar<T> =
  | { readonly kind: 'number'; readonly value: T }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'string'; readonly value: string };

/** A tensor of scalars. */
export interface TensorValue<T> {
  readonly kind: 'tensor';
  readonly shape: readonly number[];
  /** Flat and row-major. */
  readonly data: readonly Scalar<T>[];
}

/** A scalar or a tensor. */
export type Value<T> = Scalar<T> | TensorValue<T>;

/** Names in scope: a linked list, so that entering a binder copies nothing. */
export interface Frame<T> {
  readonly name: string;
  readonly value: Value<T>;
  readonly outer: Frame<T> | null;
}

/**
 * What an environment gives for a name: a scalar, or a tensor as flat row-major data. A term is a number that no float is; it may use the
 * names before its own.
 */
export type Binding =
  number | boolean | string | Term | { readonly shape: readonly number[]; readonly data: ArrayLike<number | Term> };

/** Values by the names of variables. */
export type Environment = ReadonlyMap<string, Binding>;
