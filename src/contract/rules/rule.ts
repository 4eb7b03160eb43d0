/**
 * What a rule is: a name and a function from what it may see to what it found. Rules see decoded contracts only,
 * never files, and cannot change anything.
 */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Contract } from '../contract.ts';

/** A rule about one contract. */
export interface ContractRule {
  /** As in the folder of its fixtures. */
  readonly name: string;
  readonly check: (contract: Contract) => readonly Diagnostic[];
}

/** What a rule about several contracts sees. */
export interface ContractSet {
  /** In the order of their paths. */
  readonly contracts: readonly Contract[];
  /** Names of contracts that exist and were not read, or could not be. */
  readonly elsewhere: ReadonlySet<string>;
}

/** A rule about contracts together. */
export interface SetRule {
  readonly name: string;
  readonly check: (set: ContractSet) => readonly Diagnostic[];
}
