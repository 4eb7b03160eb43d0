/** A text in a column of numbers: what it should say is not evaluated. */
import { logNames } from '../log-names.ts';
import type { Findings } from './findings.ts';
import type { Slot } from './slot.ts';

/** An error if a column that contracts use had numbers before; headers and units come above the numbers. */
export function textForNumber(findings: Findings, slot: Slot, line: number, text: string, message: string): void {
  const isAsked = Object.hasOwn(logNames, slot.name) && (slot.place === 'log' || slot.place === 'eval');
  const severity = isAsked && slot.lastColumn !== null ? 'error' : 'warning';
  const hint = 'The row counts as one without this value. Log null or NaN instead.';
  findings.atLine('PV-7037', line, text, message, { severity, hint });
}
