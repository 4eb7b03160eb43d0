/** JSON as Python writes it: with NaN, Infinity and -Infinity, which JSON does not have. */
import { wrong, type Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';

/** Text or one of Python's three words, outside text. */
const token = /"(?:[^"\\]|\\.)*"|-?Infinity|NaN/gsu;

/** The value, with NaN and infinities as the texts `NaN`, `Infinity` and `-Infinity`; PV-8504 if it is not JSON. */
export function parsePythonJson(text: string, file: string): Result<unknown, Problem> {
  try {
    return ok(JSON.parse(text.replace(token, (found) => (found.startsWith('"') ? found : `"${found}"`))));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return wrong('PV-8504', 'JSON', `${file} is not JSON: ${message}.`);
  }
}

/** A number, also one of Python's three words; null for anything else. */
export function pythonNumber(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (value === 'NaN') return NaN;
  return value === 'Infinity' ? Infinity : value === '-Infinity' ? -Infinity : null;
}
