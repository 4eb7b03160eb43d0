/** Long work in a page that has one thread: now and then the page gets a turn. */

/** Milliseconds that work may take at a stretch; from 50 on it is felt as a delay. */
const stretch = 30;

/** A pause to await often: it ends at once, unless the work has had its stretch since the page had a turn. */
export function breathing(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < stretch) return;
    await new Promise((resolve) => setTimeout(resolve));
    since = performance.now();
  };
}
