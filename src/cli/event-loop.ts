/** Lets the event loop poll: a Ctrl-C during long synchronous work is delivered between its next two turns. */
export async function nextTurns(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
