/**
 * Every formal field of a contract, with what it is and whose: what rules about mathematics walk over.
 */
import type { Range, Span } from '../diagnostics/source.ts';
import type { Contract, Equation, FormalText, Tolerance } from './contract.ts';

/** The key of the file under which a text is written. */
export type FormalRole =
  | 'formula'
  | 'domain'
  | 'codomain'
  | 'invariant'
  | 'precondition'
  | 'postcondition'
  | 'formal'
  | 'requires'
  | 'prediction'
  | 'given'
  | 'per'
  | 'phase invariant';

/** A formal text with what it belongs to. */
export interface FormalField {
  readonly role: FormalRole;
  /** The equation's name, or the claim's id. */
  readonly owner: string;
  readonly text: FormalText;
}

const known = new WeakMap<Contract, readonly FormalField[]>();

/** In the order of the contract: equations, obligations, tests, phases. */
export function formalFields(contract: Contract): readonly FormalField[] {
  let list = known.get(contract);
  if (!list) known.set(contract, (list = collect(contract)));
  return list;
}

function collect(contract: Contract): readonly FormalField[] {
  return [
    ...contract.equations.flatMap(ofEquation),
    ...contract.obligations.flatMap((obligation) => [
      ...field('formal', obligation.id, obligation.formal),
      ...fields('requires', obligation.id, obligation.requires),
      ...tolerances(obligation.id, [
        obligation.tolerance,
        obligation.libraryTolerance,
        ...new Set(obligation.backendTolerances.values()),
      ]),
    ]),
    ...contract.falsificationTests.flatMap((test) => [
      ...field('prediction', test.id, test.prediction),
      ...field('given', test.id, test.given),
      ...tolerances(test.id, [test.tolerance]),
    ]),
    ...contract.phases.flatMap((phase) => field('phase invariant', phase.name, phase.invariant)),
  ];
}

function ofEquation(equation: Equation): readonly FormalField[] {
  return [
    ...field('formula', equation.name, equation.formula),
    ...field('domain', equation.name, equation.domain),
    ...field('codomain', equation.name, equation.codomain),
    ...fields('invariant', equation.name, equation.invariants),
    ...fields('precondition', equation.name, equation.preconditions),
    ...fields('postcondition', equation.name, equation.postconditions),
  ];
}

function field(role: FormalRole, owner: string, text: FormalText | null): readonly FormalField[] {
  return text ? [{ role, owner, text }] : [];
}

function fields(role: FormalRole, owner: string, texts: readonly FormalText[]): readonly FormalField[] {
  return texts.map((text) => ({ role, owner, text }));
}

function tolerances(owner: string, list: readonly (Tolerance | null)[]): readonly FormalField[] {
  return list.flatMap((tolerance) => field('per', owner, tolerance?.per ?? null));
}

/** The place in the file of a range of a formal text. */
export function spanWithin(text: FormalText, range: Range): Span {
  const start = text.offsetInSource(range.start);
  return { source: text.span.source, range: { start, end: Math.max(start + 1, text.offsetInSource(range.end)) } };
}
