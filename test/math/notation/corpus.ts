import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { parse } from 'yaml';
import { readNotation } from '../../../src/math/notation/read.ts';
import type { FieldRole, Notation } from '../../../src/math/notation/syntax.ts';

/** The fields of a contract that may hold notation, and the role that each needs. */
const fieldRoles = {
  formula: 'formula',
  formal: 'proposition',
  domain: 'domain',
  codomain: 'domain',
  invariants: 'proposition',
  prediction: 'proposition',
} as const satisfies Record<string, FieldRole>;

export type Field = keyof typeof fieldRoles;
export const fields = Object.keys(fieldRoles).filter(isField);

function isField(key: string): key is Field {
  return Object.hasOwn(fieldRoles, key);
}

const root = new URL('../../../../shared/data/', import.meta.url);
const folders = ['contracts-albor/', 'contracts-provable-contracts/'];

/** Every string of each field in the public contracts of `../shared/data`, or null when they are not there. */
export function corpusStrings(): ReadonlyMap<Field, readonly string[]> | null {
  if (!folders.every((folder) => existsSync(new URL(folder, root)))) return null;
  const found = new Map<Field, string[]>(fields.map((field) => [field, []]));
  for (const folder of folders) {
    for (const file of readdirSync(new URL(folder, root)).filter((name) => name.endsWith('.yaml'))) {
      collect(parse(readFileSync(new URL(folder + file, root), 'utf8'), { logLevel: 'silent' }), found);
    }
  }
  return found;
}

function collect(node: unknown, found: ReadonlyMap<Field, string[]>): void {
  if (Array.isArray(node)) {
    for (const item of node) collect(item, found);
  } else if (typeof node === 'object' && node !== null) {
    for (const [key, value] of Object.entries(node)) {
      const strings = isField(key) ? [value].flat().filter((v) => typeof v === 'string') : [];
      if (isField(key)) found.get(key)?.push(...strings);
      if (strings.length === 0) collect(value, found);
    }
  }
}

export interface Tally {
  readonly field: Field;
  readonly total: number;
  readonly math: number;
  readonly partial: number;
  readonly prose: number;
}

/** Reads every string of one field and counts what each turned out to be. */
export function tally(field: Field, strings: readonly string[]): Tally {
  const count: Record<Notation['status'], number> = { math: 0, partial: 0, prose: 0 };
  for (const text of strings) count[readNotation(text, fieldRoles[field]).status] += 1;
  return { field, total: strings.length, ...count };
}

/** The share that is mathematics, whole or with its English tail cut off. */
export const readShare = (t: Tally): number => (t.total === 0 ? 1 : (t.math + t.partial) / t.total);
