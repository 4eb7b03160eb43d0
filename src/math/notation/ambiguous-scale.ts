/** `64K` is 64,000 in papers and 65,536 in programs. Parameters are counted in powers of ten by both. */
const scaled = /(?<![\p{L}\p{Nd}_.])\d[\d.,_]*([KM])(?![\p{L}\p{Nd}_([]|\s+param(?:eter)?s\b)/gu;

/** The first number of a text that K or M scales, where nothing has that letter for a name; null if there is none. */
export function ambiguousScale(text: string, isName: (letter: string) => boolean = () => false): string | null {
  const found = [...text.matchAll(scaled)].find(([, letter = '']) => !isName(letter));
  return found?.[0] ?? null;
}
