import type { KernelCall, KernelOutcome, OpenKernel } from './backend.ts';

/**
 * `run` of a kernel that is far away: lists that are asked for at once go to it as one, and one list after another, since a message
 * costs more than most calls.
 */
export function gathered(run: OpenKernel['run']): OpenKernel['run'] {
  let waiting: { readonly calls: readonly KernelCall[]; readonly give: (own: readonly KernelOutcome[]) => void }[] = [];
  let last: Promise<void> = Promise.resolve();
  const runWaiting = async (): Promise<void> => {
    const lists = waiting;
    waiting = [];
    const outcomes = await run(lists.flatMap(({ calls }) => calls));
    let at = 0;
    for (const { calls, give } of lists) give(outcomes.slice(at, (at += calls.length)));
  };
  return (calls) =>
    new Promise((resolve) => {
      if (waiting.push({ calls, give: resolve }) === 1) last = last.then(runWaiting);
    });
}
