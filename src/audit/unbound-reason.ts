/**
 * Why an equation has no kernel when the binding file says something about it: a row that does not resolve is not a missing row.
 */
import type { Contract } from '../contract/contract.ts';
import type { Diagnostic, Staged } from '../diagnostics/diagnostic.ts';
import { isWithin } from '../diagnostics/is-within.ts';
import { positionAt, type Span } from '../diagnostics/source.ts';
import { bindingKey, type BindingFile, type BindingRow } from '../subject/binding.ts';
import type { ResolvedBindings } from '../subject/resolve.ts';

/** Why a row does not bind its equation. */
export interface BindingFault {
  /** `row`: the equation's own row is wrong; `file`: something in the file that may have been meant as its row. */
  readonly about: 'row' | 'file';
  readonly problem: Diagnostic;
}

/** Faults by `contract/equation`; equations without one have a kernel or are not mentioned. */
export type BindingFaults = ReadonlyMap<string, BindingFault>;

/** A binding file at each stage: parsed, compared with the contracts, and resolved to functions. */
export interface BoundFile {
  readonly file: Staged<BindingFile>;
  /** Rows about contracts or equations that do not exist. */
  readonly targets: readonly Diagnostic[];
  readonly resolved: ResolvedBindings;
}

/** What is wrong with the rows of `contracts`' equations. */
export function bindingFaults(contracts: readonly Contract[], bound: BoundFile): BindingFaults {
  const kernels = new Set(bound.resolved.value.map(({ contract, equation }) => `${contract}/${equation}`));
  const faults = new Map<string, BindingFault>();
  for (const { id, equations } of contracts)
    for (const { name } of equations) {
      const key = `${id}/${name}`;
      const fault = kernels.has(key) ? null : faultOf(key, id, bound);
      if (fault) faults.set(key, fault);
    }
  return faults;
}

function faultOf(key: string, contract: string, { file, targets, resolved }: BoundFile): BindingFault | null {
  const { rows } = file.value;
  const errors = file.diagnostics.filter(({ severity }) => severity === 'error');
  const row = rows.find((candidate) => bindingKey(candidate) === key);
  const own = resolved.broken.get(key) ?? (row && errors.find((problem) => isAbout(problem, row)));
  if (own) return { about: 'row', problem: own };
  if (row) return null;
  const ofContract = rows.filter((candidate) => candidate.contract.value === contract);
  const near =
    targets.find((problem) => ofContract.some((candidate) => isAbout(problem, candidate))) ??
    errors.find((problem) => !rows.some((candidate) => isAbout(problem, candidate)));
  return near ? { about: 'file', problem: near } : null;
}

const isAbout = ({ span }: Diagnostic, row: BindingRow): boolean => span !== null && isWithin(span, row.span);

/** The reason of a claim that runs `equations`, which have no kernel. */
export function unboundReason(contract: string, equations: readonly string[], faults: BindingFaults): string {
  const keyOf = (equation: string): string => (equation.includes('/') ? equation : `${contract}/${equation}`);
  return equations
    .map((equation) => {
      const fault = faults.get(keyOf(equation));
      if (!fault) return `no kernel is bound to ${equation}`;
      const place = `${fault.problem.code}, ${placeText(fault.problem)}`;
      return fault.about === 'row'
        ? `the binding of ${equation} is broken (${place})`
        : `no kernel is bound to ${equation}, and the binding has an error (${place})`;
    })
    .join('; ');
}

function placeText({ span, subject }: Diagnostic): string {
  return span === null ? (subject ?? 'the binding') : lineOf(span);
}

const lineOf = ({ source, range }: Span): string => `${source.path}:${positionAt(source, range.start).line}`;
