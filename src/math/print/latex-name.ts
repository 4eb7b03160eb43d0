import { greekWords } from '../notation/vocabulary.ts';

const greekCommands: ReadonlyMap<string, string> = new Map(
  [...greekWords].map(([word, letter]) => [letter, `\\${word}`]),
);
const sets: ReadonlyMap<string, string> = new Map([...'ℝℤℕℚℂ'].map((c) => [c, `\\mathbb{${c.normalize('NFKC')}}`]));
const accents: ReadonlyMap<string, string> = new Map([
  ['\u0302', '\\hat'],
  ['\u0304', '\\bar'],
  ['\u0303', '\\tilde'],
  ['\u0307', '\\dot'],
  ['\u0308', '\\ddot'],
]);

/** A name with its Greek letters, accents, primes and subscripts set as LaTeX: `m_hat_t` → `\hat{m}_{t}`. */
export function latexName(text: string): string {
  const positive = /^(.)(?:(⁺)|_([≥>≤<])0)$/u.exec(text);
  if (positive)
    return `${letters(positive[1] ?? '')}${positive[2] ? '^{+}' : `_{${positive[3] === '≥' ? '\\ge' : positive[3] === '≤' ? '\\le' : (positive[3] ?? '')} 0}`}`;
  const primes = /'*$/.exec(text)?.[0] ?? '';
  const [head = '', ...subs] = text
    .slice(0, text.length - primes.length)
    .split('_')
    .filter((part) => part !== '');
  const mark = { hat: '\\hat', bar: '\\bar', tilde: '\\tilde' }[subs[0] ?? ''];
  const [base, rest] =
    mark !== undefined && head.length > 0 ? [`${mark}{${letters(head)}}`, subs.slice(1)] : [letters(head), subs];
  const under = rest.map(letters).join('\\_');
  return `${base}${primes}${under === '' ? '' : `_{${under}}`}`;
}

function letters(part: string): string {
  const set = sets.get(part);
  if (set !== undefined) return set;
  const letter = greekWords.get(part);
  if (letter !== undefined) return greek(letter);
  const decomposed = [...part.normalize('NFD')];
  if (decomposed.length === 1) return greek(part);
  const accent = accents.get(decomposed[1] ?? '');
  if (decomposed.length === 2 && accent !== undefined) return `${accent}{${greek(decomposed[0] ?? '')}}`;
  if (/^\d+$/.test(part)) return part;
  // Names of several letters are words, not products.
  return `\\mathrm{${[...part].map((c) => (greekCommands.has(c) ? `${greek(c)} ` : latexString(c))).join('')}}`;
}

const greek = (letter: string): string => greekCommands.get(letter) ?? latexString(letter);

const specials: ReadonlyMap<string, string> = new Map([
  ['\\', '\\backslash{}'],
  ['{', '\\{'],
  ['}', '\\}'],
  ['_', '\\_'],
  ['$', '\\$'],
  ['#', '\\#'],
  ['%', '\\%'],
  ['&', '\\&'],
  ['^', '\\hat{}'],
  ['~', '\\sim{}'],
]);

/** Text with LaTeX's special characters escaped. */
export function latexString(text: string): string {
  return [...text].map((c) => specials.get(c) ?? c).join('');
}
