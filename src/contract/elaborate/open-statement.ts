import type { Expression, Statement } from '../../math/notation/syntax.ts';

/** A statement with the inputs that it quantifies taken into the domain. */
export interface OpenStatement {
  readonly statement: Statement;
  readonly body: Expression;
  readonly conditions: readonly Expression[];
}
