import { stringEnd } from './repeated-key.ts';

/** Real ones stand five deep: a trace, its entries, a step, its sketch, its ids. */
const deepest = 16;
/** The shortest that a trace lists, a gap, takes twice as many characters. */
const charactersEach = 16;

/**
 * Whether a JSON text, valid or not, opens more lists and objects than a trace does, or stands deeper: `JSON.parse`
 * would take up to seventy times the memory of such a text before anybody looks at what it says.
 */
export function opensTooMuch(json: string): boolean {
  let [depth, opened] = [0, 0];
  const most = deepest + json.length / charactersEach;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (character === '"') at = stringEnd(json, at) - 1;
    else if (character === '{' || character === '[') {
      opened += 1;
      depth += 1;
      if (depth > deepest || opened > most) return true;
    } else if (character === '}' || character === ']') depth -= 1;
  }
  return false;
}
