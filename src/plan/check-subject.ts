/** What a check is about, as its receipt names it. */
import { canonicalJson, type JsonValue } from '../base/canonical-json.ts';
import type { EquationModel, Goal } from '../contract/goal.ts';
import { sha256 } from '../evidence/digest.ts';
import { printArgument } from '../subject/argument-expression.ts';
import type { BoundSubject } from '../subject/bound-subject.ts';
import type { Check, WorkSubject } from './check.ts';

/**
 * Bound kernels as named in receipts, by the function of `named`; the hash covers everything that decides how they are called:
 * a row that swaps two arguments is a different subject.
 */
export function kernelSubject(
  subjects: readonly WorkSubject[],
  named: readonly WorkSubject[] = subjects,
): Check['subject'] {
  const bound = subjects.flatMap((subject) => subject.bound ?? []);
  const names = named.flatMap((subject) => (subject.bound ? [`${subject.bound.name} (${subject.bound.module})`] : []));
  return {
    kind: bound.length === 0 ? 'contract' : 'kernel',
    name: names.join(', ') || 'mathematics',
    hash: sha256(canonicalJson(bound.map(identityOf))),
  };
}

function identityOf({ equation, program, arguments: sources, output }: BoundSubject): JsonValue {
  const { language, sourceHash, loopMaxIterations, outputRank } = program;
  return {
    equation,
    language,
    sourceHash,
    loopMaxIterations,
    outputRank,
    arguments: sources.map((source) =>
      source.kind === 'expression'
        ? printArgument(source.expression, (name) => name)
        : `${source.kind} ${source.index}`,
    ),
    output: output && output.map((size) => printArgument(size, (name) => name)),
  };
}

/** The equations of a claim, tried themselves, with the kernels that are run where they break it. */
export function soundnessSubject(goal: Goal, subjects: readonly WorkSubject[]): Check['subject'] {
  const equations = equationSubject(
    goal,
    subjects.map(({ model }) => model),
  );
  const kernels = kernelSubject(subjects);
  return kernels.kind === 'kernel' ? { ...equations, hash: sha256(`${equations.hash} ${kernels.hash}`) } : equations;
}

/** Equations of a claim that runs no kernel. */
export function equationSubject(goal: Pick<Goal, 'contract'>, models: readonly EquationModel[]): Check['subject'] {
  return {
    kind: 'equation',
    name: models.map(({ name }) => name).join(', ') || goal.contract,
    hash: sha256(models.map(({ digest }) => digest).join()),
  };
}
