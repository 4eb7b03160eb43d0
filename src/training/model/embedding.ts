/** Row r of the input of a transformer: the vector of its symbol plus the vector of its position. */

const { fround } = Math;

/** out (rows×width) ← symbols[token] + places[position]; the rows of a sequence have the positions 0, 1, … */
export function embed(
  out: Float32Array,
  tokens: Int32Array,
  symbols: Float32Array,
  places: Float32Array,
  width: number,
): void {
  for (let row = 0; row < tokens.length; row++) {
    const [from, place] = [(tokens[row] ?? NaN) * width, (row * width) % places.length];
    for (let j = 0; j < width; j++) out[row * width + j] = (symbols[from + j] ?? NaN) + (places[place + j] ?? NaN);
  }
}

/** symbols and places ← themselves + the gradients by {@link embed}'s tables, row by row. */
export function embedBackward(
  { symbols, places }: { readonly symbols: Float32Array; readonly places: Float32Array },
  g: Float32Array,
  tokens: Int32Array,
  width: number,
): void {
  for (let row = 0; row < tokens.length; row++) {
    const [to, place] = [(tokens[row] ?? NaN) * width, (row * width) % places.length];
    for (let j = 0; j < width; j++) {
      const slope = g[row * width + j] ?? NaN;
      symbols[to + j] = fround((symbols[to + j] ?? NaN) + slope);
      places[place + j] = fround((places[place + j] ?? NaN) + slope);
    }
  }
}
