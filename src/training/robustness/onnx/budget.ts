/** What reading a model may cost, whatever its operators are: a small file may ask for years of work and terabytes of constants. */
import { wrong, type Problem } from '../../../base/problem.ts';
import { ok, type Result } from '../../../base/result.ts';

/** Reading so many numbers takes seconds. */
const mostSteps = 200_000_000;

/** Weights, constants that the graph computes, and the entries of matrices: at most twelve bytes each. */
const mostNumbers = 40_000_000;

/** Counts what reading has cost so far. */
export interface Budget {
  /** Before that many elementary steps at an offset of the file. Problem: PV-8305. */
  readonly spend: (steps: number, offset?: number) => Result<null, Problem>;
  /** Before that many numbers are kept until the model is read. Problem: PV-8305. */
  readonly keep: (numbers: number, offset?: number) => Result<null, Problem>;
}

/** A budget that also ends when `isInTime` becomes false. */
export function createBudget(isInTime: () => boolean = () => true): Budget {
  let [steps, numbers] = [0, 0];
  const spend: Budget['spend'] = (more, offset) => {
    steps += more;
    if (!(steps <= mostSteps))
      return exceeded('Reading the network takes more steps than any network that pv certifies.', offset);
    return isInTime() ? ok(null) : exceeded('The time ran out while the network was read: raise --timeout.', offset);
  };
  return {
    spend,
    keep(more, offset) {
      numbers += more;
      return numbers <= mostNumbers
        ? spend(more, offset)
        : exceeded(
            `The network is larger than pv certifies: at most ${mostNumbers} weights, convolutions unrolled.`,
            offset,
          );
    },
  };
}

const exceeded = (message: string, offset: number | undefined): Result<never, Problem> =>
  wrong('PV-8305', 'network size', message, offset === undefined ? {} : { offset });
