/**
 * Messages of bytes over a pipe: the length in four bytes, little-endian, then the bytes.
 *
 * Node's own channel between processes ends the parent when a child sends what it cannot read, and code that is judged may send
 * anything.
 */

const headerBytes = 4;

/** What a message may take; more is refused before it is read. */
const mostBytes = 2 ** 29;

/** The message as it goes over the pipe. */
export function frameOf(message: Uint8Array): Uint8Array {
  const frame = new Uint8Array(headerBytes + message.length);
  new DataView(frame.buffer).setUint32(0, message.length, true);
  frame.set(message, headerBytes);
  return frame;
}

/** Takes what arrives, in any pieces, and gives whole messages; after one that is too long it calls `onBroken` and takes no more. */
export function frameReader(
  onMessage: (message: Uint8Array) => void,
  onBroken: () => void,
): (piece: Uint8Array) => void {
  const header = new Uint8Array(headerBytes);
  const view = new DataView(header.buffer);
  let filled = 0;
  let message: Uint8Array | null = null;
  let isBroken = false;
  const take = (piece: Uint8Array, into: Uint8Array): Uint8Array => {
    const part = piece.subarray(0, into.length - filled);
    into.set(part, filled);
    filled += part.length;
    return piece.subarray(part.length);
  };
  const begin = (): void => {
    const length = view.getUint32(0, true);
    isBroken = length > mostBytes;
    if (isBroken) return onBroken();
    message = new Uint8Array(length);
    filled = 0;
  };
  return (piece) => {
    let rest = piece;
    while (!isBroken && (rest.length > 0 || message?.length === filled)) {
      if (message === null) {
        rest = take(rest, header);
        if (filled === headerBytes) begin();
        continue;
      }
      rest = take(rest, message);
      if (filled < message.length) continue;
      const whole = message;
      message = null;
      filled = 0;
      onMessage(whole);
    }
  };
}
