/**
 * Kernels on values that are not known: every output element as an expression of the input, and the conditions under
 * which the code meets no fault on the way.
 *
 * Loops are unrolled; where a condition depends on the input both ways are followed and merged. Under the reading
 * `float32` the expressions say bit for bit what the ref32 backend computes wherever all conditions hold, except for the
 * sign of zero, which real numbers do not have.
 */
import { err, ok, type Result } from '../../base/result.ts';
import { depthsOf, type Depth } from '../../subject/kernel-depths.ts';
import type { KernelFunction, KernelStatement } from '../../subject/kernel-syntax.ts';
import { countersOf } from '../../subject/whole-arithmetic.ts';
import { GraphTooLarge, type Graph, type NumberExpression } from '../expression.ts';
import type { Reading } from '../problem.ts';
import { toFloat32 } from './arithmetic.ts';
import { float32Test, wholeTest } from './by-construction.ts';
import { refuse, safetyConditions, type Execution } from './execution.ts';
import { outputName, threadName, type Env } from './expressions.ts';
import type { Executed, KernelArgument, SymbolicCall, Unsupported } from './kernel-call.ts';
import { conditionOf } from './path.ts';
import { executeBlock, type Exits } from './statements.ts';
import { choose, expressionOf, numberOf, settled, type NumberValue, type Value } from './value.ts';

/** How float32 code is read, and how far loops run. */
export interface ExecuteOptions {
  readonly reading: Reading;
  /** Rounds after which gpu.js cuts a loop: `loopMaxIterations` of the program. */
  readonly loopMax: number;
}

/** Statements and rounds of loops of one execution, over all threads: some seconds of work. */
const mostSteps = 4_000_000;

/** Executes every thread of one call of `kernel`. */
export function executeKernel(
  graph: Graph,
  kernel: KernelFunction,
  call: SymbolicCall,
  { reading, loopMax }: ExecuteOptions,
): Result<Executed, Unsupported> {
  const misfit = misfitOf(kernel, call);
  if (misfit !== null) return err({ place: null, message: misfit });
  const execution: Execution = {
    graph,
    reading,
    loopMax,
    counters: countersOf(kernel.body),
    arrays: new Map(kernel.parameters.flatMap(({ name }, i) => arrayNamed(name, call.arguments[i]))),
    isWhole: wholeTest(call.wholeVariables),
    isFloat32: float32Test(),
    safety: new Map(),
    problem: null,
    steps: mostSteps,
  };
  try {
    const outputs = executeThreads(execution, kernel, call);
    if (execution.problem) return err(execution.problem);
    return ok({ outputs, safety: safetyConditions(graph, execution.safety) });
  } catch (problem) {
    if (!(problem instanceof GraphTooLarge)) throw problem;
    return err({ place: null, message: `too large: the kernel at these sizes has ${problem.message}` });
  }
}

function misfitOf(kernel: KernelFunction, { arguments: args, outputShape }: SymbolicCall): string | null {
  if (args.length !== kernel.parameters.length)
    return `${kernel.name} has ${kernel.parameters.length} parameters and was given ${args.length} values`;
  const wrong = kernel.parameters.find(({ rank }, i) => rankOf(args[i]) !== rank);
  if (wrong) return `\`${wrong.name}\` of ${kernel.name} has rank ${wrong.rank} and was given another value`;
  if (outputShape.length > 3) return `an output of rank ${outputShape.length} has more than three axes`;
  return outputShape.every((size) => Number.isSafeInteger(size) && size >= 0)
    ? null
    : `[${outputShape.join(', ')}] is not a shape`;
}

function rankOf(argument: KernelArgument | undefined): number {
  return argument?.kind === 'array' ? argument.shape.length : 0;
}

function arrayNamed(
  name: string,
  argument: KernelArgument | undefined,
): [string, Extract<KernelArgument, { kind: 'array' }>][] {
  return argument?.kind === 'array' ? [[name, argument]] : [];
}

/** Work that does not depend on the thread is done once, as ref32 does it. */
function executeThreads(execution: Execution, kernel: KernelFunction, call: SymbolicCall): readonly NumberExpression[] {
  const [ox, oy, oz] = [call.outputShape.at(-1) ?? 1, call.outputShape.at(-2) ?? 1, call.outputShape.at(-3) ?? 1];
  const outputs: NumberExpression[] = [];
  if (ox * oy * oz === 0) return outputs;
  const parts = statementsByDepth(kernel.body);
  const once = startOf(execution, kernel, call);
  for (const [axis, size] of [
    ['x', ox],
    ['y', oy],
    ['z', oz],
  ] as const)
    once.set(outputName(axis), size);
  // What is done before a thread's own part never returns, so that its one way continues.
  const run = (depth: Depth, env: Env): Env =>
    executeBlock(execution, parts[depth], { path: null, env }, noExits())?.env ?? env;
  const ofCall = run(0, once);
  for (let z = 0; z < oz; z++) {
    const ofZ = run(1, new Map(ofCall).set(threadName('z'), z));
    for (let y = 0; y < oy; y++) {
      const ofY = run(2, new Map(ofZ).set(threadName('y'), y));
      for (let x = 0; x < ox && execution.problem === null; x++)
        outputs.push(executeThread(execution, kernel, parts[3], new Map(ofY).set(threadName('x'), x)));
    }
  }
  return outputs;
}

type Parts = Readonly<Record<Depth, readonly KernelStatement[]>>;

function statementsByDepth(body: readonly KernelStatement[]): Parts {
  const depths = depthsOf(body);
  const at = (depth: Depth): readonly KernelStatement[] => body.filter((_, i) => depths[i] === depth);
  return { 0: at(0), 1: at(1), 2: at(2), 3: at(3) };
}

const noExits = (): Exits => ({ returns: [], breaks: [], continues: [] });

/** The scalar parameters. */
function startOf(execution: Execution, { parameters }: KernelFunction, call: SymbolicCall): Env {
  const env: Env = new Map();
  parameters.forEach(({ name }, i) => {
    const argument = call.arguments[i];
    if (argument?.kind === 'scalar') env.set(name, settled(execution, argument.value));
  });
  return env;
}

function executeThread(
  execution: Execution,
  kernel: KernelFunction,
  statements: readonly KernelStatement[],
  env: Env,
): NumberExpression {
  const { graph } = execution;
  const exits = noExits();
  const end = executeBlock(execution, statements, { path: null, env }, exits);
  if (end !== null) refuse(execution, null, `${kernel.name} can end without returning a value`);
  const value = exits.returns.reduceRight<Value | null>((after, returned) => {
    const kept = stored(execution, returned);
    return after === null ? kept : choose(execution, conditionOf(graph, returned.path), kept, after, returned.place);
  }, null);
  const place = kernel.body[0]?.place ?? { line: 1, column: 1 };
  return expressionOf(execution, numberOf(execution, value ?? 0), place);
}

/** What the output keeps: float32 under the reading `float32`. */
function stored(execution: Execution, { path, value, place }: Exits['returns'][number]): NumberValue {
  const number = numberOf(execution, value);
  return execution.reading === 'float32'
    ? toFloat32(execution, number, { path, place, text: () => 'what is returned' })
    : number;
}
