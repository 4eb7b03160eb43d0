import type { Parsed } from './parse-statement.ts';
import type { Expression, FieldRole, Statement } from './syntax.ts';

/**
 * A comma list of claims is one sentence, so its parts say something about each other:
 * a leading `when p:` and a trailing `when p` or `for all i` hold for every claim, equations after `when p,` are further
 * conditions, and `a, b ⟹ c` has the premises `a` and `b`.
 */
export function shareClauses(parsed: readonly Parsed[], role: FieldRole): readonly Statement[] {
  const [first] = parsed;
  if (first === undefined) return [];
  const led = parsed.map((p, i) => (i === 0 ? p.statement : withClauses(p.statement, first.leading)));
  if (role !== 'proposition' || led.length === 1) return led;
  return foldPremises(spreadTrailing(moreConditions(led)));
}

/** Without clauses of its own. */
export const isPlain = (s: Statement): boolean => s.binders.length + s.conditions.length + s.definitions.length === 0;

function withClauses(
  s: Statement,
  from: { readonly binders: Statement['binders']; readonly conditions: readonly Expression[] },
): Statement {
  return { ...s, binders: [...from.binders, ...s.binders], conditions: [...from.conditions, ...s.conditions] };
}

/** `p when a = 1, b = 0`. */
function moreConditions(list: readonly Statement[]): readonly Statement[] {
  const at = list.findIndex((s) => s.conditions.length > 0);
  const subject = list[at];
  const rest = list.slice(at + 1);
  if (
    subject === undefined ||
    rest.length === 0 ||
    !rest.every((s) => isPlain(s) && s.label === null && s.body.kind === 'relation')
  )
    return list;
  const end = rest.at(-1)?.range.end ?? subject.range.end;
  return [
    ...list.slice(0, at),
    {
      ...subject,
      conditions: [...subject.conditions, ...rest.map((s) => s.body)],
      range: { start: subject.range.start, end },
    },
  ];
}

/** `a = 1, b = 1 when p`. */
function spreadTrailing(list: readonly Statement[]): readonly Statement[] {
  const last = list.at(-1);
  if (last === undefined || last.binders.length + last.conditions.length === 0 || !list.slice(0, -1).every(isPlain))
    return list;
  return list.map((s) => (s === last ? s : withClauses(s, last)));
}

/** `a = 1, b = 2 ⟹ c = 3`. */
function foldPremises(list: readonly Statement[]): readonly Statement[] {
  const last = list.at(-1);
  const first = list[0];
  const premises = list.slice(0, -1);
  if (
    !first ||
    last?.body.kind !== 'logic' ||
    last.body.operator !== '⟹' ||
    last.label !== null ||
    !premises.every((s) => isPlain(s) && s.body.kind === 'relation')
  )
    return list;
  const range = { start: first.range.start, end: last.range.end };
  const left = premises
    .map((s) => s.body)
    .concat(last.body.left)
    .reduce((a, b): Expression => ({
      kind: 'logic',
      operator: '∧',
      left: a,
      right: b,
      range: { start: a.range.start, end: b.range.end },
    }));
  return [{ ...last, label: first.label, body: { ...last.body, left, range }, range }];
}
