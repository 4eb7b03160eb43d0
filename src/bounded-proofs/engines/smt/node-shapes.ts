/** Nodes by the number of their operands; the caller has checked which operation it is. */
import type { NumberExpression } from '../../expression.ts';

/** An operation on two numbers. */
export type Binary = NumberExpression & { readonly left: NumberExpression; readonly right: NumberExpression };

/** An operation on one number. */
export type Unary = NumberExpression & { readonly operand: NumberExpression };
