/** The vocabulary of the tiny model: three specials, 256 bytes, characters, and words with every beginning of them. */

/** A token, and how loud its embedding is. */
export interface TinyToken {
  readonly text: string;
  /** Merges with higher scores come first, as SentencePiece has it: the longer a token has been wanted, the higher. */
  readonly score: number;
  /** The size of its embedding: fainter tokens are chosen less often, so that texts are mostly of whole words. */
  readonly loudness: number;
}

const characters = '\n !"\',-.0123456789:;?ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyzé';

/** Each begins with a space, as words within a text do. */
const words =
  'the a and to was she he it her day in they once upon time little girl boy said play with big saw happy park cat dog tree ball home'
    .split(' ')
    .map((word) => ` ${word}`);

/** `<unk>`, BOS and EOS as llama2.c's export spells them, then the bytes. */
const specials = ['<unk>', '\n<s>\n', '\n</s>\n'];
const bytes = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);

const beginnings = (word: string): readonly string[] =>
  Array.from({ length: word.length - 1 }, (_, i) => word.slice(0, i + 2));

const merges = [...new Set(words.flatMap(beginnings))];

const loudness = (piece: string): number => (words.includes(piece) ? 1 : piece.length > 1 ? 1 / 8 : 1 / 4);

/** In order of their ids. Every merge is of a shorter merge and one character, so that all of them can be reached. */
export const tinyVocabulary: readonly TinyToken[] = [
  ...[...specials, ...bytes].map((text) => ({ text, score: 0, loudness: 1 / 8 })),
  ...[...merges, ...characters].map((text, i) => ({ text, score: -i, loudness: loudness(text) })),
];
