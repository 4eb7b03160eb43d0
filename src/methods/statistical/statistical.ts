/**
 * Statistical claims: means, variances and probabilities over seeded draws of the random inputs.
 *
 * Green means that every confidence interval lies within the tolerance. The probability that any interval of one claim misses
 * is at most alpha, which is divided among them (Bonferroni), so that many indices do not make a claim easier to pass or fail.
 */
import type { RecordedInput, StatisticRecord } from '../../evidence/receipt.ts';
import type { Verdict } from '../../evidence/verdict.ts';
import type { Case } from '../../math/compile/compiled.ts';
import { seekStream, streamAt, streamKey } from '../../numeric/xoshiro.ts';
import { recordInput } from '../../runtime/case-text.ts';
import { BLOCK_SIZE, createGenerator, type CaseBuffer, type CaseGenerator } from '../../runtime/generate/generator.ts';
import { breathe } from '../runs/breathe.ts';
import { openExecutor, type CaseExecutor, type ExecutionRequest } from '../runs/execute.ts';
import { buildOutcome, counterexampleFrom, undetermined, withinLimits, type PropertyOutcome } from '../runs/outcome.ts';
import { uniformDraw, type Draw } from './draw.ts';
import { judgeSample, type Judged } from './judge.ts';
import type { LoadedStatistics } from './load.ts';
import { accumulate, emptyAccumulator, type Accumulator } from './moments.ts';
import { emptyTally, gradeTally, keepCase, note, type Tally } from '../runs/tally.ts';

/** A statistical claim, and how many draws to make. */
export interface StatisticalRequest extends ExecutionRequest {
  readonly statistics: LoadedStatistics;
  readonly seed: number;
  /** Draws per setting, instead of those that the claim requires. */
  readonly draws?: number;
  readonly expired?: () => boolean;
}

/** Tests the draws of every setting against the claim; ends at the first setting that refutes it. */
export async function runStatistical(request: StatisticalRequest): Promise<PropertyOutcome> {
  const { goal, seed, statistics } = request;
  const draws = request.draws ?? statistics.draws;
  const declared = draws * statistics.settings;
  const executor = openExecutor(request);
  if ('missing' in executor) return undetermined(request, seed, declared, `no kernel is open for ${executor.missing}`);
  const generator = createGenerator(goal.domain, seed, goal.id);
  if (!generator.ok) return undetermined(request, seed, declared, generator.error);
  const draw = uniformDraw(generator.value.plan, statistics.random);
  if (!draw.ok) return undetermined(request, seed, declared, draw.error);
  const run: Run = { request, executor, generator: generator.value, draw: draw.value, draws, tally: emptyTally() };
  const attempt = await withinLimits(() => runSettings(run));
  return attempt.ok ? attempt.value : undetermined(request, seed, declared, attempt.error);
}

interface Run {
  readonly request: StatisticalRequest;
  readonly executor: CaseExecutor;
  readonly generator: CaseGenerator;
  readonly draw: Draw;
  readonly draws: number;
  readonly tally: Tally;
}

async function runSettings(run: Run): Promise<PropertyOutcome> {
  const { request, tally } = run;
  const { statistics, goal } = request;
  const found: SettingFound[] = [];
  let stopped = false;
  for (let setting = 0; setting < statistics.settings && !stopped; setting++) {
    const base = settingAt(run, setting);
    if (base === null) continue;
    const sums = await sample(run, setting, base);
    stopped = request.expired?.() ?? false;
    if (sums === null || stopped || tally.broken || tally.unsupported !== null) break;
    const judged = judge(run, base, sums);
    found.push({ input: recordInput(goal.domain, base), judged });
    if (judged.some((all) => all.some(({ position }) => position === 'outside'))) break;
  }
  return conclude(run, found, stopped);
}

/** How many cases are generated to find one that satisfies the preconditions. */
const TRIES = 64;

/** The inputs that are fixed for all draws of a setting: the smallest sizes, the largest, then any. */
function settingAt({ generator, request }: Run, setting: number): Case | null {
  for (let i = 0; i < TRIES; i++) {
    // The first case of a block has the simplest values; later settings take the following ones.
    const candidate = generator.at(setting * generator.blockSize + i);
    if (candidate && request.compiled.precondition(candidate.sizes, candidate.values)) return keepCase(candidate);
  }
  return null;
}

/** The sums of every comparison, element by element; null if no draw ran to its end. */
async function sample(run: Run, setting: number, base: Case): Promise<readonly (readonly Accumulator[])[] | null> {
  const { request, executor, draw, draws, tally } = run;
  const { comparisons } = request.statistics;
  const key = streamKey(request.seed, `${request.goal.id}/draws`);
  const stream = streamAt(key, 0);
  const buffers = Array.from({ length: executor.width }, () => bufferOf(base));
  const sums = comparisons.map((): Accumulator[] => []);
  for (let from = 0; from < draws && !request.expired?.(); from += BLOCK_SIZE) {
    const source = (position: number): Case | null => {
      const buffer = buffers[position % buffers.length];
      if (!buffer) return null;
      seekStream(key, setting * draws + from + position, stream);
      draw(buffer, stream);
      return buffer;
    };
    const running = executor.run(Math.min(BLOCK_SIZE, draws - from), source, (status, _position, candidate) => {
      const goOn = note(tally, status, candidate, executor.outcome);
      if (status === 'held' && candidate) addDraw(request.statistics, sums, candidate, executor);
      return goOn;
    });
    if (running) await running;
    if (tally.broken || tally.unsupported !== null) return null;
    // Lets timers and signals run.
    await breathe();
  }
  return sums.some(({ length }) => length === 0) ? null : sums;
}

