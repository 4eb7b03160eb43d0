/** A compute shader as data: what is written to its buffers before a dispatch and read from them after it. */
import type { ShaderFormat } from './wgsl/layout.ts';

/** What fills some numbers of a buffer: arguments of the call by index. */
export type ShaderSource =
  | { readonly kind: 'argument'; readonly index: number }
  /** One argument for each component of a vector. */
  | { readonly kind: 'vector'; readonly indices: readonly number[] }
  /** The result; it starts as an argument where the shader works in place. */
  | { readonly kind: 'output'; readonly from: number | null };

/** Some numbers of a buffer; offsets and strides in words of four bytes. */
export interface ShaderField {
  readonly path: string;
  readonly format: ShaderFormat;
  readonly offset: number;
  readonly components: number;
  readonly stride: number;
  /** Elements; null: as many as the values need. */
  readonly length: number | null;
  readonly source: ShaderSource;
}

/** A buffer of a bind group. */
export interface ShaderBuffer {
  readonly name: string;
  readonly group: number;
  readonly binding: number;
  readonly kind: 'uniform' | 'read' | 'read_write';
  /** Words before what a runtime-sized array adds. */
  readonly words: number;
  /** Words that WebGPU binds at least. */
  readonly leastWords: number;
  readonly fields: readonly ShaderField[];
}

/** How a shader is run for one call of its equation. */
export interface ShaderPlan {
  readonly buffers: readonly ShaderBuffer[];
  /** Pipeline constants by the key that WebGPU takes, with the argument that gives each. */
  readonly constants: readonly { readonly key: string; readonly index: number }[];
  /** Arguments that give the workgroups along x, y and z; null: one invocation for each element of the result, along x. */
  readonly dispatch: readonly number[] | null;
  /** Invocations of one workgroup; null if a pipeline constant decides it. */
  readonly invocations: number | null;
  /** Whether it asks for the lengths of its buffers. */
  readonly asksLength: boolean;
}
