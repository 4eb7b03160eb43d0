import type { Expression, Statement } from '../../../src/math/notation/syntax.ts';

/** A tree without its ranges: what two readings of the same mathematics share. */
export function bareTree(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bareTree);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'range')
      .map(([key, v]) => [key, bareTree(v)]),
  );
}

/** A tree on one line, for tables of expectations: `(= y (+ a b))`. */
export function sketch(node: Expression | Statement | null): string {
  if (node === null) return '_';
  if (!('kind' in node)) return sketchStatement(node);
  switch (node.kind) {
    case 'name':
      return node.text;
    case 'number':
      return node.value + (node.unit === null ? '' : `:${node.unit}`);
    case 'binary':
      return `(${node.juxtaposed ? 'juxt' : node.operator} ${sketch(node.left)} ${sketch(node.right)})`;
    case 'relation':
      return `(${node.operators.join(' ')} ${node.operands.map(sketch).join(' ')})`;
    case 'logic':
      return `(${node.operator} ${sketch(node.left)} ${sketch(node.right)})`;
    case 'call':
      return `(${sketch(node.callee)}! ${node.arguments.map((a) => (a.label === null ? '' : `${a.label}=`) + sketch(a.value)).join(' ')})`;
    default:
      return sketchFields(node.kind, node);
  }
}

function sketchStatement(s: Statement): string {
  const parts = [s.label === null ? '' : `[${s.label}] `, sketch(s.body)];
  for (const b of s.binders) parts.push(` for ${sketchFields('', b)}`);
  for (const c of s.conditions) parts.push(` when ${sketch(c)}`);
  for (const d of s.definitions) parts.push(` where ${sketch(d)}`);
  return parts.join('');
}

function sketchFields(kind: string, node: object): string {
  const fields = Object.entries(node).flatMap(([key, value]: [string, unknown]) => {
    if (
      key === 'kind' ||
      key === 'range' ||
      key === 'style' ||
      value === null ||
      value === false ||
      (Array.isArray(value) && value.length === 0)
    )
      return [];
    return [sketchValue(value)];
  });
  return `(${[kind, ...fields].filter((f) => f !== '').join(' ')})`;
}

function sketchValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(sketchValue).join(' ');
  if (typeof value !== 'object' || value === null) return value === true ? '!' : String(value);
  return isExpression(value) ? sketch(value) : sketchFields('kind' in value ? String(value.kind) : '', value);
}

const isExpression = (value: object): value is Expression => 'kind' in value && 'range' in value;
