/** Work that may never end, such as a regular expression of someone else's, stopped from outside when its time is over. */
import { createContext, Script } from 'node:vm';

/** Runs `work`; false when it was stopped because it took longer than `limitMs` (a whole number, at least 1). */
export type RunLimited = (work: () => void, limitMs: number) => boolean;

/**
 * A thread of Node's watches the time and ends the evaluation, also within one match of a regular expression. Calls cost
 * tens of microseconds, so work comes in batches. Exceptions of `work` propagate; what it has done when it is stopped remains.
 */
export function createLimiter(): RunLimited {
  const scope: { work: () => void } = { work: () => undefined };
  const context = createContext(scope);
  const script = new Script('work()');
  return (work, limitMs) => {
    scope.work = work;
    try {
      script.runInContext(context, { timeout: limitMs });
      return true;
    } catch (thrown) {
      if (isTimeout(thrown)) return false;
      throw thrown;
    }
  };
}

/** Not every environment has one kind of Error: a test runner's is another. */
function isTimeout(thrown: unknown): boolean {
  return (
    typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
