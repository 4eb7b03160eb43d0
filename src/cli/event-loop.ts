/** Lets the event loop poll, so that a Ctrl-C during long synchronous work is delivered. */
export async function nextTurns(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
