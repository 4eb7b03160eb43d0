/**
 * A generator for kernels that may have been fitted to the usual one: every second block has sizes drawn uniformly or by their
 * magnitude from all that the domain declares, beyond those that are usually tested, and inputs of `hostileFillings`.
 */
import { ok, type Result } from '../../base/result.ts';
import type { Domain, SizeVariable } from '../../math/domain.ts';
import { streamAt, streamKey, nextUint32, unitDouble, uniformInteger, type Xoshiro } from '../../numeric/xoshiro.ts';
import type { DomainPlan, SizePlan } from './domain-plan.ts';
import { createGenerator, type CaseGenerator } from './generator.ts';
import { hostileFillings } from './hostile-fillings.ts';
import { isOrdinary, sizesAllowed, withDerivedSizes } from './sizes.ts';

/** How far beyond the sizes of the usual tests they go, where the domain allows it. */
const beyond = 4;
/** Cases with equal sizes: few, so that many sizes are met. */
const blockSize = 4;

/** As `createGenerator`, of the same domain with the sizes that it declares. */
export function createHostileGenerator(domain: Domain, seed: number, name: string): Result<CaseGenerator, string> {
  const usual = createGenerator({ ...domain, sizes: domain.sizes.map(extended) }, seed, name, blockSize);
  if (!usual.ok) return usual;
  const own = usual.value;
  const sizesKey = streamKey(seed, `${name}/hostile sizes`);
  const fillKey = streamKey(seed, `${name}/hostile fillings`);
  const isHostile = (index: number): boolean => Math.floor(index / own.blockSize) % 2 === 1;
  let last: { readonly block: number; readonly sizes: readonly number[] } | null = null;
  const sizesAt: CaseGenerator['sizesAt'] = (index) => {
    const block = Math.floor(index / own.blockSize);
    if (!isHostile(index)) return own.sizesAt(index);
    if (last?.block !== block)
      last = { block, sizes: drawn(own.plan, streamAt(sizesKey, block)) ?? own.sizesAt(index) };
    return last.sizes;
  };
  const fill: CaseGenerator['fill'] = (index, into) => {
    if (!isHostile(index)) return own.fill(index, into);
    const stream = streamAt(fillKey, index);
    return own.fillWith(index, into, () => hostileFillings[nextUint32(stream) % hostileFillings.length] ?? null);
  };
  const at: CaseGenerator['at'] = (index) => {
    const buffer = own.allocate(sizesAt(index));
    return fill(index, buffer) ? buffer : null;
  };
  return ok({ ...own, sizesAt, fill, at });
}

function extended(size: SizeVariable): SizeVariable {
  return { ...size, maximum: Math.max(size.maximum, Math.min(size.declaredMaximum ?? 0, size.maximum * beyond)) };
}

function drawn(plan: DomainPlan, s: Xoshiro): readonly number[] | null {
  for (let tries = 0; tries < 32; tries++) {
    const byMagnitude = nextUint32(s) % 2 === 0;
    const sizes = withDerivedSizes(
      plan,
      plan.sizes.map((size) => (byMagnitude ? logUniform(size, s) : uniform(size, s))),
    );
    if (sizesAllowed(plan, sizes) && isOrdinary(plan, sizes)) return sizes;
  }
  return null;
}

function uniform({ minimum, maximum, multipleOf }: SizePlan, s: Xoshiro): number {
  const first = Math.ceil(minimum / multipleOf);
  return multipleOf * uniformInteger(s, first, Math.max(first, Math.floor(maximum / multipleOf)));
}

function logUniform({ minimum, maximum, multipleOf }: SizePlan, s: Xoshiro): number {
  const [low, high] = [Math.max(1, minimum), Math.max(1, minimum, maximum)];
  const wanted = Math.floor(low * (high / low) ** unitDouble(s));
  return multipleOf * Math.max(Math.ceil(minimum / multipleOf), Math.floor(wanted / multipleOf));
}
