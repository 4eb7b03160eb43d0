/** `provable-contracts/trace/node`: what recording needs of Node, files and threads. */
export { createFileSink, type FileSink } from './record/file-sink.ts';
export { logitsThreadFor } from './record/logits-thread.ts';
export { createNodeHost } from '../host/node-host.ts';
export type { Host } from '../host/host.ts';
