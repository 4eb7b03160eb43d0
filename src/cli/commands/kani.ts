import { join, resolve, sep } from 'node:path';
import { proofReports } from '../../audit/proofs.ts';
import type { Result } from '../../base/result.ts';
import {
  defaultBound,
  harnessesOf,
  proofStrategies,
  type Harness,
  type ProofStrategy,
} from '../../contract/harnesses.ts';
import type { Contract } from '../../contract/contract.ts';
import { diagnostic } from '../../diagnostics/diagnostic.ts';
import { engineIds, type EngineId } from '../../bounded-proofs/engines/engine.ts';
import { loadEngines } from '../../bounded-proofs/engines/load.ts';
import { allStand, proofsText } from '../../report/proofs/text.ts';
import { print, say } from '../cli.ts';
import { runFlags, type RunFlags } from '../audit-flags.ts';
import { reproveCommand } from '../../api/command-line.ts';
import { defineCommand } from '../command.ts';
import { exitCodes } from '../../api/exit-code.ts';
import { formatFlag } from '../flags.ts';
import { integerBetween } from '../number-parsers.ts';
import { reportPaint } from '../report-paint.ts';
import { sayDiagnostics } from '../say-diagnostics.ts';
import { auditPaths, sayRun } from '../run-audit.ts';

type KaniFlags = Pick<RunFlags, 'binding' | 'claim' | 'jobs' | 'budget' | 'timeout' | 'fresh' | 'quiet' | 'seed'> & {
  readonly bound?: number;
  readonly engine?: EngineName;
  readonly strategy?: ProofStrategy;
  readonly format: 'text' | 'json';
};

/** An engine, or z3, the solver that comes with pv. */
type EngineName = EngineId | 'z3';

const engineNamed = (name: EngineName): EngineId => (name === 'z3' ? 'smt' : name);

/** Larger bounds are sizes of models, not of proofs. */
const largestBound = 1_000_000;

