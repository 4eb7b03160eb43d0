import { freshNames } from '../../../math/term/symbols.ts';
import type { FormalText } from '../../contract.ts';
import type { ClaimState } from '../context/claim-state.ts';
import type { Context } from '../context/context.ts';
import { elaborateExpression } from './expression.ts';

/** A context for one equation or claim. `reserved` are names that bound variables must not take. */
export function newContext(text: FormalText, reserved: Iterable<string>, claim: ClaimState | null): Context {
  const ctx: Context = {
    fresh: freshNames(reserved),
    elaborate: (expression, scope) => elaborateExpression(ctx, expression, scope),
    text,
    problem: null,
    remarks: [],
    frames: [],
    indices: new Map(),
    reads: new Map(),
    preconditions: new Map(),
    sizeDefinitions: new Map(),
    sizeMultiples: new Map(),
    fromOne: [],
    machine: null,
    ledger: new Map(),
    openCases: [],
    active: new Set(),
    claim,
    visits: 0,
    depth: 0,
  };
  return ctx;
}
