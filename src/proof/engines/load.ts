/** Which engines a strategy tries, in which order; each is loaded only where it is wanted. */
import type { Engine, EngineId } from './engine.ts';

type SymbolicEngine = Exclude<EngineId, 'exhaustive'>;

const loaders: Readonly<Record<SymbolicEngine, () => Promise<Engine>>> = {
  algebra: async () => (await import('./algebra/algebra-engine.ts')).algebraEngine(),
  weights: async () => (await import('../compositional/weights-engine.ts')).weightsEngine(),
  rounding: async () => (await import('./rounding/rounding-engine.ts')).roundingEngine(),
  interval: async () => (await import('./interval/interval-engine.ts')).intervalEngine(),
  smt: async () => {
    const { smtEngine } = await import('./smt/smt-engine.ts');
    const { createZ3Solver } = await import('./smt/z3-solver.ts');
    return smtEngine(createZ3Solver());
  },
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

/** The engines of a strategy, the best first; `only` keeps one of them, whatever the strategy. */
export function loadEngines(strategy: string, only: string | null): Promise<readonly Engine[]> {
  const every = Object.keys(loaders) as SymbolicEngine[];
  const wanted = only === null ? (orders[strategy] ?? orders['stub_float'] ?? []) : every.filter((id) => id === only);
  return Promise.all(wanted.map((id) => loaders[id]()));
}
