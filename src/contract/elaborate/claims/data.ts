/** The section `data` of a contract: its inputs with their types and bounds, and defaults for missing ones. */
import { present } from '../../../base/invariant.ts';
import type { Domain, InputVariable } from '../../../math/domain.ts';
import { integer } from '../../../math/term/build.ts';
import { soleExpression } from '../../../math/notation/sole-expression.ts';
import { STRING, type Term } from '../../../math/term/term.ts';
import type { DataInput, DataSection, FormalText } from '../../contract.ts';
import type { DataInputModel, DataModel } from '../../goal.ts';
import { fail, remark, type Context, type Problem } from '../context/context.ts';
import { extendDomain } from '../domains/domain.ts';
import { emptyDraft, finishDomain, type DomainDraft } from '../inputs/domain-draft.ts';
import { isolated } from '../context/frames.ts';
import { checkLedger } from '../context/ledger.ts';
import { newContext } from '../expressions/new-context.ts';
import type { Scope } from '../context/scope.ts';
import { noteShares } from '../inputs/structures.ts';
import { wholeTerm } from '../context/values.ts';

/** The inputs of a contract over data. */
export interface ElaboratedData {
  /** Null if the domain cannot be read: then nothing can be checked. */
  readonly model: DataModel | null;
  readonly problems: readonly Problem[];
}

/** Elaborates the inputs; `globals` are the equations of the contract, which defaults may use. */
export function elaborateData(section: DataSection, globals: Scope): ElaboratedData {
  const { domain } = section;
  if (domain?.notation.status !== 'math') return { model: null, problems: [] };
  const ctx = newContext(domain, [], null);
  const draft = emptyDraft(globals);
  extendDomain(ctx, draft, [domain]);
  checkLedger(ctx, [domain]);
  if (ctx.problem) return { model: null, problems: [ctx.problem] };
  for (const input of section.inputs)
    if (!draft.inputs.has(input.name)) undeclared(remark, ctx, domain, input.name, draft);
  // A misspelt name here would have no effect.
  for (const name of requiredOf(section) ?? []) if (!draft.inputs.has(name)) undeclared(fail, ctx, domain, name, draft);
  if (ctx.problem) return { model: null, problems: [ctx.problem] };
  noteShares(ctx, draft, section.domain);
  const described = new Map(section.inputs.map((input) => [input.name, input]));
  // Described inputs come first and in their order, which is the order of preference among fixes.
  const names = [...new Set([...described.keys(), ...draft.inputs.keys()])].filter((name) => draft.inputs.has(name));
  const finished = finishDomain(draft);
  const fallbacks = names.map((name) => fallbackOf(described.get(name), variableOf(finished, name), draft));
  const inputs = names.map((name, i): DataInputModel => {
    const input = described.get(name);
    return {
      name,
      variable: variableOf(finished, name),
      from: input?.from ?? name,
      meaning: input?.meaning ?? null,
      fallback: fallbacks[i]?.term ?? null,
      mend: input?.mend ?? null,
    };
  });
  return {
    model: { kind: section.kind, domain: finished, required: requiredOf(section), inputs },
    problems: [...ctx.remarks, ...fallbacks.flatMap(({ problem }) => problem ?? [])],
  };
}

function variableOf({ variables }: Domain, name: string): InputVariable {
  return present(
    variables.find((one) => one.name === name),
    'a domain lists every input that it declares',
  );
}

function requiredOf({ required }: DataSection): ReadonlySet<string> | null {
  return required && new Set(required.map(({ value }) => value));
}

function undeclared(say: typeof remark, ctx: Context, domain: FormalText, name: string, draft: DomainDraft): void {
  const known = [...draft.inputs.keys()].join(', ');
  const range = { start: 0, end: domain.text.length };
  say(ctx, 'PV-4001', range, `the domain does not declare ${name}`, `it declares ${known}`);
}

interface Fallback {
  readonly term: Term | null;
  readonly problem: Problem | null;
}

function fallbackOf(input: DataInput | undefined, { name, shape }: InputVariable, draft: DomainDraft): Fallback {
  const text = input?.fallback ?? null;
  if (text === null) return { term: null, problem: null };
  const ctx = newContext(text, [...draft.inputs.keys(), ...draft.sizes.keys()], null);
  const range = { start: 0, end: text.text.length };
  if (shape.length > 0)
    fail(ctx, 'PV-4003', range, `${name} is a column, and a default is a single value`, 'leave the default out');
  if (ctx.problem) return { term: null, problem: ctx.problem };
  const quoted = /^\s*"([^"]*)"\s*$/.exec(text.text)?.[1];
  // The notation treats a quoted sentence as prose.
  if (quoted !== undefined)
    return { term: { kind: 'string', value: quoted, type: STRING, origin: null }, problem: null };
  const body = soleExpression(text.notation);
  if (!body) fail(ctx, 'PV-4002', range, 'a default is an expression over the other inputs', 'e.g. default: "1"');
  const term = isolated(ctx, () => (body ? wholeTerm(ctx, ctx.elaborate(body, draft.scope), body.range) : integer(0)));
  return ctx.problem ? { term: null, problem: ctx.problem } : { term, problem: null };
}
