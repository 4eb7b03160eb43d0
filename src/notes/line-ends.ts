/** Changes by editors and version control to texts that are hashed and signed byte by byte. */
import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { Problem } from '../base/problem.ts';

const fix =
  'take the file as it was sent, or give it LF again (dos2unix); "-text" in .gitattributes keeps git from changing it.';

/** PV-8084 if `text` has CRLF line ends, so that no one searches its lines for a fault. */
export function changedLineEnds(what: string, text: string): Problem | null {
  const at = text.indexOf('\r\n');
  if (at < 0) return null;
  const line = text.slice(0, at).split('\n').length;
  const message = `The ${what} has CRLF line ends (the first on line ${line}), which editors on Windows and git's autocrlf write, but it was made with LF: ${fix}`;
  const offset = utf8ToBytes(text.slice(0, at)).length;
  return { code: 'PV-8084', check: 'line ends', message, offset, expected: '0a', actual: '0d0a' };
}

/** The same where it starts with a byte order mark. Texts of signed notes may, since the mark is signed with them. */
export function byteOrderMark(what: string, text: string): Problem | null {
  if (!text.startsWith('\uFEFF')) return null;
  const message = `The ${what} starts with a byte order mark, which editors on Windows write, but it was made without: ${fix}`;
  return { code: 'PV-8084', check: 'line ends', message, offset: 0, expected: 'no mark', actual: 'efbbbf' };
}
