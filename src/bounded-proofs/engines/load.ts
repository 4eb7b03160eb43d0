/** Which engines a strategy tries, in which order; each is loaded on demand. */
import type { Result } from '../../base/result.ts';
import { engineIds, type Engine, type EngineId } from './engine.ts';

type SymbolicEngine = Exclude<EngineId, 'exhaustive'>;

type Loaded = Engine | { readonly missing: string };

const loaders: Readonly<Record<SymbolicEngine, () => Promise<Loaded>>> = {
  algebra: async () => (await import('./algebra/algebra-engine.ts')).algebraEngine(),
  weights: async () => (await import('../compositional/weights-engine.ts')).weightsEngine(),
  rounding: async () => (await import('./rounding/rounding-engine.ts')).roundingEngine(),
  interval: async () => (await import('./interval/interval-engine.ts')).intervalEngine(),
  smt: async () => {
    const { smtEngine } = await import('./smt/smt-engine.ts');
    const { createZ3Solver } = await import('./smt/z3-solver.ts');
    return smtEngine(createZ3Solver());
  },
  'z3-native': () => ofSystem('z3-native'),
  cvc5: () => ofSystem('cvc5'),
};

/** Exhaustive proofs run the kernel and read no code: they have no engine here. */
const orders: Readonly<Record<string, readonly SymbolicEngine[]>> = {
  stub_float: ['algebra', 'rounding', 'interval', 'smt'],
  compositional: ['algebra', 'weights', 'rounding', 'interval', 'smt'],
  bounded_int: ['smt', 'algebra'],
  interval: ['interval', 'rounding'],
  smt: ['smt'],
  exhaustive: [],
};

async function ofSystem(id: 'z3-native' | 'cvc5'): Promise<Loaded> {
  const { smtEngine } = await import('./smt/smt-engine.ts');
  const { openSystemSolver } = await import('./smt/system-solver.ts');
  const opened = await openSystemSolver(id === 'cvc5' ? 'cvc5' : 'z3');
  return opened.ok ? smtEngine(opened.value, id) : { missing: opened.error };
}

/**
 * The engines of a strategy, best first; `only` selects a single engine, whatever the strategy. The error says that a requested
 * engine is not on this system.
 */
export async function loadEngines(strategy: string, only: string | null): Promise<Result<readonly Engine[], string>> {
  const asked = engineIds.find((id) => id === only);
  const wanted = only === null ? (orders[strategy] ?? orders['stub_float'] ?? []) : asked ? [asked] : [];
  const engines: Engine[] = [];
  for (const id of wanted) {
    if (id === 'exhaustive') continue;
    const loaded = await loaders[id]();
    if ('missing' in loaded) return { ok: false, error: loaded.missing };
    engines.push(loaded);
  }
  return { ok: true, value: engines };
}
