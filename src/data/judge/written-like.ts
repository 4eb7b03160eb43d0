/** A number in the file's own style, so that a fix can be typed in place of the old value. */

const parts = /^([-+]?)(\d[\d_,]*(?:\.\d*)?|\.\d+)([eE][-+]?\d+)?(\s*)([A-Za-z%]*)$/;

/** `5%` and 0.1 give `10%`, `4800ba` and 20000 `20000ba`, `1_000` and 20000 `20_000`, `3e-4` and 0.0005 `5e-4`. */
export function writtenLike(text: string, value: number, becomes: number): string {
  const [, , digits = '', exponent = '', space = '', suffix = ''] = parts.exec(text.trim()) ?? [];
  if (digits === '') return String(becomes);
  const grouping = digits.includes('_') ? '_' : /,\d{3}/.test(digits) ? ',' : '';
  const plain = Number(`${digits.replaceAll(/[_,]/g, '')}${exponent}`);
  // How much `%` or `K` is worth shows in the old value, unless that is 0: `0%` and 0.1 give `0.1`.
  if (plain === 0 && suffix.length === 1) return grouped(String(becomes), grouping);
  const scale = suffix === '' || plain === 0 ? 1 : Math.abs(value) / plain;
  const scaled = Number((becomes / scale).toPrecision(12));
  // A number that the suffix cannot express in a few digits is written without it: 5031 where `1K` is 1024.
  if (scale !== 1 && String(scaled).length > 8) return grouped(String(becomes), grouping);
  const shown = exponent === '' ? grouped(String(scaled), grouping) : exponential(scaled);
  return `${shown}${suffix === '' ? '' : space}${suffix}`;
}

function grouped(digits: string, grouping: string): string {
  if (grouping === '' || /e/.test(digits)) return digits;
  const [whole = '', fraction] = digits.split('.');
  const inGroups = whole.replaceAll(/(?<=\d)(?=(?:\d{3})+$)/g, grouping);
  return fraction === undefined ? inGroups : `${inGroups}.${fraction}`;
}

function exponential(value: number): string {
  return value.toExponential().replace('e+', 'e');
}
