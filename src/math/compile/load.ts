/**
 * Emitted text becomes functions by importing it as a module: no `eval`, and the engine compiles it like any other file.
 */
import { invariant } from '../../base/invariant.ts';
import type { CompiledEquation, CompiledGoal } from './compiled.ts';
import { emitEquation, emitGoal } from './emit.ts';
import type { EmitEquationOptions, EquationMathematics, GoalMathematics } from './model.ts';
import { mathematics } from './support.ts';

/**
 * Compiles an equation for calling from here.
 *
 * @throws RangeError when the mathematics is too large; see `equationProblem`.
 */
export async function loadEquation(
  model: EquationMathematics,
  { arithmetic }: Pick<EmitEquationOptions, 'arithmetic'>,
): Promise<CompiledEquation> {
  return create<CompiledEquation>(emitEquation(model, { arithmetic, language: 'js' }));
}

/**
 * Compiles a goal for calling from here.
 *
 * @throws RangeError when the mathematics is too large; see `goalProblem`.
 */
export async function loadGoal(goal: GoalMathematics): Promise<CompiledGoal> {
  return create<CompiledGoal>(emitGoal(goal, { language: 'js' }));
}

async function create<T>(text: string): Promise<T> {
  const url = `data:text/javascript;base64,${Buffer.from(text, 'utf8').toString('base64')}`;
  const module: unknown = await import(/* @vite-ignore */ url);
  invariant(
    typeof module === 'object' && module !== null && 'create' in module && typeof module.create === 'function',
    'an emitted module exports create',
  );
  const made: unknown = module.create(mathematics);
  return made as T;
}
