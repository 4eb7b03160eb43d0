import { arithmeticOf } from '../subject/kernel.ts';
import type { Backend } from './backend.ts';
import { openReference } from './reference.ts';

/** The kernel's own source in float64 throughout: shows what is wrong with it apart from rounding. */
export const ref64: Backend = {
  id: 'ref64',
  arithmetic: arithmeticOf.ref64,
  open: (program) => openReference(program, 'f64'),
};
