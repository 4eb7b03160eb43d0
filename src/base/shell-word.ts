/** Words of commands that people can type. */

/** `text` as a POSIX shell takes it for one word: quoted only where it must be. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
