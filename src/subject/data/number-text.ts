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

/** Powers of ten, as dataset and parameter counts use them; `KiB` and other bytes are no counts. */
const scales: Readonly<Record<string, number>> = { K: 3, k: 3, M: 6, B: 9, G: 9, T: 12 };

const words: Readonly<Record<string, number>> = {
  nan: NaN,
  inf: Infinity,
  infinity: Infinity,
  '.nan': NaN,
  '.inf': Infinity,
};

/**
 * The number that `text` says, or null when it says none. `2K` = 2000, `1.5M` = 1.5e6, `2B` = 2e9, `5%` = 0.05,
 * `1_000` and `1,000` = 1000. Scaled decimals are read as one literal (`1.1M` is exactly 1100000).
 */
export function numberFromText(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > 64) return null;
  const direct = literal(trimmed);
  if (direct !== null) return direct;
  const last = trimmed.at(-1) ?? '';
  const head = trimmed.slice(0, -1).trimEnd();
  if (last === '%') return scaled(head, -2);
  const power = scales[last];
  return power === undefined ? null : scaled(head, power);
}

function literal(text: string): number | null {
  if (/\d/.test(text)) {
    if (plain.test(text)) return Number(text.replaceAll('_', ''));
    if (radix.test(text)) return Number(text.replaceAll('_', ''));
    return grouped.test(text) ? Number(text.replaceAll(',', '')) : null;
  }
  const sign = text.startsWith('-') ? -1 : 1;
  const value = words[text.replace(/^[-+]/, '').toLowerCase()];
  return value === undefined ? null : sign * value;
}

function scaled(head: string, power: number): number | null {
  if (!/\d/.test(head) || !plain.test(head)) return null;
  const digits = head.replaceAll('_', '');
  return /[eE]/.test(digits) ? Number(digits) * 10 ** power : Number(`${digits}e${power}`);
}
