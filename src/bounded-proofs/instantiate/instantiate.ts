/**
 * A goal at concrete sizes as a problem: the kernels that it applies executed symbolically (or their formulas in their
 * place), its predicate and its domain as expressions over the reals.
 */
import { present } from '../../base/invariant.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { Goal } from '../../contract/goal.ts';
import type { Unsupported } from '../execute/kernel-call.ts';
import { wholeTest } from '../execute/by-construction.ts';
import { Graph, GraphTooLarge, type NumberExpression } from '../expression.ts';
import type { AppliedOutput, ProofInstance, ProofVariable, SafetyCondition } from '../problem.ts';
import { applySubject } from './apply-subject.ts';
import { inputsOf } from './domain-variables.ts';
import type { InstanceRequest, ProofSubject } from './instance-request.ts';
import type { SymbolicValue } from './symbolic-value.ts';
import { truth } from './translate.ts';
import { bindName, definedConditions, type Translation } from './translation.ts';

/** The instance, or the first thing in the claim or the code that has no place in a proof. */
export function instantiate(request: InstanceRequest): Result<ProofInstance, Unsupported> {
  const refusal = refusalOf(request);
  if (refusal !== null) return err({ place: null, message: refusal });
  try {
    return build(request, new Graph(request.nodeLimit));
  } catch (problem) {
    if (!(problem instanceof GraphTooLarge)) throw problem;
    return err({ place: null, message: `too large: the claim at these sizes has ${problem.message}` });
  }
}

function refusalOf({ goal, subjects, sizes }: InstanceRequest): string | null {
  if (goal.statistical) return 'a claim about many draws is not about every input';
  if (sizes.length !== goal.domain.sizes.length)
    return `the claim has ${goal.domain.sizes.length} sizes and was given ${sizes.length}`;
  const names = new Set(subjects.map(({ equation }) => equation));
  const missing = goal.applications.find(({ equation }) => !names.has(equation));
  return missing ? `nothing is known of the equation ${missing.equation}` : null;
}

function build({ goal, subjects, sizes, reading }: InstanceRequest, graph: Graph): Result<ProofInstance, Unsupported> {
  const byName = new Map(subjects.map((subject) => [subject.equation, subject]));
  const subject = subjectOf(goal, byName);
  const wholeVariables = new Set<string>();
  const translation: Translation = {
    graph,
    wholeVariables,
    float32Variables: new Set(),
    isWhole: wholeTest(wholeVariables),
    demands: [],
    auxiliaries: [],
    premises: [],
    standIns: { values: new Map(), assumed: [] },
    global: new Map(),
    keptGlobally: new Map(),
    problem: null,
  };
  const inputs = inputsOf(
    translation,
    goal.domain,
    sizes,
    subject === 'kernel' && reading === 'float32' ? 'kernel' : 'formula',
  );
  const variables = new Map(inputs.variables.map((variable): [string, ProofVariable] => [variable.name, variable]));
  const safety: SafetyCondition[] = [];
  const outputs: AppliedOutput[] = [];
  let { frame } = inputs;
  for (const application of goal.applications) {
    const applied = byName.get(application.equation);
    if (!applied || translation.problem) break;
    const { value, safety: conditions } = applySubject(
      { translation, frame, reading, variables },
      application,
      applied,
    );
    safety.push(...conditions);
    outputs.push({ output: application.output, equation: application.equation, elements: numbersOf(graph, value) });
    frame = bindName(application.output, value, frame);
  }
  const conclusion = truth(translation, goal.predicate, frame, graph.true);
  if (translation.problem) return err({ place: null, message: messageOf(translation.problem, goal) });
  return ok({
    sizes: Object.fromEntries(
      goal.domain.sizes.map(({ name }, i) => [name, present(sizes[i], 'each size of a domain is chosen')]),
    ),
    subject,
    problem: {
      graph,
      variables: [...inputs.variables, ...translation.auxiliaries],
      premises: [...new Set([...inputs.premises, ...translation.premises])].filter((premise) => premise !== graph.true),
      conclusion,
    },
    safety: eachOnce(safety),
    defined: definedConditions(graph, translation.demands),
    outputs,
    assumed: translation.standIns.assumed,
  });
}

/** A claim of which one part is the formula says nothing about the code alone. */
function subjectOf(goal: Goal, subjects: ReadonlyMap<string, ProofSubject>): ProofInstance['subject'] {
  const bound = goal.applications.map(({ equation }) => subjects.get(equation)?.bound ?? null);
  return bound.length > 0 && bound.every((one) => one !== null) ? 'kernel' : 'formula';
}

function numbersOf(graph: Graph, value: SymbolicValue): readonly NumberExpression[] {
  const elements = value.sort === 'tensor' ? value.elements : [value];
  return elements.map((element) =>
    element.sort === 'number' ? element : graph.if(element, graph.integer(1), graph.integer(0)),
  );
}

function messageOf({ message, origin }: NonNullable<Translation['problem']>, { formal }: Goal): string {
  const written = origin ? formal.slice(origin.start, origin.end).trim() : '';
  return written === '' ? message : `\`${written}\`: ${message}`;
}

/** Several runs of one kernel may demand the same. */
function eachOnce(conditions: readonly SafetyCondition[]): readonly SafetyCondition[] {
  const seen = new Map(
    conditions.map((one) => [`${one.kind}:${one.place.line}:${one.place.column}:${one.condition.id}`, one]),
  );
  return [...seen.values()];
}
