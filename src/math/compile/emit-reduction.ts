import type { NodeOf } from './node.ts';
import { closeLoops, openLoops } from './emit-loops.ts';
import { atomOf, unjudged, valueOf } from './emit-value.ts';
import { blockScope, close, fresh, type Emitter, type Scope } from './scope.ts';

type Reduction = NodeOf<'reduce'>;

/** Emits the loops of a reduction into `place`; returns the name of the result. */
export function emitReduction(emitter: Emitter, node: Reduction, place: Scope): string {
  switch (node.operator) {
    case 'all':
    case 'any':
      return emitSearch(emitter, node, place);
    case 'argmax':
    case 'argmin':
      return emitExtremalIndex(emitter, node, place);
    default:
      return emitFold(emitter, node, place);
  }
}

const starts = { sum: '0', product: '1', max: '-Infinity', min: 'Infinity', count: '0' } as const;

function emitFold(emitter: Emitter, node: Reduction, place: Scope): string {
  const { operator } = node;
  const result = fresh(emitter, 'r');
  place.lines.push(
    `let ${result} = ${operator === 'all' || operator === 'any' || operator === 'argmax' || operator === 'argmin' ? '0' : starts[operator]};`,
  );
  repeat(emitter, node, place, null, (inner) => {
    const value = valueOf(emitter, node.body, inner);
    inner.lines.push(updateOf(emitter, node, result, value));
  });
  return result;
}

function updateOf(emitter: Emitter, node: Reduction, result: string, value: string): string {
  const round = emitter.float32 && !node.integral;
  switch (node.operator) {
    case 'product':
      return round ? `${result} = Math.fround(${result} * ${value});` : `${result} *= ${value};`;
    case 'max':
      return `${result} = Math.max(${result}, ${value});`;
    case 'min':
      return `${result} = Math.min(${result}, ${value});`;
    case 'count':
      return `if (${value}) ${result} += 1;`;
    default:
      return round ? `${result} = Math.fround(${result} + ${value});` : `${result} += ${value};`;
  }
}

/** Runs `body` in the loops of `node`, where its condition holds. */
function repeat(
  emitter: Emitter,
  node: Reduction,
  place: Scope,
  label: string | null,
  body: (scope: Scope) => void,
): void {
  const opened = openLoops(emitter, node.loops, place);
  if (node.condition) {
    const condition = unjudged(emitter, node.condition, opened.inner);
    const block = blockScope(opened.inner);
    body(block);
    close(`if (${condition})`, block);
  } else {
    body(opened.inner);
  }
  closeLoops(opened, label);
}

/** `all` and `any` stop at the first element that decides. */
function emitSearch(emitter: Emitter, node: Reduction, place: Scope): string {
  const result = fresh(emitter, 'r');
  const label = fresh(emitter, 'search');
  const any = node.operator === 'any';
  place.lines.push(`let ${result} = ${!any};`);
  repeat(emitter, node, place, label, (inner) => {
    const value = unjudged(emitter, node.body, inner);
    inner.lines.push(`if (${any ? value : `!${value}`}) {`, `  ${result} = ${any};`, `  break ${label};`, '}');
  });
  return result;
}

/** See `extremalIndex` of the interpreter: the first NaN wins, then the first extreme value; NaN of nothing. */
function emitExtremalIndex(emitter: Emitter, node: Reduction, place: Scope): string {
  const result = fresh(emitter, 'r');
  const best = fresh(emitter, 'b');
  const position = node.loops.length === 1 ? null : fresh(emitter, 'p');
  place.lines.push(`let ${result} = NaN;`, `let ${best} = NaN;`);
  if (position) place.lines.push(`let ${position} = -1;`);
  const counted: Reduction = { ...node, condition: null };
  repeat(emitter, counted, place, null, (inner) => {
    if (position) inner.lines.push(`${position} += 1;`);
    const block = node.condition ? blockScope(inner) : inner;
    const guard = node.condition ? unjudged(emitter, node.condition, inner) : null;
    const value = atomOf(emitter, node.body, block);
    const better = `${value} ${node.operator === 'argmax' ? '>' : '<'} ${best}`;
    const at = position ?? inner.indexName;
    block.lines.push(
      `if (${result} !== ${result} || ${better} || (${value} !== ${value} && ${best} === ${best})) {`,
      `  ${result} = ${at};`,
      `  ${best} = ${value};`,
      '}',
    );
    if (guard !== null) close(`if (${guard})`, block);
  });
  return result;
}
