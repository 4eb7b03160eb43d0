/** Bytes as the whole numbers that contracts know them as. */

/** Throws for a number that is not a byte: a typed array would wrap it, and the claim would be about other bytes. */
export function bytesOf(numbers: Int32Array): Uint8Array {
  const bytes = new Uint8Array(numbers.length);
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i] ?? -1;
    if (number < 0 || number > 255) throw new RangeError(`${number} is not a byte`);
    bytes[i] = number;
  }
  return bytes;
}

/** Bytes with bit number `q` flipped, the lowest of a byte first, counted around; as they are for −1. */
export function flipped(numbers: Int32Array, q: number): Uint8Array {
  const bytes = bytesOf(numbers);
  if (q < 0 || bytes.length === 0) return bytes;
  const at = Math.floor(q / 8) % bytes.length;
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (q % 8));
  return bytes;
}

/** The bytes of all parts, one after the other. */
export function numbersOf(...parts: readonly Uint8Array[]): Int32Array {
  const numbers = new Int32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    numbers.set(part, at);
    at += part.length;
  }
  return numbers;
}

/** Throws for a number that is not an integer: a typed array would round it, and a claim could not see it. */
export function wholeNumbers(values: readonly number[]): Int32Array {
  const stranger = values.find((value) => !Number.isInteger(value));
  if (stranger !== undefined) throw new RangeError(`${stranger} is not a whole number`);
  return Int32Array.from(values);
}

/** The rows of a matrix with `width` columns. */
export function rowsOf(matrix: Uint8Array, width: number): readonly Uint8Array[] {
  return Array.from({ length: matrix.length / width }, (_, i) => matrix.subarray(i * width, (i + 1) * width));
}
