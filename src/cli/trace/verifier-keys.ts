import { parseVerifierKey, type VerifierKey } from '../../notes/key.ts';
import type { Cli } from '../cli.ts';
import { sayProblem } from '../problem-text.ts';
import { isKey } from './anchor-flags.ts';
import { readTextOf } from './input.ts';

/** The keys given by `--key`, as files or inline; null after reporting a faulty one. */
export async function readVerifierKeys(cli: Cli, names: readonly string[]): Promise<readonly VerifierKey[] | null> {
  const keys: VerifierKey[] = [];
  for (const name of names) {
    const text = isKey(name) ? name : await readTextOf(cli, name, 'verifier key');
    if (typeof text === 'number') return null;
    const key = parseVerifierKey(text.trim());
    if (!key.ok) {
      sayProblem(cli, key.error, name);
      return null;
    }
    keys.push(key.value);
  }
  return keys;
}
