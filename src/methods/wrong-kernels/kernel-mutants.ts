/**
 * Mutants of a kernel: copies of its source with one small mistake each.
 *
 * The operators follow Offutt et al. (1996), An Experimental Determination of Sufficient Mutant Operators, plus mistakes that
 * are typical of numeric kernels: bounds off by one, exchanged indices, a lost shift, a wrong start.
 */
import { invariant } from '../../base/invariant.ts';
import type { KernelFunction, Place } from '../../subject/kernel-syntax.ts';
import type { KernelProgram } from '../../subject/kernel.ts';
import { kernelProgram } from '../../subject/kernel-program.ts';
import { canonicalPlaces, printKernel } from '../../subject/print-kernel.ts';
import { blockMutants } from './statement-mutants.ts';

/** A kernel with one small mistake. */
export interface KernelMutant {
  /** `kernel:3:20 i < n → i <= n`: line and column of the canonical text, which comments, types and layout do not move. */
  readonly id: string;
  /** Where the change is in the author's file. */
  readonly place: Place;
  readonly program: KernelProgram;
}

/**
 * Every mutant of a gpu.js kernel, in the order of its text; none for a `function` program, whose text pv does not read.
 *
 * No two have the same text, none has the original's. All of them compile; some happen to be correct (a loop that starts one
 * early in a maximum), which only the contract's author can say.
 */
export function kernelMutants(program: KernelProgram): readonly KernelMutant[] {
  const { syntax } = program;
  if (!syntax) return [];
  const seen = new Set([program.source]);
  const ids = new Map<string, number>();
  const placeIn = canonicalPlaces(syntax);
  const mutants: KernelMutant[] = [];
  for (const { body, edit } of blockMutants(syntax.body)) {
    const mutant: KernelFunction = { ...syntax, body };
    const text = printKernel(mutant);
    if (seen.has(text)) continue;
    seen.add(text);
    mutants.push({
      id: uniqueId(ids, placeIn(edit.at), edit.change),
      place: edit.at.place,
      program: mutated(program, mutant),
    });
  }
  return mutants;
}

function uniqueId(ids: Map<string, number>, place: Place | null, change: string): string {
  invariant(place, 'a change has a place in the original text');
  const id = `kernel:${place.line}:${place.column} ${change}`;
  const count = (ids.get(id) ?? 0) + 1;
  ids.set(id, count);
  return count === 1 ? id : `${id} #${count}`;
}

/** The original with another text, unless it is the same: what the equation knows about its parameters stays. */
export function mutated(original: KernelProgram, syntax: KernelFunction): KernelProgram {
  const { source, sourceHash } = kernelProgram(syntax);
  invariant(source !== original.source, 'equal texts are left out');
  return { ...original, source, sourceHash, syntax };
}
