import { isGreen, type Verdict } from '../evidence/verdict.ts';
import type { ClaimReport, ContractReport, Report } from './report.ts';

/** What a verdict means for the reader; `none` is neutral. */
export type Tone = 'good' | 'bad' | 'doubt' | 'none';

/** How a verdict is shown. */
export interface VerdictMark {
  /** One character, different for every verdict, so that colour is never the only sign. */
  readonly symbol: string;
  /** `good` for green verdicts only, `bad` for a refutation, `doubt` for evidence that does not count, `none` for no evidence. */
  readonly tone: Tone;
  /** What the word means, in a few words. */
  readonly meaning: string;
}

/** By verdict; every format uses them. */
export const verdictMarks: Readonly<Record<Verdict, VerdictMark>> = {
  falsified: { symbol: '✗', tone: 'bad', meaning: 'an input was found on which the kernel breaks it' },
  unsound: { symbol: '≠', tone: 'bad', meaning: 'its own equation, in float32, breaks it: the contract is at fault' },
  vacuous: { symbol: '∅', tone: 'bad', meaning: 'a wrong kernel would pass it as well' },
  incomplete: { symbol: '◐', tone: 'doubt', meaning: 'not all of it ran' },
  undetermined: { symbol: '?', tone: 'doubt', meaning: 'no method can decide it yet' },
  stale: { symbol: '↻', tone: 'doubt', meaning: 'the evidence is of another version' },
  unbound: { symbol: '○', tone: 'none', meaning: 'no kernel is bound to it' },
  prose: { symbol: '¶', tone: 'none', meaning: 'text that cannot be executed' },
  waived: { symbol: '⚑', tone: 'doubt', meaning: 'set aside by a named person' },
  tested: { symbol: '✓', tone: 'good', meaning: 'held in every case that was run' },
  proved: { symbol: '★', tone: 'good', meaning: 'holds for every input in scope' },
};

/**
 * The verdict whose mark and colour a contract has: a contract that fails the gate is not marked as a success, even if all of its
 * claims held.
 */
export function shownAs({ verdict, passes }: Pick<ContractReport, 'verdict' | 'passes'>): Verdict {
  return isGreen(verdict) && !passes ? 'incomplete' : verdict;
}

/** The verdict whose mark and colour a claim has: one that held in a hollow contract is not marked as a success. */
export function claimShownAs({ verdict }: Pick<ClaimReport, 'verdict'>, contract: ContractReport): Verdict {
  return isGreen(verdict) && isHollow(contract) ? 'incomplete' : verdict;
}

/** Whether it fails the gate although its claims hold, or with wrong kernels that satisfy all of them. */
function isHollow({ claims, passes, adequacy }: ContractReport): boolean {
  return !passes && ((adequacy?.survivors.length ?? 0) > 0 || claims.every(({ verdict }) => isGreen(verdict)));
}

/** The verdict whose mark and colour the gate of a whole run has: a gate passed with waivers is not green. */
export function gateVerdict({ gate, totals }: Pick<Report, 'gate' | 'totals'>): Verdict {
  if (!gate.passed) return 'falsified';
  return totals.byVerdict.waived > 0 ? 'waived' : 'tested';
}

/** The symbol of the verdict that represents the gate. */
export function gateSymbol(report: Pick<Report, 'gate' | 'totals'>): string {
  return verdictMarks[gateVerdict(report)].symbol;
}
