import type { AccuracyClass } from '../contract/accuracy.ts';
import type { Goal } from '../contract/goal.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Receipt } from '../evidence/receipt.ts';
import type { Level } from '../evidence/verdict.ts';
import type { Plan, PlannedGoal } from '../plan/make-plan.ts';
import type { BoundSubject } from '../subject/bound-subject.ts';
import type { WaiverRow } from '../subject/binding.ts';
import type { BindingFaults } from './unbound-reason.ts';

/** The input of a report. */
export interface ReportRequest {
  readonly plan: Plan;
  /** Every check of the whole project, which `plan` may be a part of: what evidence may rest on. */
  readonly currentChecks: ReadonlySet<string>;
  readonly receipts: readonly Receipt[];
  /** Why checks have outdated receipts, which are not among `receipts`. */
  readonly changed?: ReadonlyMap<string, string>;
  readonly subjects: readonly BoundSubject[];
  readonly faults: BindingFaults;
  readonly diagnostics: readonly Diagnostic[];
  /** What evidence must have been made with. */
  readonly tool: Receipt['tool'];
  readonly minimumLevel: Level;
  /** Of the tolerances in force. */
  readonly accuracy?: AccuracyClass;
  /** Waived claims, and the day that decides which waivers are still valid; absent: none. */
  readonly waivers?: { readonly rows: readonly WaiverRow[]; readonly today: string };
  /** Whether the gate passes claims that are waived. */
  readonly allowWaived?: boolean;
  /** The claim to which the plan is narrowed; null or absent for all. */
  readonly claim?: string | null;
  /** The command that repeats the check of a goal: `pv audit …`. */
  readonly reproduce: (goal: Goal, path: string) => string;
}

/** The request with the receipts indexed. */
export interface ReportContext extends ReportRequest {
  /** Those valid today, by `contract/claim`. */
  readonly waived: ReadonlyMap<string, WaiverRow>;
  readonly receiptsByCheck: ReadonlyMap<string, Receipt>;
  /** Those of a goal, even if outdated, and of the checks that it shares with others. */
  readonly receiptsFor: (planned: PlannedGoal) => readonly Receipt[];
}
