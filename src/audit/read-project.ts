/**
 * A project from its contracts and bindings: read, elaborated, and bound to existing functions.
 */
import { defaultAccuracy, inAccuracyClass, type AccuracyClass } from '../contract/accuracy.ts';
import type { Contract } from '../contract/contract.ts';
import type { ElaboratedContract } from '../contract/goal.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { SourceFile } from '../diagnostics/source.ts';
import type { Host } from '../host/host.ts';
import type { BoundSubject } from '../subject/bound-subject.ts';
import { checkBindingTargets } from '../subject/check-binding-targets.ts';
import type { WaiverRow } from '../subject/binding.ts';
import { readBindings } from '../subject/read-bindings.ts';
import { resolveBindings } from '../subject/resolve.ts';
import { elaborateAll } from './elaborate-all.ts';
import { halfRounding } from './half-rounding.ts';
import { kernelHazards } from './kernel-hazards.ts';
import { bindingFaults, type BindingFaults } from './unbound-reason.ts';
import { waiverTargets } from './waivers.ts';

/** Contracts, elaborated and bound to kernels: what a plan is made from. */
export interface Project {
  /** Sub-contracts before those that use them. */
  readonly elaborated: readonly ElaboratedContract[];
  readonly subjects: readonly BoundSubject[];
  readonly faults: BindingFaults;
  /** Of the contracts that were read. */
  readonly waivers: readonly WaiverRow[];
  readonly accuracy: AccuracyClass;
  /** From elaboration, the bindings and the kernels' text, without the findings of reading. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Contracts that have been read, with what is needed to find their kernels. */
export interface ProjectRequest {
  readonly contracts: readonly Contract[];
  /** Null: audits only the mathematics, and every goal that runs a kernel is unbound. */
  readonly binding: SourceFile | null;
  readonly host: Host;
  /** Where `module_path` may start, the best first; absolute. */
  readonly moduleRoots: readonly string[];
  /** Every contract of the project by its id, for binding rows of contracts that are not part of this run. */
  readonly elsewhere: ReadonlySet<string>;
  /** In place of what the binding says. */
  readonly accuracy?: AccuracyClass | undefined;
}

/**
 * Elaborates the contracts and resolves their kernels. Never rejects for a fault in them: it becomes a diagnostic,
 * and its goals are unbound.
 */
export async function readProject(request: ProjectRequest): Promise<Project> {
  const { contracts, binding, host, moduleRoots, elsewhere } = request;
  const file = binding && readBindings(binding);
  const accuracy = request.accuracy ?? file?.value.accuracy ?? defaultAccuracy;
  const elaborated = elaborateAll(contracts.map((contract) => inAccuracyClass(contract, accuracy)));
  const found = elaborated.flatMap(({ diagnostics }) => diagnostics);
  if (!file) return { elaborated, subjects: [], faults: new Map(), waivers: [], accuracy, diagnostics: found };
  const ids = new Set(contracts.map(({ id }) => id));
  const rows = file.value.rows.filter(({ contract }) => ids.has(contract.value) || !elsewhere.has(contract.value));
  const targets = checkBindingTargets(
    rows,
    new Map(contracts.map(({ id, equations }) => [id, equations.map(({ name }) => name)])),
  );
  const models = new Map(elaborated.map(({ contract, equations }) => [contract.id, equations]));
  const resolved = await resolveBindings(
    rows.filter(({ contract }) => ids.has(contract.value)),
    models,
    host,
    { roots: moduleRoots },
  );
  const waivers = file.value.waivers.filter(
    ({ contract }) => ids.has(contract.value) || !elsewhere.has(contract.value),
  );
  const hazards = await kernelHazards(resolved.value, host, moduleRoots);
  return {
    elaborated,
    subjects: resolved.value,
    faults: bindingFaults(contracts, { file, targets, resolved }),
    waivers,
    accuracy,
    diagnostics: [
      ...found,
      ...file.diagnostics,
      ...targets,
      ...waiverTargets(waivers, contracts),
      ...resolved.diagnostics,
      ...halfRounding(resolved.value),
      ...hazards,
    ],
  };
}
