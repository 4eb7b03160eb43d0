/** What pv uses of WebAssembly; its declarations come with the DOM's, which pv does without. */

/** `WebAssembly.Memory`. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

/** A mutable `WebAssembly.Global` of a number type. */
export interface WasmGlobal {
  value: number;
}

/** A function of numbers, from JavaScript or from another module, or a memory. */
export type WasmImport = WasmMemory | ((...values: number[]) => number);

/** The global object `WebAssembly`. */
export interface WebAssemblyApi {
  readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => WasmMemory;
  /** Whether the bytes are a module that this engine runs: false where it lacks a feature. */
  readonly validate: (bytes: Uint8Array) => boolean;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: Readonly<Record<string, Readonly<Record<string, WasmImport>>>>,
  ) => { readonly exports: Readonly<Record<string, unknown>> };
}

/** Absent where an engine runs without compiling (`node --jitless`). */
export const webAssembly: WebAssemblyApi = (globalThis as unknown as { readonly WebAssembly: WebAssemblyApi })
  .WebAssembly;
