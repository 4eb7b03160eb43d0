/** Nodes by the shape of their arguments; which operation it is, the caller has looked at. */
import type { NumberExpression } from '../../expression.ts';

export type Binary = NumberExpression & { readonly left: NumberExpression; readonly right: NumberExpression };

export type Unary = NumberExpression & { readonly operand: NumberExpression };
