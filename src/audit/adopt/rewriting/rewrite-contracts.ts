/**
 * What of foreign contracts can be rewritten so that it runs, as a patch. Each rewriting is read and judged again before it is in the
 * patch: the equation or claim is understood as a whole and as before, nothing that it decides is wrong, and the file has no new error.
 */
import { readContracts } from '../../../contract/validate.ts';
import { readingOnce } from '../../../contract/read.ts';
import type { Contract } from '../../../contract/contract.ts';
import type { ElaboratedContract, Goal } from '../../../contract/goal.ts';
import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import type { SourceFile } from '../../../diagnostics/source.ts';
import { readNotation } from '../../../math/notation/read.ts';
import { isAdoptionFinding, type AdoptedStatement, type AdoptionWord } from '../../../report/adopt/adoption.ts';
import { elaborateAll } from '../../elaborate-all.ts';
import { adoptedGoals, asMathematics, type AdoptedGoal, type AdoptionOptions } from '../adoption-checks.ts';
import { judgeAdopted, type RunChecks } from '../judge-adoption.ts';
import { rewriteContract, rewritten, type Rewriting } from './rewrite-contract.ts';

/** Rewritings that were checked together. */
export interface Rewritings {
  readonly files: readonly { readonly source: SourceFile; readonly rewritings: readonly Rewriting[] }[];
  /** Statements that run once all are written, and did not before. */
  readonly unlocked: number;
  /** More that mean the same, and with which a statement would be wrong or not run: what pv assumed may be too much. */
  readonly leftOut: number;
}

/** Each round leaves something out; what is left after so many is not worth more time. */
const mostRounds = 8;

/** The rewritings of `contracts` that may be written together; `judged` is what is known of them as they are. */
export async function rewriteContracts(
  contracts: readonly Contract[],
  judged: readonly Pick<AdoptedStatement, 'contract' | 'source' | 'claim' | 'word'>[],
  run: RunChecks,
  options: AdoptionOptions,
): Promise<Rewritings> {
  const before = elaborateAll(contracts);
  const around = {
    elaborated: new Map(before.map((one) => [one.contract.id, one])),
    readNotation: readingOnce(readNotation),
  };
  const known: Known = {
    sources: contracts.map(({ span }) => span.source),
    whole: digestsOf(before),
    ran: new Set(judged.filter(({ word }) => !isOpen(word)).map(keyOf)),
    errors: errorsByPath(readContracts(contracts.map(({ span }) => span.source)).diagnostics, before),
    words: new Map(),
  };
  const all = before.flatMap((one) => rewriteContract(one, around));
  let left = all;
  for (let round = 0; round < mostRounds && left.length > 0; round++) {
    const again = await judgeRewritten(known, left, run, options);
    const kept = left.filter((one) => !again.isWrong(one));
    if (kept.length === left.length)
      return { files: filesOf(contracts, left), unlocked: again.unlocked, leftOut: all.length - left.length };
    left = kept;
  }
  return { files: [], unlocked: 0, leftOut: all.length };
}

function filesOf(contracts: readonly Contract[], all: readonly Rewriting[]): Rewritings['files'] {
  return contracts
    .map(({ path, span }) => ({ source: span.source, rewritings: all.filter((one) => one.path === path) }))
    .filter(({ rewritings }) => rewritings.length > 0);
}

interface Known {
  readonly sources: readonly SourceFile[];
  /** Goals that are understood as a whole as the files are, with what decides them. */
  readonly whole: ReadonlyMap<string, string>;
  /** Statements that run, some of them read in part. */
  readonly ran: ReadonlySet<string>;
  readonly errors: ReadonlyMap<string, number>;
  /** By goal and digest: a round judges only what is new. */
  readonly words: Map<string, AdoptionWord>;
}

const isOpen = (word: AdoptionWord): boolean => word === 'not-run' || word === 'prose';

const keyOf = ({ contract, source, claim }: Pick<AdoptedStatement, 'contract' | 'source' | 'claim'>): string =>
  JSON.stringify([contract, source, claim]);

function digestsOf(elaborated: readonly ElaboratedContract[]): ReadonlyMap<string, string> {
  return new Map(
    elaborated
      .flatMap(({ goals, statements, dataGoals }) => [...goals, ...statements, ...dataGoals])
      .map((goal) => [keyOf(goal), goal.digest]),
  );
}

