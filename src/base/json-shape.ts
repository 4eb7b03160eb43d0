import { stringEnd } from './repeated-key.ts';

/** Real ones are five deep: a trace, its entries, a step, its sketch, its ids. */
const deepest = 16;
/** Objects of traces, proofs and requests have a dozen keys; `JSON.parse` and its readers take seconds for a million. */
export const usualKeys = 64;
/** The shortest that a trace lists, a gap, takes twice as many characters. */
const charactersEach = 16;

/**
 * Whether a JSON text, valid or not, has more lists and objects than a trace, deeper nesting, or an object with more keys:
 * `JSON.parse` would take up to seventy times the memory of such a text before its content can be checked. `keysEach` is the
 * most keys of one object.
 */
export function opensTooMuch(json: string, keysEach = usualKeys): boolean {
  let [depth, opened] = [0, 0];
  const keys = new Uint32Array(deepest + 1);
  const most = deepest + json.length / charactersEach;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (character === '"') at = stringEnd(json, at) - 1;
    else if (character === '{' || character === '[') {
      opened += 1;
      depth += 1;
      if (depth > deepest || opened > most) return true;
      keys[depth] = 0;
    } else if (character === '}' || character === ']') depth -= 1;
    else if (character === ':') {
      const named = (keys[Math.max(0, depth)] ?? 0) + 1;
      if (named > keysEach) return true;
      keys[Math.max(0, depth)] = named;
    }
  }
  return false;
}
