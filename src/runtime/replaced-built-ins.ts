/**
 * Kernels of generated tests share this realm with what judges them. A test file imports this module before its kernels, so what a
 * kernel replaces shows, and the test fails whatever it found.
 */
import { recordBuiltIns } from '../base/built-ins.ts';

/** Fake timers replace these, which decide nothing here. */
const timers = new Set(
  'Date setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate queueMicrotask Intl'.split(' '),
);

const replaced = recordBuiltIns([], timers);

/** Runs a test of the claim `id`, and rejects if built-in functions are not the language's afterwards: then nothing counts that it found. */
export async function inOwnRealm(id: string, run: () => Promise<void>): Promise<void> {
  let found = '';
  try {
    await run();
  } catch (problem) {
    if (replaced() === '') throw problem;
    found = `\n\n${problem instanceof Error ? problem.message : 'it failed'}`;
  }
  const names = replaced();
  if (names !== '')
    throw new Error(
      `${id} was not tested: the kernel, or something that it imports, replaced ${names}, so that no claim can be decided here (PV-5027)${found}`,
    );
}
