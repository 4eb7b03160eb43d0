/**
 * The public API of `provable-contracts`, listed by name: what a tool built on pv may rely on between minor versions.
 * Generated tests and kernels import `provable-contracts/runtime` instead.
 */
export * from './browser.ts';
export { createFileSink, type FileSink } from './trace/record/file-sink.ts';
export { logitsThreadFor } from './trace/record/logits-thread.ts';
export { createNodeHost } from './host/node-host.ts';
export type { Host } from './host/host.ts';
