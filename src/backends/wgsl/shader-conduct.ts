/** What two dispatches of one call, in memory that looks different, show beyond their results. */
import type { ShaderPlan } from '../../subject/shader.ts';
import type { KernelFailure } from '../backend.ts';
import type { PreparedRun } from './shader-buffers.ts';

/** A dispatch with what it left in the buffers that it can write, by their place in the plan. */
export interface DoneRun extends PreparedRun {
  readonly written: ReadonlyMap<number, Float32Array>;
}

/** What one dispatch did to memory that is not its own; null if nothing. */
export function strayWrite(plan: ShaderPlan, { run, roles, written }: DoneRun): KernelFailure | null {
  for (const [i, after] of written) {
    const { name = '', fields = [] } = plan.buffers[i] ?? {};
    const before = bitsOf(run.buffers[i] ?? after);
    const now = bitsOf(after);
    const own = roles[i] ?? new Uint8Array();
    for (let at = 0; at < now.length; at++) {
      if ((own[at] ?? 0) >= 2 || now[at] === before[at]) continue;
      if (own[at] === 1) return { kind: 'mutated-input', parameter: name };
      const [field] = fields;
      const element = field ? Math.floor((at - field.offset) / field.stride) * field.components : at;
      return { kind: 'threw', message: `it wrote out of bounds: element ${element} of \`${name}\` is not part of it` };
    }
  }
  return null;
}

/** The first element of the result that neither dispatch wrote: each found there what it had been filled with. */
export function unwritten(plan: ShaderPlan, one: DoneRun, two: DoneRun): number | null {
  for (const [i, buffer] of plan.buffers.entries()) {
    const field = buffer.fields.find(({ source }) => source.kind === 'output');
    if (field?.source.kind !== 'output' || field.source.from !== null) continue;
    const [before, after] = [one, two].map(({ run, written }) => ({
      was: bitsOf(run.buffers[i] ?? new Float32Array()),
      is: bitsOf(written.get(i) ?? new Float32Array()),
    }));
    if (!before || !after) return null;
    const roles = one.roles[i] ?? new Uint8Array();
    let element = 0;
    for (let at = 0; at < roles.length; at++) {
      if (roles[at] !== 2) continue;
      if (before.was[at] === before.is[at] && after.was[at] === after.is[at]) return element;
      element++;
    }
  }
  return null;
}

const bitsOf = ({ buffer, byteOffset, length }: Float32Array): Uint32Array =>
  new Uint32Array(buffer, byteOffset, length);
