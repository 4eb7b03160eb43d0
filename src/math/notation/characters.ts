/** What an ASCII character can begin or continue: one look at a table in place of a pattern per token. */
export const characterClass = { other: 0, space: 1, letter: 2, digit: 3, underscore: 4, prime: 5 } as const;

const classes = new Uint8Array(128);
for (const c of ' \t\v\f') classes[c.charCodeAt(0)] = characterClass.space;
for (let code = 0x41; code <= 0x5a; code += 1) classes[code] = classes[code + 0x20] = characterClass.letter;
for (let code = 0x30; code <= 0x39; code += 1) classes[code] = characterClass.digit;
classes[0x5f] = characterClass.underscore;
classes[0x27] = characterClass.prime;

/** The class of the character at `at`; `other` outside ASCII and past the end. */
export function classAt(text: string, at: number): number {
  return classes[text.charCodeAt(at)] ?? characterClass.other;
}

/** False also past the end, where there is no character. */
export function isAscii(text: string, at: number): boolean {
  return text.charCodeAt(at) < 128;
}

/** The end of the run of ASCII digits at `at`. */
export function endOfDigits(text: string, at: number): number {
  let end = at;
  while (classAt(text, end) === characterClass.digit) end += 1;
  return end;
}
