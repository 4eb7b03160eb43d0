/** The parts of a data contract that its evaluation needs: plain data without the file. */
import type { Contract, Equation, FormalText, Obligation } from './contract.ts';
import type { Notation } from '../math/notation/syntax.ts';
import type { DataModel, ElaboratedContract, EquationModel, Goal, NotGoal } from './goal.ts';

/** A formula as text with its parsed statements. */
export interface WrittenFormula extends Pick<FormalText, 'text'> {
  readonly notation: Pick<Notation, 'statements'>;
}

/** A claim about data; every {@link Goal} is one. */
export type DataGoal = Pick<Goal, 'claim' | 'property' | 'formal' | 'ifFails' | 'predicate'>;

/** A claim that could not be elaborated. */
export type UnreadClaim = Pick<NotGoal, 'claim' | 'property' | 'formal' | 'reason'>;

/** An elaborated equation, as far as evaluating data uses it. */
export type DefinedEquation = Pick<EquationModel, 'name' | 'symbol' | 'result' | 'body'>;

interface WrittenObligation extends Pick<Obligation, 'id' | 'about' | 'severity' | 'leastShare'> {
  readonly formal: WrittenFormula | null;
  /** What explains its violation: `ID`, `contract/ID` or `contract`; null if the contract names no causes. */
  readonly diagnosis: { readonly causedBy: readonly { readonly value: string }[] | null } | null;
}

/** A contract over data without spans, so that it can be embedded in generated code. */
export interface WrittenContract extends Pick<Contract, 'id'> {
  readonly obligations: readonly WrittenObligation[];
  readonly equations: readonly (Pick<Equation, 'name'> & { readonly formula: WrittenFormula })[];
}

/** A contract over data; every {@link ElaboratedContract} is one. */
export interface DataContract {
  readonly contract: WrittenContract;
  /** Null if its inputs could not be read. */
  readonly data: DataModel | null;
  readonly equations: readonly DefinedEquation[];
  readonly dataGoals: readonly DataGoal[];
  readonly notGoals: readonly UnreadClaim[];
}

/** The contract reduced to these parts. */
export function dataContractOf({ contract, data, equations, dataGoals, notGoals }: ElaboratedContract): DataContract {
  return {
    contract: {
      id: contract.id,
      obligations: contract.obligations.map(({ id, about, severity, leastShare, formal, diagnosis }) => ({
        id,
        about,
        severity,
        leastShare,
        formal: formal && writtenFormula(formal),
        diagnosis: diagnosis && { causedBy: diagnosis.causedBy?.map(({ value }) => ({ value })) ?? null },
      })),
      equations: contract.equations.map(({ name, formula }) => ({ name, formula: writtenFormula(formula) })),
    },
    data,
    equations: equations.map(({ name, symbol, result, body }) => ({ name, symbol, result, body })),
    dataGoals: dataGoals.map(({ claim, property, formal, ifFails, predicate }) => ({
      claim,
      property,
      formal,
      ifFails,
      predicate,
    })),
    notGoals: notGoals.map(({ claim, property, formal, reason }) => ({ claim, property, formal, reason })),
  };
}

function writtenFormula({ text, notation }: FormalText): WrittenFormula {
  return { text, notation: { statements: notation.statements } };
}
