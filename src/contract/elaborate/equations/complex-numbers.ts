/** Formulas over complex numbers, which pv does not compute: read as an input, the imaginary unit would be any number. */
import type { Equation } from '../../contract.ts';
import { textMentions } from '../context/syntax-parts.ts';
import { symbolOf } from './symbol-of.ts';

const complexType = /ℂ|\bcomplex(?:32|64|128)?(?:\b|(?=_))/iu;
const unit = String.raw`[ij](?![\p{L}\p{N}_(])`;
const pi = String.raw`(?:π|(?<![\p{L}_])pi(?![\p{L}\p{N}_]))`;
const times = String.raw`\s*[*·×]?\s*`;
/** `exp(-2πi·k·n / N)`, `e^{i·2π·f·t}`. */
const imaginary = new RegExp(
  String.raw`(?:\bexp\s*\(|\be\^\s*[({]?)[^()]*(?:${pi}${times}${unit}|(?<![\p{L}\p{N}_])[ij]${times}(?:\d+${times})?${pi})`,
  'u',
);

/** Whether the texts of an equation speak of complex numbers, or it uses what one of `others` computes that does. */
export function isAboutComplex(equation: Equation, others: readonly Equation[]): boolean {
  const symbols = others.filter(isComplex).flatMap((other) => [...declaredIn(other), symbolOf(other) ?? []].flat());
  const isOne = (name: string): boolean => symbols.some((symbol) => name === symbol || name.startsWith(`${symbol}_`));
  return isComplex(equation) || textMentions(equation.formula, isOne);
}

/** X of `X ∈ ℂ^N`, `X: Complex64^N`. */
const declaredIn = ({ domain, codomain }: Equation): readonly string[] =>
  [domain, codomain].flatMap((text) => {
    const found = text?.text.matchAll(/([\p{L}][\p{L}\p{N}_]*)\s*(?:∈|\bin\b|:)\s*(?:ℂ|Complex)/gu) ?? [];
    return [...found].flatMap(([, name = '']) => name);
  });

function isComplex({ formula, domain, codomain }: Equation): boolean {
  return (
    imaginary.test(formula.text) || [domain, codomain].some((text) => text !== null && complexType.test(text.text))
  );
}
