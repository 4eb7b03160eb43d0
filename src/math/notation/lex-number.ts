import type { Lexeme } from './lexeme.ts';
import { unitDivisors, units } from './vocabulary.ts';

const hexadecimal = /0[xX][0-9a-fA-F]{1,64}(?![\p{L}\p{Nd}_])/uy;
// Digit groups with commas only where a comma cannot separate arguments.
const grouped = /[1-9]\d{0,2}(?:,\d{3})+/y;
const plain = /\d+(?:_\d+)*(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?/y;
const scales: ReadonlyMap<string, number> = new Map([
  ['K', 3],
  ['M', 6],
  ['B', 9],
]);
const unitWord = /[ \t]?([A-Za-zµμ]+)(?:\/([a-z]+))?(?![\p{L}\p{Nd}_(])/uy;

/** A number with its scale word and unit: `1e-5`, `65,536`, `1.5B`, `8 ULP`, `32 GB/s`, `5%`. */
export function lexNumber(text: string, at: number, depth: number): Lexeme | null {
  if (!/[\d.]/.test(text.charAt(at))) return null;
  const hex = matchAt(hexadecimal, text, at);
  if (hex !== null) return { kind: 'number', text: BigInt(hex).toString(), end: at + hex.length };
  const digits = (depth === 0 ? groupedAt(text, at) : null) ?? matchAt(plain, text, at);
  if (digits === null) return null;
  let end = at + digits.length;
  let value = digits.replace(/[,_]/g, '').replace('E', 'e').replace('e+', 'e');
  if (value.startsWith('.')) value = `0${value}`;
  const zeros = scales.get(text.charAt(end));
  if (zeros !== undefined && !/[\p{L}\p{Nd}_(['.]/u.test(text.charAt(end + 1))) {
    value = scaled(value, zeros);
    end += 1;
  }
  return withUnit(text, end, value);
}

function withUnit(text: string, end: number, value: string): Lexeme {
  if (text.charAt(end) === '%' && !/[\p{L}\p{Nd}(]/u.test(text.charAt(end + 1)))
    return { kind: 'number', text: value, end: end + 1, unit: '%' };
  unitWord.lastIndex = end;
  const match = unitWord.exec(text);
  const unit = match?.[1] ?? '';
  if (!match || !units.has(unit)) return { kind: 'number', text: value, end };
  const divisor = match[2];
  if (divisor === undefined) return { kind: 'number', text: value, end: unitWord.lastIndex, unit };
  if (unitDivisors.has(divisor))
    return { kind: 'number', text: value, end: unitWord.lastIndex, unit: `${unit}/${divisor}` };
  return { kind: 'number', text: value, end: end + match[0].length - divisor.length - 1, unit };
}

function groupedAt(text: string, at: number): string | null {
  const digits = matchAt(grouped, text, at);
  return digits === null || /^[,.]?\d/.test(text.slice(at + digits.length, at + digits.length + 2)) ? null : digits;
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

/** `value · 10^zeros` as decimal text; exponents are kept as they are written. */
function scaled(value: string, zeros: number): string {
  const [mantissa = '', exponent] = value.split('e');
  if (exponent !== undefined) return `${mantissa}e${String(Number(exponent) + zeros)}`;
  const [whole = '', fraction = ''] = mantissa.split('.');
  const moved = whole + fraction.slice(0, zeros).padEnd(zeros, '0');
  const rest = fraction.slice(zeros);
  const digits = moved.replace(/^0+(?=\d)/, '');
  return rest === '' ? digits : `${digits}.${rest}`;
}
