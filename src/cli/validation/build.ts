import { version } from '../../base/version.ts';

/**
 * Names the code that runs, given the URL of a module that imports all of it, now or later; null when it has no name.
 *
 * The bundler names each chunk after a hash of its text and of every chunk that it reaches (test/cli/validation/build
 * holds it to that). Node's version counts too: what is a letter depends on its edition of Unicode.
 */
export function buildOf(url: string): string | null {
  const chunk = /[\w.-]+-[0-9A-Z]{8}\.c?js$/.exec(url);
  return chunk && `pv ${version} ${chunk[0]} node ${process.versions.node}`;
}
