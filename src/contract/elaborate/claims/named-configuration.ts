/** `P(Qwen3-8B) ∈ [8.0B, 8.4B]`, where P computes the size of a model from numbers that its domain gives: the argument names the model. */
import { readNotation } from '../../../math/notation/read.ts';
import type { FormalText } from '../../contract.ts';
import type { ElaboratedEquation } from '../equations/equation.ts';

/** A word of a product's name with a version or a size after it: `Llama-2-7b`, `Qwen2.5-7B`. */
const application = /(?<![\p{L}\p{N}_])(\p{L}\w{0,15})\((\p{L}*\p{Ll}{2,}[\d.]*(?:-[A-Za-z]*\d[\w.]*)+)\)/gu;

/** The claim without such arguments of equations that take none, and what is assumed; null if it has none. */
export function withoutConfigurations(
  formal: FormalText,
  equations: readonly ElaboratedEquation[],
): { readonly formal: FormalText; readonly said: string } | null {
  const bare = new Set(equations.flatMap(({ model }) => (model?.bare === true ? [model.symbol, model.name] : [])));
  const found = [...formal.text.matchAll(application)].filter(([, symbol = '']) => bare.has(symbol));
  const [first] = found;
  if (!first) return null;
  // Spaces keep the places of the text.
  const text = found.reduce(
    (now, { 0: whole, 1: symbol = '', index }) =>
      now.slice(0, index) + symbol + ' '.repeat(whole.length - symbol.length) + now.slice(index + whole.length),
    formal.text,
  );
  const notation = readNotation(text, 'proposition');
  return notation.status === 'math'
    ? {
        formal: { ...formal, text, notation },
        said: `${first[0]} is read as ${first[1] ?? ''}, with the numbers of its domain`,
      }
    : null;
}
