/**
 * The TypeScript compiler, loaded when it is first needed: it takes about 0.2 s.
 */
import { createRequire } from 'node:module';
import type * as Morph from 'ts-morph';

export type TypeScript = typeof Morph.ts;

/** Required, since an import of so large a CommonJS module reads all of it once more for its exports: 0.1 s. */
export function loadMorph(): typeof Morph {
  return createRequire(import.meta.url)('ts-morph');
}

/** The compiler that ts-morph bundles, so that one version reads kernels and types. */
export const loadTypeScript = (): TypeScript => loadMorph().ts;
