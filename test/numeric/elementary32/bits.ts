/**
 * A digest of what a function returns on float32 numbers: two 32-bit hashes over the bits of every result, NaN as 0x7fc00000.
 *
 * The numbers have the bits `start`, `start + step`, … modulo 2³², `count` of them. `scripts` outside of JavaScript make the
 * same digest: h = (h ^ bits) · 0x01000193, h ^= h >>> 15 from 0x811c9dc5, and g = 31·g + bits from 0.
 */
export function digestOf(compute: (x: number) => number, start: number, step: number, count: number): string {
  const float = new Float32Array(1);
  const word = new Int32Array(float.buffer);
  let [h, g, bits] = [0x811c9dc5 | 0, 0, start | 0];
  for (let i = 0; i < count; i++) {
    word[0] = bits;
    const result = compute(float[0] ?? 0);
    float[0] = result;
    const out = Number.isNaN(result) ? 0x7fc00000 : (word[0] ?? 0);
    h = Math.imul(h ^ out, 0x01000193);
    h ^= h >>> 15;
    g = (Math.imul(g, 31) + out) | 0;
    bits = (bits + step) | 0;
  }
  return [h, g].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
