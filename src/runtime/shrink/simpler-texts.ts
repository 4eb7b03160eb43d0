/** Strings that people find simpler, and worth trying in place of a given one. */

/** The characters that replace others in a counterexample, simplest first. */
const simple = ['a', 'b', ' ', 'A', '0', '\n', 'é', '\u0301', '中', '😀'];

function rankOf(character: string): number {
  const rank = simple.indexOf(character);
  return rank >= 0 ? rank : simple.length + (character.codePointAt(0) ?? 0);
}

/**
 * Strings strictly simpler than `text`, most wanted first: shorter ones, then ones of simpler characters. Characters are
 * code points, so that no surrogate is torn from its pair.
 */
export function* simplerTexts(text: string): Generator<string> {
  const characters = [...text];
  for (let chunk = characters.length; chunk >= 1; chunk = Math.floor(chunk / 2)) {
    for (let from = 0; from < characters.length; from += chunk)
      yield [...characters.slice(0, from), ...characters.slice(from + chunk)].join('');
  }
  for (const [at, character] of characters.entries()) {
    for (const other of simple) if (rankOf(other) < rankOf(character)) yield characters.with(at, other).join('');
  }
}
