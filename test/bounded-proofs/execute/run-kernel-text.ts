import { print } from '../notation.ts';
import type { Reading } from '../../../src/bounded-proofs/problem.ts';
import { run, type Shapes } from './run-kernel.ts';

/** What is computed, and what must hold for it; or why it cannot be followed. */
export type Outcome =
  { readonly outputs: readonly string[]; readonly safety?: readonly string[] } | { readonly refused: string };

/** `kind at line:column text ⟸ condition`; the body starts on line 2. */
export async function outcomeOf(
  body: string,
  parameters: Shapes,
  { reading, outputShape, loopMax }: { reading?: Reading; outputShape?: readonly number[]; loopMax?: number } = {},
): Promise<Outcome> {
  const { result } = await run(body, parameters, outputShape, {
    ...(reading ? { reading } : {}),
    ...(loopMax === undefined ? {} : { loopMax }),
  });
  if (!result.ok) return { refused: result.error.message };
  const { outputs, safety } = result.value;
  const conditions = safety.map(
    ({ kind, place, text, condition }) => `${kind} ${place.line}:${place.column} ${text} ⟸ ${print(condition)}`,
  );
  return { outputs: outputs.map(print), ...(conditions.length === 0 ? {} : { safety: conditions }) };
}
