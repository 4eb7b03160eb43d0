/** The left sides of definitions: `RMS(x) = …`, `S_ij = …`, `f(x)_{2k} = …`, `c = …`. */
import type { Expression } from '../../math/notation/syntax.ts';
import type { FormalText } from '../contract.ts';
import { subscriptItems } from './indexing.ts';
import { resolveName, splitIndexName } from './names.ts';
import { lookup, type Definition, type DefinitionCase, type Scope } from './scope.ts';

/** What a left side says: the symbol, its arguments (null without parentheses), its indices. */
export interface Head {
  readonly name: string;
  readonly arguments: readonly Expression[] | null;
  readonly indices: readonly Expression[];
}

/** Reads a left side; null when it is none. `known` names keep their underscores. */
export function readHead(expression: Expression, scope: Scope, known: ReadonlySet<string> = new Set()): Head | null {
  if (expression.kind === 'name') return nameHead(expression, scope, known);
  if (expression.kind === 'call' && expression.callee.kind === 'name') {
    return { name: expression.callee.text, arguments: expression.arguments.map((a) => a.value), indices: [] };
  }
  if (expression.kind !== 'index') return null;
  const base = readHead(expression.base, scope, known);
  const items = expression.style === 'subscript' ? subscriptItems(expression.items, scope) : expression.items;
  const indices = items.flatMap((item) => (item.kind === 'at' ? [item.value] : []));
  return base && indices.length === items.length ? { ...base, indices: [...base.indices, ...indices] } : null;
}

/**
 * `S_ij` is S with two indices, `d_k` of the domain is itself. A new name with an underscore is indexed when what
 * follows looks like indices (one or two letters), else it is one name: `m_hat`.
 */
function nameHead(name: Extract<Expression, { kind: 'name' }>, scope: Scope, known: ReadonlySet<string>): Head {
  const whole: Head = { name: name.text, arguments: null, indices: [] };
  if (known.has(name.text) || lookup(scope, name.text)) return whole;
  const at = name.text.lastIndexOf('_');
  const rest = name.text.slice(at + 1);
  if (at <= 0 || !/^(\p{L}\p{M}*['′]*){1,3}$/u.test(rest)) return whole;
  const stem = name.text.slice(0, at);
  const part: Extract<Expression, { kind: 'name' }> = { ...name, text: rest };
  const resolved = resolveName(name, scope);
  if (resolved?.kind === 'indexed' && resolved.name.length > stem.length) return whole;
  return { name: stem, arguments: null, indices: splitIndexName(part, scope, new Set()) };
}

export function headName(expression: Expression, scope: Scope): string | null {
  return readHead(expression, scope)?.name ?? null;
}

/** Definitions from equations such as those after `where`; several for one name are its cases. */
export function definitionsOf(equations: readonly Expression[], text: FormalText, scope: Scope): readonly Definition[] {
  const found = new Map<string, { parameters: readonly string[]; cases: DefinitionCase[] }>();
  for (const equation of equations) {
    if (equation.kind !== 'relation') continue;
    const [left, body] = equation.operands;
    const head = left ? readHead(left, scope) : null;
    if (!head || !body) continue;
    const parameters = (head.arguments ?? []).flatMap((argument) => (argument.kind === 'name' ? [argument.text] : []));
    const known = found.get(head.name) ?? { parameters, cases: [] };
    known.cases.push({ indices: head.indices, body, binders: [], range: equation.range });
    found.set(head.name, known);
  }
  return [...found].map(([name, definition]) => ({ name, ...definition, text, scope }));
}
