/**
 * Lists of keys on which nothing depends that contracts over configs ask for: names and places, logging services, how a model
 * is loaded, which kernels run it. A key that could change the number of steps or the learning rate is in none of them.
 */

/** The keys of a text that separates them by blanks. */
export function keysIn(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
