import { characterClass, classAt, endOfDigits } from './characters.ts';
import type { Lexeme } from './lexeme.ts';
import { unitDivisors, units } from './vocabulary.ts';

const hexadecimal = /0[xX][0-9a-fA-F]{1,64}(?![\p{L}\p{Nd}_])/uy;
// Digit groups with commas only where a comma cannot separate arguments.
const grouped = /[1-9]\d{0,2}(?:,\d{3})+/y;
const plain = /\d+(?:_\d+)*(?:\.\d+)?(?:[eE][+−-]?\d+)?|\.\d+(?:[eE][+−-]?\d+)?/y;
const scales: ReadonlyMap<string, number> = new Map([
  ['K', 3],
  ['M', 6],
  ['B', 9],
]);
const unitWord = /[ \t]?([A-Za-zµμ]+)(?:\/([a-z]+))?(?![\p{L}\p{Nd}_(])/uy;

/** A number with its scale word and unit: `1e-5`, `65,536`, `1.5B`, `8 ULP`, `32 GB/s`, `5%`. */
export function lexNumber(text: string, at: number, depth: number): Lexeme | null {
  const bare = bareNumber(text, at);
  if (bare !== null) return bare;
  if (boldOne.has(text.codePointAt(at)) && text.charAt(at + 2) === '[')
    return { kind: 'number', text: '1', end: at + 2 };
  if (classAt(text, at) !== characterClass.digit && text.charCodeAt(at) !== fullStop) return null;
  const hex = matchAt(hexadecimal, text, at);
  if (hex !== null) return { kind: 'number', text: BigInt(hex).toString(), end: at + hex.length };
  const digits = (depth === 0 ? groupedAt(text, at) : null) ?? matchAt(plain, text, at);
  if (digits === null) return null;
  let end = at + digits.length;
  let value = digits.replace(/[,_]/g, '').replace('−', '-').replace('E', 'e').replace('e+', 'e');
  if (value.startsWith('.')) value = `0${value}`;
  const zeros = scales.get(text.charAt(end));
  if (zeros !== undefined && !/[\p{L}\p{Nd}_(['.]/u.test(text.charAt(end + 1))) {
    value = scaled(value, zeros);
    end += 1;
  }
  return withUnit(text, end, value);
}

const fullStop = 0x2e;
/** 𝟙 and 𝟏, which papers write before the condition of an indicator: `𝟙[p]`. */
const boldOne: ReadonlySet<number | undefined> = new Set([0x1d7d9, 0x1d7cf]);

/** Digits, perhaps with a fraction, if what follows cannot be part of a number, a scale word or a unit. */
function bareNumber(text: string, at: number): Lexeme | null {
  const whole = endOfDigits(text, at);
  if (whole === at) return null;
  const fraction = text.charCodeAt(whole) === fullStop ? endOfDigits(text, whole + 1) : whole;
  const end = fraction > whole + 1 ? fraction : whole;
  return mayGoOn(text, end) ? null : { kind: 'number', text: text.slice(at, end), end };
}

function mayGoOn(text: string, end: number): boolean {
  const code = text.charCodeAt(end);
  if (code === 0x2c) return classAt(text, end + 1) === characterClass.digit;
  if (code === 0x25 || code === 0xb5 || code === 0x3bc) return true;
  const kind = classAt(text, end);
  if (kind !== characterClass.space) return kind === characterClass.letter || kind === characterClass.underscore;
  const unit = text.charCodeAt(end + 1);
  return classAt(text, end + 1) === characterClass.letter || unit === 0xb5 || unit === 0x3bc;
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
