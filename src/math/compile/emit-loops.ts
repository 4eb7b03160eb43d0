import type { GraphNode, Loop } from './node.ts';
import { valueOf } from './emit-value.ts';
import { close, fresh, loopScope, type Emitter, type Scope } from './scope.ts';

interface OpenLoop {
  readonly head: string;
  readonly scope: Scope;
}

/** Nested loops whose innermost scope is filled before they are closed. */
export interface OpenLoops {
  readonly inner: Scope;
  readonly loops: readonly OpenLoop[];
}

/** Opens nested loops, the first outermost, without closing them. */
export function openLoops(emitter: Emitter, loops: readonly Loop[], outer: Scope): OpenLoops {
  const opened: OpenLoop[] = [];
  let inner = outer;
  for (const loop of loops) {
    const index = fresh(emitter, 'i');
    const from = valueOf(emitter, loop.from, inner);
    const to = limitOf(emitter, loop, from, inner);
    const head = `for (let ${index} = ${from}; ${index} < ${to}; ${index}++)`;
    inner = loopScope(inner, loop.index, index);
    opened.push({ head, scope: inner });
  }
  return { inner, loops: opened };
}

/** Writes the loops into the scope around them; `label` names the outermost one for `break`. */
export function closeLoops(opened: OpenLoops, label: string | null = null): void {
  for (const [depth, { head, scope }] of [...opened.loops.entries()].reverse())
    close(depth === 0 && label !== null ? `${label}: ${head}` : head, scope);
}

/** The end of a loop; one that neither sizes nor outer indices bound is checked, so that no loop runs away. */
function limitOf(emitter: Emitter, loop: Loop, from: string, scope: Scope): string {
  const to = valueOf(emitter, loop.to, scope);
  if (isBounded(loop.to)) return to;
  const name = fresh(emitter, 'e');
  scope.lines.push(`const ${name} = m.loopEnd(${from}, ${to});`);
  return name;
}

const LARGEST_CONSTANT_END = 1e6;

function isBounded(end: GraphNode): boolean {
  if (end.op === 'index') return true;
  if (end.op === 'parameter') return end.place === 'size';
  if (end.op === 'constant') return Number(end.decimal) <= LARGEST_CONSTANT_END;
  if (end.op !== 'call') return false;
  return (
    (end.fn === 'add' || end.fn === 'subtract' || end.fn === 'minimum' || end.fn === 'floor-divide') &&
    end.operands.every(isBounded)
  );
}