function bufferOf({ sizes, values }: Case): CaseBuffer {
  return { sizes, values: values.map((value) => (typeof value === 'object' ? value.slice() : value)) };
}

function addDraw(
  { comparisons }: LoadedStatistics,
  sums: readonly Accumulator[][],
  { sizes, values }: Case,
  { outcome }: CaseExecutor,
): void {
  const arguments_ = [...values, ...outcome.outputs];
  comparisons.forEach((comparison, at) => {
    const into = sums[at] ?? [];
    const numbers = comparison.sample(sizes, arguments_);
    while (into.length < numbers.length) into.push(emptyAccumulator());
    for (let i = 0; i < numbers.length; i++) accumulate(into[i] ?? emptyAccumulator(), numbers[i] ?? Number.NaN);
  });
}

/** The share of alpha for one interval of a setting. */
function shareOf({ statistics }: StatisticalRequest, sums: readonly (readonly Accumulator[])[]): number {
  const elements = sums.reduce((total, one) => total + one.length, 0);
  return statistics.alpha / statistics.settings / Math.max(1, elements);
}

function judge({ request, executor }: Run, base: Case, sums: readonly (readonly Accumulator[])[]): Judgement {
  const alpha = shareOf(request, sums);
  const values = [...base.values, ...executor.outcome.outputs];
  return request.statistics.comparisons.map((comparison, at) => {
    const target = comparison.target(base.sizes, values);
    const allowed = comparison.allowed && comparison.allowed(base.sizes, values);
    return judgeSample(comparison, sums[at] ?? [], { target, allowed }, alpha).map((one) => ({ ...one, alpha }));
  });
}

/** Per comparison: every element. */
type Judgement = readonly (readonly (Judged & { readonly alpha: number })[])[];

interface SettingFound {
  readonly input: RecordedInput;
  readonly judged: Judgement;
}

async function conclude(run: Run, found: readonly SettingFound[], stopped: boolean): Promise<PropertyOutcome> {
  const { request, tally, executor, generator, draws } = run;
  const { statistics, seed } = request;
  const { broken } = tally;
  const { plan } = generator;
  const counterexample =
    broken && (await counterexampleFrom({ request, executor, plan, broken, budget: 0, expired: request.expired }));
  const declaredCases = draws * statistics.settings;
  const parts = { request, tally, seed, declaredCases, replayed: 0, stopped, foundIndex: null };
  const records = recordsOf(statistics, found);
  const outcome = { ...buildOutcome({ ...parts, counterexample }), statistics: records };
  if (counterexample) return outcome;
  const refuted = records.find(({ outside }) => outside > 0);
  if (refuted) {
    const explanation = `${refuted.comparison}: ${sentence(refuted)}`;
    const outputs = request.goal.applications.map(() => 'another output for every draw');
    const example = { input: refuted.worst.input, explanation, shrinks: 0, outputs };
    return { ...outcome, verdict: 'falsified', reason: explanation, counterexample: example };
  }
  return { ...outcome, ...gradeOf(records, gradeTally(tally, declaredCases, stopped), found, statistics) };
}

interface Graded {
  readonly verdict: Verdict;
  readonly reason: string | null;
}

function gradeOf(
  records: readonly StatisticRecord[],
  grade: Graded,
  found: readonly SettingFound[],
  { settings }: LoadedStatistics,
): Graded {
  if (grade.verdict !== 'tested') return grade;
  if (found.length < settings)
    return { verdict: 'incomplete', reason: `${found.length} of ${settings} settings satisfy the preconditions` };
  const open = records.find(({ within, intervals }) => within < intervals);
  if (!open) return grade;
  return { verdict: 'undetermined', reason: `${open.comparison}: ${sentence(open)}; more draws would decide` };
}

/** One record per comparison: how many intervals, and the one that reaches furthest. */
function recordsOf({ comparisons }: LoadedStatistics, found: readonly SettingFound[]): readonly StatisticRecord[] {
  return comparisons.flatMap((comparison, at) => {
    const all = found.flatMap(({ input, judged }) => (judged[at] ?? []).map((one) => ({ ...one, input })));
    const rank = { within: 0, open: 1, outside: 2 } as const;
    const [worst] = all.toSorted((a, b) => rank[b.position] - rank[a.position] || b.reach - a.reach);
    if (!worst) return [];
    const { estimate, low, high, target, allowed, element, alpha, input } = worst;
    const count = (position: Judged['position']): number => all.filter((one) => one.position === position).length;
    return [
      {
        comparison: comparison.text,
        statistic: comparison.statistic,
        relation: comparison.relation,
        intervals: all.length,
        within: count('within'),
        outside: count('outside'),
        worst: { estimate, low, high, target, allowed, element, alpha, input },
      },
    ];
  });
}

const short = (x: number): string => String(Number(x.toPrecision(6)));

/** e.g. `the mean is 0.43 in [0.42, 0.44] with probability 99.98 %, right = 0.5, allowed ±0.01`. */
function sentence({ statistic, relation, worst, intervals, within }: StatisticRecord): string {
  const { estimate, low, high, target, allowed, alpha, element } = worst;
  const sure = `${short(100 * (1 - alpha))} %`;
  const right = relation === '≈' ? `right = ${short(target)} ± ${short(allowed ?? 0)}` : `${relation} ${short(target)}`;
  return `the ${statistic} of element ${element} is ${short(estimate)}, in [${short(low)}, ${short(high)}] at confidence ${sure}; ${right} (${within} of ${intervals} intervals lie within)`;
}
