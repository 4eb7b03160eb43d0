/** Lets timers, signals and progress lines run between blocks of synchronous work. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
