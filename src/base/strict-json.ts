/** Untrusted JSON, parsed so that no two readers can disagree about it, in memory proportional to its size. */
import { err, ok, type Result } from './result.ts';
import { shortened } from './text.ts';
import { opensTooMuch, usualKeys } from './json-shape.ts';
import { repeatedKey } from './repeated-key.ts';

/**
 * The value of a JSON text; an error message if it is not JSON, or has more lists and objects than anything here needs, or an
 * object with more than `keysEach` keys. `what` names the text.
 */
export function parseJson(text: string, what: string, keysEach = usualKeys): Result<unknown, string> {
  if (opensTooMuch(text, keysEach))
    return err(`The ${what} has too many lists and objects, too deep nesting, or an object with too many keys.`);
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    return err(`The ${what} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The same of a text that has no one encoding: also refused where an object names a key twice. */
export function parseStrictJson(text: string, what: string, keysEach = usualKeys): Result<unknown, string> {
  const json = parseJson(text, what, keysEach);
  if (!json.ok) return json;
  const repeated = repeatedKey(text, what);
  if (repeated === null) return json;
  return err(shortened(`${repeated} is repeated: readers would disagree about what the ${what} says.`));
}
