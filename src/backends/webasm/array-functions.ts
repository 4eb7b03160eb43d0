/**
 * The elementary functions over whole arrays, in place: JavaScript's own, in float64, each result rounded once to float32. A loop
 * for each of them, because the engine compiles a call of a known function to the function itself.
 */
import { expOfEach } from '../../numeric/elementary32/rounded-exp.ts';
import type { MathFunction } from '../../subject/kernel-syntax.ts';

type OverArray = (values: Float32Array) => void;

/** By function; those without an entry are computed element by element in the kernel. */
export const arrayFunctions: Readonly<Partial<Record<MathFunction, OverArray>>> = {
  exp: expOfEach,
  log: (values) => {
    for (let i = 0; i < values.length; i++) values[i] = Math.log(values[i] ?? 0);
  },
  log2: (values) => {
    for (let i = 0; i < values.length; i++) values[i] = Math.log2(values[i] ?? 0);
  },
  sin: (values) => {
    for (let i = 0; i < values.length; i++) values[i] = Math.sin(values[i] ?? 0);
  },
  cos: (values) => {
    for (let i = 0; i < values.length; i++) values[i] = Math.cos(values[i] ?? 0);
  },
  tan: (values) => {
    for (let i = 0; i < values.length; i++) values[i] = Math.tan(values[i] ?? 0);
  },
  tanh: (values) => {
    for (let i = 0; i < values.length; i++) values[i] = Math.tanh(values[i] ?? 0);
  },
  atan: (values) => {
    for (let i = 0; i < values.length; i++) values[i] = Math.atan(values[i] ?? 0);
  },
  asin: (values) => {
    for (let i = 0; i < values.length; i++) values[i] = Math.asin(values[i] ?? 0);
  },
  acos: (values) => {
    for (let i = 0; i < values.length; i++) values[i] = Math.acos(values[i] ?? 0);
  },
  sinh: (values) => {
    for (let i = 0; i < values.length; i++) values[i] = Math.sinh(values[i] ?? 0);
  },
  cosh: (values) => {
    for (let i = 0; i < values.length; i++) values[i] = Math.cosh(values[i] ?? 0);
  },
};
