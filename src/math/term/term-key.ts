/**
 * Structural keys: two terms have the same key exactly when they differ at most in the names of bound
 * variables and in where they came from. Keys are text, stable across runs and machines.
 */
import type { Term, Type } from './term.ts';
import { partsOf } from './traverse.ts';

interface Bound {
  readonly depth: number;
  readonly levels: Map<string, number[]>;
}

/** The key of `term`. Linear in its size. */
export function termKey(term: Term): string {
  const out: string[] = [];
  write(term, { depth: 0, levels: new Map() }, out);
  return out.join('');
}

/** The key of a type: `f32[$"n",(add $"n" #1)]`. */
export function typeKey(type: Type): string {
  if (type.kind === 'tensor') return `${typeKey(type.element)}[${type.shape.map(termKey).join(',')}]`;
  return type.kind === 'float' ? type.format : type.kind;
}

function write(start: Term, scope: Bound, out: string[]): void {
  let term = start;
  let depth = scope.depth;
  const opened: string[] = [];
  const bind = (name: string): void => {
    const levels = scope.levels.get(name);
    if (levels) levels.push(depth);
    else scope.levels.set(name, [depth]);
    opened.push(name);
    depth++;
  };
  const inside = (part: Term): void => write(part, { depth, levels: scope.levels }, out);
  let closing = '';
  while (term.kind === 'let') {
    out.push('(let ');
    inside(term.value);
    bind(term.name);
    out.push(' ');
    closing += ')';
    term = term.body;
  }
  writeNode(term, { depth, levels: scope.levels }, out, inside, bind);
  out.push(closing);
  for (const name of opened) scope.levels.get(name)?.pop();
}

function writeNode(
  term: Exclude<Term, { kind: 'let' }>,
  scope: Bound,
  out: string[],
  inside: (part: Term) => void,
  bind: (name: string) => void,
): void {
  switch (term.kind) {
    case 'number':
      out.push(`${term.type.kind === 'integer' ? '#' : '%'}${term.value}`);
      return;
    case 'boolean':
      out.push(term.value ? 'true' : 'false');
      return;
    case 'string':
      out.push(JSON.stringify(term.value));
      return;
    case 'variable':
      out.push(variableKey(term.name, scope));
      return;
    case 'tabulate':
    case 'recurrence':
    case 'reduce':
      writeBinding(term, out, inside, bind);
      return;
    case 'call':
      writeList(term.fn, partsOf(term), out, inside);
      return;
    case 'apply':
      writeList(`apply ${JSON.stringify(term.equation)}`, partsOf(term), out, inside);
      return;
    default:
      writeList(term.kind, partsOf(term), out, inside);
  }
}

function writeList(head: string, parts: readonly Term[], out: string[], inside: (part: Term) => void): void {
  out.push(`(${head}`);
  for (const part of parts) {
    out.push(' ');
    inside(part);
  }
  out.push(')');
}

function writeBinding(
  term: Extract<Term, { kind: 'tabulate' | 'recurrence' | 'reduce' }>,
  out: string[],
  inside: (part: Term) => void,
  bind: (name: string) => void,
): void {
  out.push(`(${term.kind === 'reduce' ? term.operator : term.kind}`);
  for (const binder of term.binders) {
    out.push(' [');
    inside(binder.from);
    out.push(' ');
    inside(binder.to);
    out.push(']');
    bind(binder.name);
  }
  if (term.kind === 'reduce' && term.condition) {
    out.push(' if ');
    inside(term.condition);
  }
  if (term.kind === 'recurrence') bind(term.name);
  out.push(' ');
  inside(term.body);
  out.push(')');
}

/** Bound variables by their distance from the outside, free ones by name (quoted, so that no name looks like a level). */
function variableKey(name: string, scope: Bound): string {
  const level = scope.levels.get(name)?.at(-1);
  return level === undefined ? `$${JSON.stringify(name)}` : `@${level}`;
}
