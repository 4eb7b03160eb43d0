/** Thrown when an expression has too many terms; the engine catches it and says `exhausted`. */
export class EffortSpent extends Error {
  constructor(limit: number) {
    super(`more than ${limit} operations on terms`);
    this.name = 'EffortSpent';
  }
}

/** A count of operations on terms, so that a verdict depends on the problem and never on the machine. */
export interface Effort {
  readonly spend: (operations: number) => void;
}

export function effortUpTo(limit: number): Effort {
  let spent = 0;
  return {
    spend: (operations) => {
      spent += operations;
      if (spent > limit) throw new EffortSpent(limit);
    },
  };
}
