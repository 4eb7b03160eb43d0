/**
 * The TypeScript compiler, loaded when it is first needed: it takes about 0.3 s.
 */
import type { ts } from 'ts-morph';

/** The compiler's module. */
export type TypeScript = typeof ts;

/** The compiler that ts-morph bundles, so that one version reads kernels and types. */
export async function loadTypeScript(): Promise<TypeScript> {
  const morph = await import('ts-morph');
  return morph.ts;
}
