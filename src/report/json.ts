import { toJsonForm } from '../evidence/json-form.ts';
import type { Report } from './report.ts';

/**
 * The report as data; `report.schema.json` describes it. NaN and infinities are the strings `"NaN"`, `"Infinity"`, `"-Infinity"`.
 */
export function formatJson(report: Report): string {
  return `${JSON.stringify(toJsonForm(report), null, 2).replace(steering, escape)}\n`;
}

/** Characters that JSON does not escape but that control a terminal or reorder a line. They occur only inside strings. */
const steering = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
