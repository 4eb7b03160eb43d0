/** Kernels and equations with one or two mistakes; a bounded proof must refuse those that break the claim. */
import { loadBackend } from '../backends/registry.ts';
import type { OpenKernel } from '../backends/backend.ts';
import type { Result } from '../base/result.ts';
import type { EquationModel } from '../contract/goal.ts';
import { mutateEquation, type EquationMutant } from '../math/mutate.ts';
import { termKey } from '../math/term/term-key.ts';
import type { WrongProgram, WrongPrograms } from '../methods/bounded/request.ts';
import { kernelMutants, type KernelMutant } from '../methods/wrong-kernels/kernel-mutants.ts';
import { realExecutor, type RealRequest } from '../methods/reals.ts';
import { resultMutants } from '../methods/wrong-kernels/result-mutants.ts';
import type { ProofSubject } from '../bounded-proofs/instantiate/instance-request.ts';
import type { ProofInstance } from '../bounded-proofs/problem.ts';
import type { KernelProgram } from '../subject/kernel.ts';
import type { ComposedSubject } from './composed-subjects.ts';

/** Wrong kernels that are tried until one breaks the claim. */
const WRONG_KERNELS = 40;
/** Pairs of mistakes among them: each single mistake is one of these with another beside it. */
const WRONG_PAIRS = 12;

/** The equations of a claim over the reals with one mistake, or two, in one of them. */
export function wrongEquations({ goal, compiled, equations }: RealRequest, at: InstanceAt): WrongPrograms {
  const wrongWith = (name: string, { id, model }: EquationMutant<EquationModel>): WrongProgram => {
    const wrong = equations.map((one) => (one.name === name ? { name, model } : one));
    return {
      id,
      instanceAt: (sizes) =>
        at(
          wrong.map((one) => ({ equation: one.name, model: one.model, bound: null })),
          sizes,
        ),
      open: () => Promise.resolve({ kernels: new Map(), executor: realExecutor({ goal, compiled, equations: wrong }) }),
    };
  };
  const mutants = equations.map(({ name, model }) => ({
    name,
    single: mutateEquation(model, { limit: WRONG_KERNELS }),
    isRight: (mutant: EquationModel) => termKey(mutant.body) === termKey(model.body),
  }));
  return {
    single: mutants.flatMap(({ name, single }) => single.map((mutant) => wrongWith(name, mutant))),
    pairs: mutants.flatMap(({ name, single, isRight }) =>
      evenly(single, WRONG_PAIRS).flatMap((first, i) => {
        const second = chosen(
          mutateEquation(first.model, { limit: WRONG_KERNELS }).filter(({ model }) => !isRight(model)),
          i,
        );
        return second ? [wrongWith(name, { id: bothIds(first, second), model: second.model })] : [];
      }),
    ),
  };
}

type InstanceAt = (instead: readonly ProofSubject[], sizes: readonly number[]) => Result<ProofInstance, string>;

/** Mutants of the bound kernels, spread evenly over the text so that the first few are of every kind, and of their results. */
export function wrongPrograms(
  subjects: readonly ComposedSubject[],
  kernels: ReadonlyMap<string, OpenKernel>,
  at: InstanceAt,
): WrongPrograms {
  // The claims that replace a kernel were themselves seen to refuse wrong ones; this is about the code around it.
  const own = subjects.flatMap(({ equation, bound, standIn }) => (bound && !standIn ? [{ equation, bound }] : []));
  const wrong = (of: (program: KernelProgram) => readonly Mutant[]): readonly WrongProgram[] =>
    own.flatMap(({ equation, bound }) =>
      of(bound.program).map((mutant) => wrongProgram(mutant, { equation, subjects, kernels, at })),
    );
  return {
    single: wrong((program) => [...evenly(kernelMutants(program), WRONG_KERNELS), ...resultMutants(program)]),
    pairs: wrong(pairsOfMistakes),
  };
}

type Mutant = Pick<KernelMutant, 'id' | 'program'>;

function pairsOfMistakes(program: KernelProgram): readonly Mutant[] {
  return evenly(kernelMutants(program), WRONG_PAIRS).flatMap((first, i) => {
    const second = chosen(
      kernelMutants(first.program).filter((mutant) => mutant.program.source !== program.source),
      i,
    );
    return second ? [{ id: bothIds(first, second), program: second.program }] : [];
  });
}

const bothIds = (first: { readonly id: string }, second: { readonly id: string }): string =>
  `${first.id}, then ${second.id}`;

/** About `most` of them, at equal distances. */
function evenly<T>(all: readonly T[], most: number): readonly T[] {
  const step = Math.max(1, Math.floor(all.length / most));
  return all.filter((_, i) => i % step === 0).slice(0, most);
}

/** Another place of the list for every `turn`, far from the one before. */
function chosen<T>(all: readonly T[], turn: number): T | undefined {
  const golden = (Math.sqrt(5) - 1) / 2;
  return all[Math.floor((((turn + 1) * golden) % 1) * all.length)];
}

interface Place {
  readonly equation: string;
  readonly subjects: readonly ComposedSubject[];
  readonly kernels: ReadonlyMap<string, OpenKernel>;
  readonly at: InstanceAt;
}

function wrongProgram({ id, program }: Mutant, { equation, subjects, kernels, at }: Place): WrongProgram {
  const instead = subjects.map((subject): ProofSubject => ({
    ...subject,
    bound: subject.equation === equation && subject.bound ? { ...subject.bound, program } : subject.bound,
  }));
  return {
    id,
    instanceAt: (sizes) => at(instead, sizes),
    open: async () => {
      const opened = await (await loadBackend('ref32')).open(program);
      return opened.ok ? { kernels: new Map([...kernels, [equation, opened.kernel]]) } : null;
    },
  };
}
