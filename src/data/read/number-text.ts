/**
 * Numbers as people write them in configs and logs: `2K`, `1.5M`, `1_000`, `3e-4`, `5%`, `NaN`, `-inf`.
 */

const plain = /^[-+]?(?=\.?\d)(?:\d+(?:_\d+)*)?(?:\.(?:\d+(?:_\d+)*)?)?(?:[eE][-+]?\d+)?$/;
const radix = /^0(?:x[0-9a-fA-F_]+|o[0-7_]+|b[01_]+)$/;
const grouped = /^[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;

const missing = /^(?:#?n\/?a|<na>|null|none|nil|-{1,3}|\?)$/i;

/** Whether `text` is what tables and loggers write where there is no value: `None`, `null`, `N/A`, `-`. */
export function saysMissing(text: string): boolean {
  return text.length < 8 && missing.test(text.trim());
}

/** What a letter after a number means. */
export type Scales = Readonly<Record<string, number>>;

/** Powers of ten, as dataset and parameter counts use them; `KiB` and other byte units are not counts. */
export const decimalScales: Scales = { K: 1e3, k: 1e3, M: 1e6, B: 1e9, G: 1e9, T: 1e12 };

/** Those of entrenar (`config/schema/shorthand`): sizes in powers of two, tokens and parameters in powers of ten. */
export const binaryScales: Scales = {
  K: 2 ** 10,
  k: 2 ** 10,
  M: 2 ** 20,
  m: 2 ** 20,
  G: 2 ** 30,
  g: 2 ** 30,
  B: 1e9,
  b: 1e9,
  T: 1e12,
  t: 1e12,
};

const words: Readonly<Record<string, number>> = {
  nan: NaN,
  inf: Infinity,
  infinity: Infinity,
  '.nan': NaN,
  '.inf': Infinity,
};

/**
 * The number that `text` says, or null if it says none. `2K` = 2000, `1.5M` = 1.5e6, `2B` = 2e9, `5%` = 0.05,
 * `1_000` and `1,000` = 1000. Decimals scaled by powers of ten are read as one literal (`1.1M` is exactly 1100000).
 */
export function numberFromText(text: string, scales: Scales = decimalScales): number | null {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > 64) return null;
  const direct = literal(trimmed);
  if (direct !== null) return direct;
  const last = trimmed.at(-1) ?? '';
  const head = trimmed.slice(0, -1).trimEnd();
  if (last === '%') return scaled(head, 0.01);
  const scale = scales[last];
  return scale === undefined ? null : scaled(head, scale);
}

/** The number that trainers read, which know neither letters for thousands nor percent: `1_000`, `3e-4`, `0x10`; null for `2K`. */
export function numberInDigits(text: string): number | null {
  const trimmed = text.trim();
  return trimmed.length > 64 || trimmed.includes(',') ? null : literal(trimmed);
}

/** Composer writes durations with their unit: `4800ba` are batches, `2ep` epochs. */
const durations: Readonly<Record<string, string>> = { steps: 'ba', epochs: 'ep', tokens: 'tok', sequences: 'sp' };

/** The number in a text such as `4800ba`, if its unit is that of `unit`; any other value unchanged. */
export function withoutUnit<T>(value: T, unit: string | null): T | string {
  const suffix = unit === null ? undefined : durations[unit];
  if (typeof value !== 'string' || suffix === undefined || !value.endsWith(suffix)) return value;
  return value.slice(0, -suffix.length);
}

const microsoft = /^([-+]?)(?:1\.#(?:(inf)|ind|qnan|snan)\d*|nan\((?:ind|snan)\))$/i;

/** What C of Microsoft prints for values that are not finite: `-1.#IND`, `1.#QNAN`, `1.#INF`, `-nan(ind)`. */
function microsoftNumber(text: string): number | null {
  const match = microsoft.exec(text);
  if (!match) return null;
  return match[2] === undefined ? NaN : match[1] === '-' ? -Infinity : Infinity;
}

function literal(text: string): number | null {
  if (text.includes('#') || text.includes('(')) return microsoftNumber(text);
  if (/\d/.test(text)) {
    if (plain.test(text)) return Number(text.replaceAll('_', ''));
    if (radix.test(text)) return Number(text.replaceAll('_', ''));
    return grouped.test(text) ? Number(text.replaceAll(',', '')) : null;
  }
  const sign = text.startsWith('-') ? -1 : 1;
  const value = words[text.replace(/^[-+]/, '').toLowerCase()];
  return value === undefined ? null : sign * value;
}

function scaled(head: string, scale: number): number | null {
  if (!/\d/.test(head) || !plain.test(head)) return null;
  const digits = head.replaceAll('_', '');
  const power = Math.log10(scale);
  if (!Number.isInteger(power)) return Math.trunc(Number(digits) * scale);
  return /[eE]/.test(digits) ? Number(digits) * scale : Number(`${digits}e${power}`);
}
