import { Socket } from 'node:net';
import { frameOf, frameReader } from './frames.ts';

/** Where a process that runs untrusted code finds the pipe to the one that started it. */
export const pipeNumber = 3;

/** The other end of the pipe. */
export interface ParentPipe {
  readonly onMessage: (listener: (message: Uint8Array) => void) => void;
  readonly send: (message: Uint8Array) => void;
}

/** Opens the pipe of this process, which ends with it. Called before any code is loaded that could replace what it uses. */
export function parentPipe(): ParentPipe {
  const socket = new Socket({ fd: pipeNumber, readable: true, writable: true });
  const write = socket.write.bind(socket);
  const end = (): void => void process.kill(process.pid, 'SIGKILL');
  socket.on('end', end);
  socket.on('error', end);
  return {
    onMessage: (listener) => void socket.on('data', frameReader(listener, end)),
    send: (message) => void write(frameOf(message)),
  };
}
