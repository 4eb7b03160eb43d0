/** The process that started this one, as `startProcess` does. */
export interface Parent {
  readonly onMessage: (listener: (message: unknown) => void) => void;
  readonly send: (message: object) => void;
}

/**
 * The parent of this process; null if nobody listens.
 *
 * Takes the means to write to it away: what runs here later cannot answer in the place of pv.
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
