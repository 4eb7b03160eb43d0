import { count } from '../../base/text.ts';

const units = ['', 'kB', 'MB', 'GB', 'TB'];

/** A number of bytes in decimal units: `1.3 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return count(bytes, 'byte');
  const power = Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(1)} ${units[power]}`;
}