/** `pv kani PATHS…`: proves obligations of kernels for every input up to a bound. */
export const kani = defineCommand<KaniFlags, readonly string[]>({
  description:
    'Proves obligations about the code of their kernels for every input up to a bound: the code is executed symbolically, in\n' +
    'float32 with one rounding per operation, and engines decide each statement. Runs the harnesses that a contract declares,\n' +
    'and one per obligation for a contract that declares none. `unknown` is never `proved`. Exits with 1 unless every proof\n' +
    'holds, and one for each claim covers every combination of sizes up to its bound.',
  examples: [
    ['pv kani contracts/softmax-kernel-v1.yaml', 'The proofs that the contract requires'],
    ['pv kani contracts/softmax-kernel-v1.yaml --bound 4 --claim SM-INV-001', 'One obligation, for sizes up to 4'],
    ['pv kani contracts --engine smt --timeout 30s', 'With one engine only'],
    ['pv kani contracts/softmax-kernel-v1.yaml --engine cvc5', 'With a solver that the system has'],
  ],
  flags: {
    binding: runFlags.binding,
    claim: runFlags.claim,
    jobs: runFlags.jobs,
    budget: runFlags.budget,
    timeout: runFlags.timeout,
    fresh: runFlags.fresh,
    quiet: runFlags.quiet,
    seed: runFlags.seed,
    bound: {
      kind: 'parsed',
      parse: integerBetween(1, largestBound),
      placeholder: 'n',
      brief: 'The largest value of every size, in place of what the contract says',
      optional: true,
    },
    engine: { kind: 'enum', values: [...engineIds, 'z3'], brief: 'Only this engine; z3 is smt', optional: true },
    strategy: {
      kind: 'enum',
      values: proofStrategies,
      brief: 'How to prove, in place of what the contract says',
      optional: true,
    },
    format: formatFlag(['text', 'json']),
  },
  positional: {
    kind: 'array',
    minimum: 1,
    parameter: { brief: 'A contract file, or a folder with contracts', placeholder: 'path', parse: String },
  },
  run: async (cli, flags, ...paths) => {
    const { format } = flags;
    const engine = flags.engine && engineNamed(flags.engine);
    const solver = await systemSolver(engine);
    if (!solver.ok) {
      sayDiagnostics(cli, [
        diagnostic('PV-6036', null, solver.error, { hint: '`--engine smt` asks the z3 that comes with pv' }),
      ]);
      return exitCodes.usage;
    }
    const run: RunFlags = { ...flags, minLevel: 'L0', allowWaived: false, format: 'text' };
    const harnesses = (contract: Contract): readonly Harness[] =>
      isNamed(contract.path, paths) ? asked(contract, flags) : harnessesOf(contract);
    const outcome = await auditPaths(cli, paths, run, run, {
      methods: new Set(['bounded']),
      ofContract: (path) => isNamed(path, paths),
      bounded: {
        engine: engine ?? null,
        ...(solver.value === null ? {} : { engineVersion: solver.value }),
        harnesses,
      },
    });
    if (!outcome.ok) return outcome.exitCode;
    const { plan, run: ran, report } = outcome.audit;
    const binding = outcome.project.binding?.path ?? null;
    const named = {
      ...plan,
      contracts: plan.contracts.filter(({ elaborated }) => isNamed(elaborated.contract.path, paths)),
    };
    const reports = proofReports({
      plan: named,
      receipts: ran?.receipts ?? [],
      report,
      harnesses,
      reproduce: (goal, path) => reproveCommand(goal, { ...flags, ...(engine ? { engine } : {}), path, binding }),
    });
    const errors = report.findings.filter(({ severity }) => severity === 'error');
    if (format === 'json') {
      print(cli, `${JSON.stringify({ schema: 'pv.proofs/1', proofs: reports, findings: errors }, null, 2)}\n`);
    } else {
      const { color, columns } = cli.process.stdout;
      print(cli, proofsText(reports, errors, { paint: reportPaint(color), width: columns }));
    }
    if (!flags.quiet) sayRun(cli, outcome.audit);
    if (reports.length === 0)
      say(cli, 'pv: no obligation is about the code of a bound kernel, so there is nothing to prove');
    if (ran && ran.skipped > 0) return exitCodes.budget;
    return allStand(reports) && errors.length === 0 ? exitCodes.ok : exitCodes.findings;
  },
});

/** Whether the command line gives the contract or its folder; others were read because these depend on them. */
function isNamed(path: string, paths: readonly string[]): boolean {
  const place = resolve(path);
  return paths.map((each) => resolve(each)).some((each) => place === each || place.startsWith(join(each, sep)));
}

/** The version of the requested installed solver, or why there is none; null if none was requested. */
async function systemSolver(engine: EngineId | undefined): Promise<Result<string | null, string>> {
  if (engine !== 'z3-native' && engine !== 'cvc5') return { ok: true, value: null };
  const loaded = await loadEngines('smt', engine);
  return loaded.ok ? { ok: true, value: loaded.value.map(({ version }) => version).join() } : loaded;
}

/**
 * What the contract declares, overridden by the command line. A contract that declares nothing gets one proof per obligation,
 * and so does a claim that is requested by name.
 */
function asked(contract: Contract, { bound, strategy, claim }: KaniFlags): readonly Harness[] {
  const declared = harnessesOf(contract);
  const has = (id: string): boolean => declared.some(({ obligation }) => obligation === id);
  const harnesses = [
    ...declared,
    ...contract.obligations
      .filter(({ id }) => (claim === undefined ? declared.length === 0 : id === claim && !has(id)))
      .map(({ id, span }): Harness => ({
        id,
        obligation: id,
        strategy: 'auto',
        bound: defaultBound,
        timeout: null,
        span,
      })),
  ];
  return harnesses.map(({ sizes, ...harness }) => ({
    ...harness,
    ...(sizes && bound === undefined ? { sizes } : {}),
    bound: bound ?? harness.bound,
    // Claims that replace kernels are proved in their own contracts; a contract without parts has none.
    strategy:
      strategy === 'compositional' && contract.dependsOn.length === 0
        ? harness.strategy
        : (strategy ?? harness.strategy),
  }));
}
