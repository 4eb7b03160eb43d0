import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import { expect } from 'vitest';

/** Compares `text` with the golden file. `UPDATE_GOLDEN=1` writes it instead, for a person to review; never in CI. */
export function expectGolden(path: string, text: string): void {
  if (process.env['UPDATE_GOLDEN'] === '1' && !process.env['CI']) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  expect(existsSync(path), `${path} is missing; UPDATE_GOLDEN=1 writes it`).toBe(true);
  expect(text).toBe(readFileSync(path, 'utf8'));
}
