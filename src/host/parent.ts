/** The process that started this one, as `startProcess` does. */
export interface Parent {
  readonly onMessage: (listener: (message: unknown) => void) => void;
  readonly send: (message: object) => void;
}

/**
 * The parent of this process; null if it does not listen.
 *
 * Removes the means to write to it, so that code that runs here later cannot answer on pv's behalf.
 */
export function parentOf(): Parent | null {
  const send = process.send?.bind(process);
  if (!send) return null;
  delete process.send;
  return {
    onMessage: (listener) => void process.on('message', listener),
    send: (message) => void send(message),
  };
}
