/** Range checks of numeric settings: PV-8403 names the setting, its value and what was expected. */
import { trainingError } from './training-error.ts';

/** Throws unless low ≤ value < high. */
export function within(name: string, value: number, low: number, high: number): void {
  if (!(value >= low && value < high)) refuse(name, value, `in [${low}, ${high})`);
}

/** Throws unless the value is finite and ≥ 0. */
export function notNegative(name: string, value: number): void {
  if (!(value >= 0 && Number.isFinite(value))) refuse(name, value, 'a finite number ≥ 0');
}

/** Throws unless the value is finite and > 0. */
export function positive(name: string, value: number): void {
  if (!(value > 0 && Number.isFinite(value))) refuse(name, value, 'a finite number > 0');
}

/** Throws unless the value is a whole number from `least` up. */
export function wholeFrom(least: number, name: string, value: number): void {
  if (!(Number.isSafeInteger(value) && value >= least)) refuse(name, value, `a whole number ≥ ${least}`);
}

/** Throws PV-8403 for a setting. */
export function refuse(name: string, value: number, expected: string): never {
  throw trainingError({ code: 'PV-8403', check: 'settings', message: `${name} is ${value}; it must be ${expected}.` });
}
