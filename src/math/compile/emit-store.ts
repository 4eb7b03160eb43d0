import type { NodeOf } from './node.ts';
import { closeLoops, openLoops } from './emit-loops.ts';
import { valueOf } from './emit-value.ts';
import { fresh, type Emitter, type Scope } from './scope.ts';

/** Emits the loops that fill an array kept between calls; returns its name. */
export function emitStore(emitter: Emitter, node: NodeOf<'store'>, place: Scope): string {
  const kept = fresh(emitter, 'kept');
  emitter.scratch.push(`let ${kept} = new Float64Array(0);`);
  const length = valueOf(emitter, node.length, place);
  place.lines.push(`if (${kept}.length < ${length}) ${kept} = new Float64Array(${length});`);
  const name = fresh(emitter, 'a');
  place.lines.push(`const ${name} = ${kept};`);
  fill(emitter, node, name, place);
  return name;
}

/** Emits the loops that write each element of `node` into the array called `target`. */
export function fill(emitter: Emitter, node: NodeOf<'store'>, target: string, place: Scope): void {
  const opened = openLoops(emitter, node.loops, place);
  if (node.self) for (const { scope } of opened.loops) scope.names.set(node.self.id, target);
  const value = valueOf(emitter, node.body, opened.inner);
  const stored = node.body.kind === 'boolean' ? `${value} ? 1 : 0` : value;
  opened.inner.lines.push(`${target}[${valueOf(emitter, node.offset, opened.inner)}] = ${stored};`);
  closeLoops(opened);
}
