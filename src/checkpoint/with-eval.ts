/** Evaluation that cannot leave a model in evaluation mode. */

/** A module with a mode, as in PyTorch and its ports: dropout and normalisation look at `training`. */
export interface TrainableModule {
  training: boolean;
}

/** Evaluations that run now, and the mode to restore, by module. */
const running = new WeakMap<TrainableModule, { count: number; readonly training: boolean }>();

/**
 * Runs `evaluate` with every given module in evaluation mode, and then restores the mode that each one had, also if
 * `evaluate` throws or rejects: both reject the promise. Evaluations may overlap: the last one to end restores the mode. After an
 * `evaluate` that returns no promise, the modes are restored before this returns.
 *
 * Only the modules that are given are switched: pass submodules with a `training` of their own too. Each gets its own mode back,
 * so that a frozen one stays frozen.
 */
export async function withEval<T>(
  modules: TrainableModule | readonly TrainableModule[],
  evaluate: () => T | PromiseLike<T>,
): Promise<T> {
  const switched: TrainableModule[] = [];
  const restore = (): void => switched.forEach(leave);
  let result: T | PromiseLike<T>;
  try {
    for (const module of new Set('training' in modules ? [modules] : modules)) {
      enter(module);
      switched.push(module);
    }
    result = evaluate();
  } catch (error) {
    restore();
    throw error;
  }
  if (!isThenable(result)) {
    restore();
    return result;
  }
  try {
    return await result;
  } finally {
    restore();
  }
}

function enter(module: TrainableModule): void {
  const known = running.get(module);
  const { training } = known ?? module;
  module.training = false;
  if (known) known.count += 1;
  else running.set(module, { count: 1, training });
}

function leave(module: TrainableModule): void {
  const known = running.get(module);
  if (!known) return;
  known.count -= 1;
  if (known.count > 0) return;
  running.delete(module);
  module.training = known.training;
}

const isThenable = <T>(value: T | PromiseLike<T>): value is PromiseLike<T> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