function errorsByPath(
  read: readonly Diagnostic[],
  elaborated: readonly ElaboratedContract[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { severity, span, subject } of [...read, ...elaborated.flatMap(({ diagnostics }) => diagnostics)]) {
    const path = span?.source.path ?? subject ?? '';
    if (severity === 'error') counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  return counts;
}

interface JudgedRewritings {
  readonly isWrong: (rewriting: Rewriting) => boolean;
  readonly unlocked: number;
}

/** The files with all of `rewritings`, read and judged again. */
async function judgeRewritten(
  known: Known,
  rewritings: readonly Rewriting[],
  run: RunChecks,
  options: AdoptionOptions,
): Promise<JudgedRewritings> {
  const sources = known.sources.map((source) =>
    rewritten(
      source,
      rewritings.filter(({ path }) => path === source.path),
    ),
  );
  const read = readContracts(sources);
  const written = elaborateAll(read.value);
  const goals = adoptedGoals({ written, exact: elaborateAll(read.value.map(asMathematics)) }, options);
  const fresh = goals.filter(({ goal, inPart }) => !inPart && !known.whole.has(keyOf(goal)));
  await judgeFresh(fresh, known.words, run, options);
  const wordOf = ({ goal }: AdoptedGoal): AdoptionWord => known.words.get(wordKey(goal)) ?? 'not-run';
  const broken = brokenIn(known, errorsByPath(read.diagnostics, written), written);
  const own = new Map(fresh.map((one) => [JSON.stringify([one.contract, one.goal.claim]), one]));
  const runs = (word: AdoptionWord): boolean => word === 'held' || word === 'needs-kernel';
  const ownGoal = ({ contract, id }: Rewriting): AdoptedGoal | undefined => own.get(JSON.stringify([contract, id]));
  const claimed = new Set(rewritings.filter(({ kind }) => kind === 'claim').flatMap((one) => ownGoal(one) ?? []));
  const isElsewhere = [...broken].some((id) => !rewritings.some(({ contract }) => contract === id));
  const equations = rewritings.filter(({ kind }) => kind === 'equation');
  // Where it shows no equation, any of its contract and of those before it may be the one.
  const blames = (wrong: AdoptedGoal, one: Rewriting): boolean =>
    uses(wrong, one, written) || !equations.some((other) => uses(wrong, other, written));
  const blamed = fresh.filter((one) => isAdoptionFinding({ word: wordOf(one) }) && !claimed.has(one));
  return {
    isWrong: (one) => {
      if (broken.has(one.contract) || (isElsewhere && one.kind === 'equation')) return true;
      const goal = ownGoal(one);
      if (one.kind === 'claim') return !goal || !runs(wordOf(goal));
      return blamed.some((wrong) => blames(wrong, one));
    },
    unlocked: fresh.filter((one) => runs(wordOf(one)) && !known.ran.has(keyOf(one.goal))).length,
  };
}

const wordKey = (goal: Goal): string => `${keyOf(goal)} ${goal.digest}`;

async function judgeFresh(
  fresh: readonly AdoptedGoal[],
  words: Map<string, AdoptionWord>,
  run: RunChecks,
  options: AdoptionOptions,
): Promise<void> {
  const open = fresh.filter(({ goal }) => !words.has(wordKey(goal)));
  const judged = await judgeAdopted(open, run, options);
  for (const [i, { goal }] of open.entries()) words.set(wordKey(goal), judged[i]?.word ?? 'not-run');
}

/** Contracts that have lost something, or whose file has errors that it had not. */
function brokenIn(
  known: Known,
  errors: ReadonlyMap<string, number>,
  written: readonly ElaboratedContract[],
): ReadonlySet<string> {
  const worse = written.filter(({ contract: { path } }) => (errors.get(path) ?? 0) > (known.errors.get(path) ?? 0));
  return new Set([...lostIn(known, written), ...worse.map(({ contract }) => contract.id)]);
}

/** Contracts of which something that was understood is read in another way or not at all. */
function lostIn({ whole }: Known, written: readonly ElaboratedContract[]): ReadonlySet<string> {
  const now = digestsOf(written);
  const lost = [...whole].filter(([key, digest]) => now.get(key) !== digest);
  return new Set(lost.map(([key]) => (JSON.parse(key) as readonly [string])[0]));
}

/** Whether the goal is about the rewritten equation: it applies it, or takes its inputs. */
function uses(
  { contract, goal }: AdoptedGoal,
  { contract: of, id }: Rewriting,
  all: readonly ElaboratedContract[],
): boolean {
  const applied = goal.applications.map(({ equation }) => equation);
  if (applied.includes(contract === of ? id : `${of}/${id}`)) return true;
  if (contract !== of) return false;
  const names = new Set([...goal.domain.sizes, ...goal.domain.variables].map(({ name }) => name));
  const model = all.find((one) => one.contract.id === of)?.equations.find(({ name }) => name === id);
  return (
    applied.length === 0 &&
    model !== undefined &&
    [...model.domain.sizes, ...model.domain.variables].some(({ name }) => names.has(name))
  );
}
