/** The coordinates of an output element: `x` is its last axis, `y` the one before, `z` the first of three. */
export interface KernelIndex {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** What `this` is inside a gpu.js kernel: one thread computes one output element. */
export interface KernelThread {
  readonly thread: KernelIndex;
  readonly constants: Readonly<Record<string, number>>;
  readonly output: KernelIndex;
}
