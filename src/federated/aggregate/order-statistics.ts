/** Robust means of single coordinates, each participant counted once. */

/** Ascending, by insertion: a cohort has some tens of members. */
function sort(values: Float64Array): void {
  for (let i = 1; i < values.length; i++) {
    const value = values[i] ?? NaN;
    let j = i - 1;
    for (; j >= 0 && (values[j] ?? NaN) > value; j--) values[j + 1] = values[j] ?? NaN;
    values[j + 1] = value;
  }
}

/** Calls `of` with the sorted coordinate i of all rows and writes what it returns, rounded once, to out_i. */
function byCoordinate(rows: readonly Float32Array[], out: Float32Array, of: (sorted: Float64Array) => number): void {
  const values = new Float64Array(rows.length);
  for (let i = 0; i < out.length; i++) {
    for (let p = 0; p < rows.length; p++) values[p] = rows[p]?.[i] ?? NaN;
    sort(values);
    out[i] = of(values);
  }
}

/** The median of an even number of values is the mean of the middle two; exact in float64, rounded once. */
function middle(sorted: Float64Array): number {
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? NaN) + upper) / 2;
}

/** The mean of `count` sorted values from `first`, summed in ascending order. */
function meanOf(sorted: Float64Array, first: number, count: number): number {
  let sum = 0;
  for (let i = first; i < first + count; i++) sum += sorted[i] ?? NaN;
  return sum / count;
}

/** out ← the median of every coordinate. Source: Yin et al. (2018), arXiv:1803.01498, definition 1. */
export function median(rows: readonly Float32Array[], out: Float32Array): void {
  byCoordinate(rows, out, middle);
}

/**
 * out ← the mean of every coordinate without its `trimmed` smallest and `trimmed` largest values (2·trimmed < rows).
 *
 * Source: Yin et al. (2018), arXiv:1803.01498, definition 2.
 */
export function trimmedMean(rows: readonly Float32Array[], trimmed: number, out: Float32Array): void {
  byCoordinate(rows, out, (sorted) => meanOf(sorted, trimmed, sorted.length - 2 * trimmed));
}

/**
 * out ← the mean of the `count` values of every coordinate that are nearest to its median; of two that are equally near, the lower.
 *
 * Source: El Mhamdi et al. (2018), The hidden vulnerability of distributed learning in Byzantium, arXiv:1802.07927, section 4.
 */
export function meanAroundMedian(rows: readonly Float32Array[], count: number, out: Float32Array): void {
  byCoordinate(rows, out, (sorted) => {
    const centre = middle(sorted);
    // The nearest values are neighbours: the window moves up while the value after it is nearer than its first.
    let first = 0;
    while (first + count < sorted.length && (sorted[first + count] ?? NaN) - centre < centre - (sorted[first] ?? NaN))
      first++;
    return meanOf(sorted, first, count);
  });
}
