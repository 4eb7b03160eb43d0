/** What a tolerance allows: `abs·per + rel·|b| + ulp·ulp₃₂(b) + cond·2⁻²⁴·E(b)`. */
import type { Range } from '../../../diagnostics/source.ts';
import { call, choose, decimal, integer } from '../../../math/term/build.ts';
import type { Term } from '../../../math/term/term.ts';
import type { Tolerance } from '../../contract.ts';
import { fail, type Context } from '../context/context.ts';
import { runningErrorOf } from './error-terms.ts';

/** 2⁻²⁴, the unit roundoff of float32, exactly. */
const unitRoundoff = decimal('0.000000059604644775390625');

/** The allowed difference to `b`; null (and a diagnostic) when the claim has no tolerance. */
export function allowedFrom(ctx: Context, b: Term, range: Range): Term | null {
  const tolerance = ctx.claim?.tolerance ?? null;
  if (ctx.claim === null || tolerance === null) return missing(ctx, range);
  if (!fitsSemantics(ctx, tolerance, range)) return null;
  ctx.claim.tolerated = true;
  const parts: Term[] = [];
  const absolute = absolutePart(ctx, tolerance);
  if (absolute) parts.push(absolute);
  if (tolerance.rel !== null) parts.push(call('multiply', number(tolerance.rel), call('absolute', b)));
  if (tolerance.ulp !== null) parts.push(call('multiply', number(tolerance.ulp), call('ulp32', b)));
  if (tolerance.cond !== null) {
    parts.push(call('multiply', call('multiply', number(tolerance.cond), unitRoundoff), runningErrorOf(ctx, b)));
    reportUnbounded(ctx, ctx.claim.unbounded, range);
  }
  return total(parts);
}

/** An envelope without a bound for an operation bounds nothing that uses it. */
function reportUnbounded(ctx: Context, operations: ReadonlySet<string>, range: Range): void {
  if (operations.size === 0) return;
  const message = `WGSL states no accuracy of ${[...operations].join(', ')}, so its envelope bounds nothing here`;
  fail(
    ctx,
    'PV-4012',
    range,
    message,
    'remove envelope and give this backend its own tolerance; pv calibrate measures devices',
  );
}

/** The value of ε without a right side to be relative to. */
export function absoluteAllowed(ctx: Context, range: Range): Term | null {
  const tolerance = ctx.claim?.tolerance ?? null;
  if (ctx.claim === null || tolerance === null) return missing(ctx, range);
  if (!fitsSemantics(ctx, tolerance, range)) return null;
  if (tolerance.rel !== null || tolerance.ulp !== null || tolerance.cond !== null) {
    fail(
      ctx,
      'PV-4012',
      range,
      'the tolerance has parts relative to a right side (rel, ulp or cond), and ε is used here without one',
      'write the claim as a ≈ b or |a - b| ≤ ε, or give the tolerance as abs',
    );
    return null;
  }
  ctx.claim.tolerated = true;
  return absolutePart(ctx, tolerance) ?? integer(0);
}

/** Units of float32 do not apply to a claim over the reals, and a claim in units in the last place has no other kind. */
function fitsSemantics(ctx: Context, { abs, rel, ulp, cond }: Tolerance, range: Range): boolean {
  const semantics = ctx.claim?.semantics;
  if (semantics === 'real' && (ulp !== null || cond !== null)) {
    const message = 'the claim is over the reals, and its tolerance has parts in units of float32 (ulp or cond)';
    fail(ctx, 'PV-4012', range, message, 'give the tolerance as abs or rel, or leave semantics: real out');
    return false;
  }
  if (semantics === 'ulp' && (ulp === null || abs !== null || rel !== null || cond !== null)) {
    const message = 'the claim is in units in the last place, and its tolerance has other parts';
    fail(ctx, 'PV-4012', range, message, 'give the tolerance as ulp alone, or leave semantics: ulp out');
    return false;
  }
  return true;
}

/**
 * The right side of a comparison in units in the last place: a number that overflows is compared with the infinity to
 * which it rounds, because their distance is not a number of units.
 */
export function roundedOverflow(ctx: Context, b: Term): Term {
  if (ctx.claim?.semantics !== 'ulp') return b;
  const rounded = call('round32', b);
  return choose(call('is-finite', rounded), b, rounded);
}

/** Whether the allowance grows with the compared values, in which case there must be a reference side. */
export function isRelative(tolerance: Tolerance): boolean {
  return tolerance.rel !== null || tolerance.ulp !== null || tolerance.cond !== null;
}

function absolutePart(ctx: Context, tolerance: Tolerance): Term | null {
  if (tolerance.abs === null) return null;
  const per = ctx.claim?.per ?? null;
  return per === null ? number(tolerance.abs) : call('multiply', number(tolerance.abs), per);
}

function missing(ctx: Context, range: Range): null {
  fail(
    ctx,
    'PV-4011',
    range,
    'an approximate claim means nothing without a tolerance',
    'add e.g. tolerance: { abs: 1e-6 }, { ulp: 4 } or { cond: 8 }',
  );
  return null;
}

function total(parts: readonly Term[]): Term {
  return parts.reduce((sum, part) => call('add', sum, part), integer(0));
}

function number(value: number): Term {
  return decimal(String(value));
}

/** `abs 6e-8 per n + 8 cond`, `exact`: shown with every verdict. */
export function toleranceText(tolerance: Tolerance | null): string {
  if (tolerance === null) return 'exact';
  const parts = [
    tolerance.abs === null ? null : `abs ${short(tolerance.abs)}${tolerance.per ? ` per ${tolerance.per.text}` : ''}`,
    tolerance.rel === null ? null : `rel ${short(tolerance.rel)}`,
    tolerance.ulp === null ? null : `ulp ${short(tolerance.ulp)}`,
    tolerance.cond === null ? null : `cond ${short(tolerance.cond)}${tolerance.envelope ? ' of WGSL' : ''}`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? 'exact' : parts.join(' + ');
}

function short(value: number): string {
  return value !== 0 && Math.abs(value) < 1e-3 ? value.toExponential() : String(value);
}
