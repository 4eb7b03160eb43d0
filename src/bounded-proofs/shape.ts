/** What a statement looks like from afar: equal for the statements about all elements of an output, and at most sizes. */
import type { Expression } from './expression.ts';

/** Below this nothing is distinguished: sums of 4 and of 5 terms should look alike. */
const depth = 4;

/**
 * The operations down to a small depth, without names, numbers and the order of sums. Two statements of one shape may well
 * need different proofs: a shape is a guess of what to try first, never a reason to believe anything.
 */
export function shapeOf(node: Expression, left: number = depth): string {
  if (left === 0) return '';
  switch (node.kind) {
    case 'constant':
    case 'variable':
    case 'truth':
      return node.kind;
    case 'function':
    case 'machine':
      return `${node.kind} ${node.fn}(${shapeOf(node.operand, left - 1)})`;
    case 'and':
    case 'or':
      return `${node.kind}(${[...new Set(node.operands.map((each) => shapeOf(each, left - 1)))].join()})`;
    case 'if':
      return `if(${shapeOf(node.condition, left - 1)},${shapeOf(node.then, left - 1)},${shapeOf(node.otherwise, left - 1)})`;
    default:
      return 'operand' in node
        ? `${node.kind}(${shapeOf(node.operand, left - 1)})`
        : `${node.kind}(${shapeOf(node.left, left - 1)},${shapeOf(node.right, left - 1)})`;
  }
}

/** Which of some choices worked last for what looks alike. */
export interface Experience<T> {
  /** The choices in the order to try them: the one that worked last, then the others as they come. */
  readonly order: (shape: string, choices: readonly T[]) => readonly T[];
  /** `null`: none worked. */
  readonly learn: (shape: string, worked: T | null) => void;
}

/** Remembers nothing at first. */
export function createExperience<T>(): Experience<T> {
  const last = new Map<string, T>();
  return {
    order: (shape, choices) => {
      const first = last.get(shape);
      return first !== undefined && choices.includes(first)
        ? [first, ...choices.filter((choice) => choice !== first)]
        : choices;
    },
    learn: (shape, worked) => {
      if (worked === null) last.delete(shape);
      else last.set(shape, worked);
    },
  };
}
