/**
 * The wrong kernels of one equation: generic saboteurs, mutants of the kernel's source, mutants of the equation.
 */
import { loadBackend } from '../backends/registry.ts';
import { isDeclaredOnly, type EquationModel, type Goal } from '../contract/goal.ts';
import { readsOutside } from '../contract/elaborate/equations/stray-reads.ts';
import { mutateEquation } from '../math/mutate.ts';
import type { WrongKernel } from '../methods/adequacy/adequacy.ts';
import { kernelMutants } from '../methods/wrong-kernels/kernel-mutants.ts';
import type { Saboteur } from '../methods/wrong-kernels/saboteur.ts';
import { sabotaged, saboteursFor } from '../methods/wrong-kernels/saboteurs.ts';
import { runsTwice, unsteady } from '../methods/wrong-kernels/unsteady-saboteur.ts';
import { shaderMutants } from '../methods/wrong-kernels/shader-mutants.ts';
import type { BoundSubject } from '../subject/bound-subject.ts';
import type { Check, WorkSubject } from './check.ts';
import { openEquation } from './open-subjects.ts';

/** Mutants of an equation beyond this number are thinned out evenly: large equations have thousands. */
const equationMutantLimit = 120;

/** `goals` are those that the wrong kernels are tried on: some wrong kernels are for a kind of claim. Of an equation without a kernel, its mutants. */
export function wrongKernels(
  { bound, model }: WorkSubject,
  goals: readonly Pick<Goal, 'applications'>[],
  check: Pick<Check, 'backend' | 'device'>,
): readonly WrongKernel[] {
  if (!bound) return spread(equationMutants(model));
  const extra = goals.some((goal) => runsTwice(goal, model.name)) ? [unsteady(bound.program.output ?? 'numbers')] : [];
  const generic = [...saboteursFor(sabotaged(bound)), ...extra];
  return [...made(generic, bound), ...sourceMutants(bound, check), ...equationMutants(model)];
}

/** In an order of which every beginning is spread over the whole: the time may end before the last. */
function spread<T>(all: readonly T[]): readonly T[] {
  const place = (i: number): number => (i * Math.SQRT2) % 1;
  return all
    .map((one, i) => ({ one, i }))
    .toSorted((a, b) => place(a.i) - place(b.i))
    .map(({ one }) => one);
}

function made(generic: readonly Saboteur[], bound: BoundSubject): readonly WrongKernel[] {
  return generic.map(({ id, description, exchanges, wrap }) => ({
    id,
    description,
    calledAs: 'kernel',
    exchanges: exchanges && inEquation(bound, exchanges),
    open: (right) => Promise.resolve(wrap(right)),
  }));
}

/** Parameters of the kernel as the equation numbers them. */
function inEquation(bound: BoundSubject, kernel: readonly [number, number]): readonly [number, number] | null {
  const [first, second] = kernel.map((at) => bound.arguments[at]);
  return first?.kind === 'parameter' && second?.kind === 'parameter' ? [first.index, second.index] : null;
}

/** Of a shader on the device of the check, of a gpu.js kernel on the reference. */
function sourceMutants(
  { program: original }: BoundSubject,
  { backend, device }: Pick<Check, 'backend' | 'device'>,
): readonly WrongKernel[] {
  const isShader = original.language === 'wgsl' && backend !== 'decimal';
  const mutants = isShader ? shaderMutants(original) : kernelMutants(original);
  return mutants.map(({ id, program }) => ({
    id,
    description: null,
    calledAs: 'kernel',
    exchanges: null,
    open: async () => {
      const opened = await (await loadBackend(isShader ? backend : 'ref32')).open(program, device);
      return opened.ok ? opened.kernel : null;
    },
  }));
}

/** In float32, one rounding per operation: a kernel that misread the paper. */
function equationMutants(model: EquationModel): readonly WrongKernel[] {
  if (isDeclaredOnly(model)) return [];
  const { body, domain } = model;
  return mutateEquation(model, { limit: equationMutantLimit }).map(({ id, model: mutant }) => ({
    id,
    description: null,
    calledAs: 'equation',
    exchanges: null,
    readsOutside: () => readsOutside(mutant.body, domain) && !readsOutside(body, domain),
    open: () => openEquation(mutant),
  }));
}
