/** Nodes by the shape of their arguments; which operation it is, the caller has looked at. */
import type { NumberExpression } from '../../expression.ts';

/** An operation on two numbers. */
export type Binary = NumberExpression & { readonly left: NumberExpression; readonly right: NumberExpression };

/** An operation on one number. */
export type Unary = NumberExpression & { readonly operand: NumberExpression };
