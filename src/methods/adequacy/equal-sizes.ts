/**
 * Domains narrowed so that two tensors have equal shapes: only then can a kernel confuse them.
 */
import { INTEGER, type Term } from '../../math/term/term.ts';
import { variable } from '../../math/term/build.ts';
import { integerValue } from '../../math/term/fold.ts';
import { sameSize } from '../../math/term/sizes.ts';
import type { Domain, SizeVariable } from '../../math/domain.ts';

/**
 * `domain` with sizes tied to each other until both shapes are equal; `domain` itself when they always are, null if they cannot
 * be (`n` and `2·k` are not tied, although they might be).
 */
export function withEqualShapes(domain: Domain, first: readonly Term[], second: readonly Term[]): Domain | null {
  if (first.length !== second.length) return null;
  let tied: Domain | null = domain;
  for (const [axis, a] of first.entries()) {
    const b = second[axis];
    tied = tied && b ? tie(tied, sizeOf(tied, a), sizeOf(tied, b)) : null;
  }
  return tied;
}

/** Whether the shapes differ in constants, such as 12 and 128 bytes. */
export function neverEqual(first: readonly Term[], second: readonly Term[]): boolean {
  if (first.length !== second.length) return true;
  return first.some((axis, at) => {
    const [a, b] = [integerValue(axis), integerValue(second[at] ?? axis)];
    return a !== null && b !== null && a !== b;
  });
}

/** A size that is tied to another already represents it. */
function sizeOf({ sizes }: Domain, axis: Term): Term {
  if (axis.kind !== 'variable') return axis;
  const definition = sizes.find(({ name }) => name === axis.name)?.definition;
  return definition?.kind === 'variable' ? definition : axis;
}

function tie(domain: Domain, a: Term, b: Term): Domain | null {
  if (sameSize(a, b)) return domain;
  const at = [a, b]
    .flatMap((axis) => (axis.kind === 'variable' ? [domain.sizes.findIndex(({ name }) => name === axis.name)] : []))
    .sort((i, j) => i - j);
  const [earlier, later] = at.map((index) => domain.sizes[index]);
  if (!earlier || earlier.definition || later?.definition) return null;
  if (later)
    return replaced(domain, [common(earlier, later), { ...later, definition: variable(earlier.name, INTEGER) }]);
  const value = integerValue(a) ?? integerValue(b);
  return value === null ? null : replaced(domain, [common(earlier, { minimum: value, maximum: value, multipleOf: 1 })]);
}

/** The values that both sizes may have. */
function common(size: SizeVariable, other: Pick<SizeVariable, 'minimum' | 'maximum' | 'multipleOf'>): SizeVariable {
  return {
    ...size,
    minimum: Math.max(size.minimum, other.minimum),
    maximum: Math.min(size.maximum, other.maximum),
    multipleOf: leastCommonMultiple(size.multipleOf, other.multipleOf),
  };
}

function leastCommonMultiple(a: number, b: number): number {
  let multiple = a;
  while (multiple % b !== 0) multiple += a;
  return multiple;
}

function replaced(domain: Domain, changed: readonly SizeVariable[]): Domain | null {
  const hasNone = ({ minimum, maximum, multipleOf }: SizeVariable): boolean =>
    Math.ceil(minimum / multipleOf) * multipleOf > maximum;
  if (changed.some(hasNone)) return null;
  const sizes = domain.sizes.map((size) => changed.find(({ name }) => name === size.name) ?? size);
  return { ...domain, sizes };
}
