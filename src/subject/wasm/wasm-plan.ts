/** A function of a WebAssembly module as data: what each of its parameters is. Plain, so that it crosses to another process. */
import type { WasmNumber } from './read-module.ts';

/** One parameter; `index` is into the arguments of the call. */
export type WasmArgument =
  /** A number in the parameter's own type. */
  | { readonly kind: 'value'; readonly index: number; readonly type: WasmNumber }
  /** The address of a tensor's elements, 32 bits each. */
  | { readonly kind: 'address'; readonly index: number }
  /** The address of the result; where the function works in place, a tensor is there before. */
  | { readonly kind: 'output'; readonly from: number | null };

/** How a function is called. */
export interface WasmPlan {
  readonly arguments: readonly WasmArgument[];
  /** The export that holds the tensors; null if there are none. */
  readonly memory: string | null;
  /** Whether the module exports `malloc`, which then says where they are. */
  readonly allocates: boolean;
  /** Whether the elements of the result are whole numbers. */
  readonly isInteger: boolean;
}
