/**
 * C-STREAMSYNC-001: a read of what a kernel wrote comes after the wait for that kernel. The bug behind it, ALB-065: gradient
 * clipping copied nine buffers to the host without `stream.synchronize()`, scaled by garbage, and the process died in 15 s.
 */
import type { ts } from 'ts-morph';
import type { Module } from '../module.ts';
import type { Rule } from '../rule.ts';
import { checkDeviceCopies } from '../readback/device-copies.ts';
import { checkMappedBuffers } from '../readback/mapped-buffers.ts';

export const unsynchronisedReadback: Rule = {
  code: 'PV-9105',
  words: /mapAsync|getMappedRange|copyToHost|copy_to_host|dtoh|deviceToHost|device_to_host/i,
  usesTypes: false,
  check: (module: Module) => {
    const calls: readonly ts.CallExpression[] = module.all(module.ts.isCallExpression);
    return [...checkMappedBuffers(module, calls), ...checkDeviceCopies(module, calls)];
  },
};
