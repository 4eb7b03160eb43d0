import { arithmeticOf } from '../subject/kernel.ts';
import type { Backend } from './backend.ts';
import { openReference } from './reference.ts';

/**
 * The kernel's own source with one float32 rounding after every operation: what a device without fused operations
 * and with correctly rounded elementary functions computes. The exact oracle for float32 backends.
 */
export const ref32: Backend = {
  id: 'ref32',
  arithmetic: arithmeticOf.ref32,
  open: (program) => openReference(program, 'f32'),
};
