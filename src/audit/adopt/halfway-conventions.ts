/**
 * Numbers halfway between whole ones: `round` takes them to the even neighbour, as IEEE 754, NumPy and PyTorch do, and in C, Rust and
 * JavaScript round(2.5) is 3.
 */
import { call, choose, decimal, integer } from '../../math/term/build.ts';
import type { Term } from '../../math/term/term.ts';
import type { Convention } from './under-convention.ts';

/** Said of what is false only by the first convention. */
export const halfwayText =
  'it is false where halves are rounded to even, as round does here, and not where they are rounded away from zero or up';

const half = decimal('0.5');
const up = (x: Term): Term => call('floor', call('add', x, half));

function withRound(name: string, round: (x: Term) => Term): Convention {
  return {
    name,
    read: (term) => {
      const [x] = term.kind === 'call' && term.fn === 'round' ? term.arguments : [];
      return x ? round(x) : null;
    },
  };
}

/** The other ways to round halves. */
export const halfwayConventions: readonly Convention[] = [
  withRound('halves away from zero', (x) => {
    const away = call('negate', up(call('negate', x)));
    return choose(call('less', x, integer(0)), away, up(x), away.type);
  }),
  withRound('halves up', up),
];
