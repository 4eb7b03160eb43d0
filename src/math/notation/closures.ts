/** What Rust's iterators say of vectors, as the notation writes it. */

/** `x.iter().all(|v| v.is_finite() && *v >= 0.0)`: what holds of every element of x, which the notation says of x. */
const every =
  /([\p{L}_][\p{L}\p{N}_]{0,40}(?:\.data\(\))?)\.(?:into_)?iter\(\)(?:\.(?:copied|cloned)\(\))?\.all\(\|&{0,2}(\p{L}[\p{L}\p{N}_]{0,20})\|([^|]{1,200})\)/gu;

/** `x.iter().sum::<f32>()` */
const typed = /\.(sum|product)::<\w{1,20}>\(\)/gu;

/** The text with closures as statements about their vectors, and without the types of sums; of the same length, so that places stay. */
export function withoutClosures(text: string): string {
  if (!text.includes('.all(|') && !text.includes('::<')) return text;
  const plain = text.replaceAll(typed, (whole, name: string) => `.${name}()`.padEnd(whole.length));
  return plain.replaceAll(every, (whole, vector: string, element: string, body: string) => {
    const name = new RegExp(`(?<![\\p{L}\\p{N}_.])\\*?${element}(?![\\p{L}\\p{N}_])`, 'gu');
    const said = `(${body.replaceAll(name, vector).trim()})`;
    // What is said of an element must be about it alone: another bracket may end the closure before its end.
    const isWhole = balance(said) === 0 && body.search(name) >= 0 && said.length <= whole.length;
    return isWhole ? said.padEnd(whole.length) : whole;
  });
}

/** Opening brackets less closing ones; NaN if one closes that is not open. */
function balance(text: string): number {
  let open = 0;
  for (const character of text) {
    if (character === '(') open += 1;
    if (character === ')') open -= 1;
    if (open < 0) return Number.NaN;
  }
  return open;
}
