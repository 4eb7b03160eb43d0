/**
 * Large angles modulo π/2 in exact integers: multiplying by 2/π needs only the digits around the binary point.
 *
 * Source: Payne & Hanek (1983), Radian reduction for trigonometric functions, ACM SIGNUM Newsletter 18(1); the window of 96
 * digits is that of ARM optimized-routines' `reduce_large` (`math/sincosf.h`, MIT licence).
 */
import { float32Bits } from '../float.ts';

/** An angle as a multiple of π/2 and a rest. */
export interface Reduced {
  /** x − quadrant·π/2, within [−π/4, π/4] or a rounding of it. */
  readonly rest: number;
  readonly quadrant: number;
}

/** The first 192 binary digits of 2/π. */
const twoOverPi = 0xa2f9836e_4e441529_fc2757d1_f534ddc0_db629599_3c439041n;

/** 32 digits of 2/π, ending with its byte `last`; zeros precede the first. */
const digits = (last: number): bigint => (twoOverPi >> BigInt(8 * (23 - last))) & 0xffff_ffffn;

/** Reduces a finite float32 of magnitude 2 and more. */
export function reduceLarge(x: number): Reduced {
  const bits = float32Bits(Math.abs(x));
  const first = (bits >>> 26) & 15;
  const significand = BigInt((bits & 0xff_ffff) | 0x80_0000) << BigInt((bits >>> 23) & 7);
  // x·2/π modulo 4, with 62 digits after the binary point: higher ones are whole turns, lower ones are not needed.
  const product =
    (BigInt.asUintN(32, significand * digits(first)) << 32n) +
    significand * digits(first + 4) +
    ((significand * digits(first + 8)) >> 32n);
  const quadrant = BigInt.asUintN(64, product + (1n << 61n)) >> 62n;
  const fraction = BigInt.asIntN(64, product - (quadrant << 62n));
  const rest = Number(fraction) * (Math.PI * 2 ** -63);
  return x < 0 ? { rest: -rest, quadrant: -Number(quadrant) } : { rest, quadrant: Number(quadrant) };
}
