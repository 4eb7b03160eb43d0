import * as fc from 'fast-check';
import type { Case } from '../math/compile/compiled.ts';
import type { CaseGenerator } from './generate/generator.ts';
import { shrinkWalk } from './shrink/shrink-walk.ts';

/** How many indices are drawn before bounds that contradict each other are given up on. */
const DRAWS = 1000;

/** How many candidates one step of fast-check's shrinking looks at, and how many steps it may take. */
const CANDIDATES = 2000;
const STEPS = 200;

/** Each candidate as if the one before had been refused; fast-check starts again from the one that fails. */
function* refusingAll(generator: CaseGenerator, from: Case): Generator<Case> {
  const walk = shrinkWalk(generator.plan, from);
  let step = walk.next();
  for (let tried = 0; !step.done && tried < CANDIDATES; tried++) {
    yield step.value;
    step = walk.next(false);
  }
}

function steps(context: unknown): number {
  return typeof context === 'number' ? context : 0;
}

// fast-check demands a subclass of its Arbitrary; nothing else in pv is one.
class CaseArbitrary extends fc.Arbitrary<Case> {
  private readonly generator: CaseGenerator;

  constructor(generator: CaseGenerator) {
    super();
    this.generator = generator;
  }

  override generate(random: fc.Random): fc.Value<Case> {
    for (let draw = 0; draw < DRAWS; draw++) {
      const made = this.generator.at(random.nextInt(0, 2 ** 31 - 1));
      if (made) return new fc.Value(made, 0);
    }
    throw new Error('the bounds of the domain contradict each other: no input was found');
  }

  override canShrinkWithoutContext(_value: unknown): _value is Case {
    return false;
  }

  override shrink(value: Case, context: unknown): fc.Stream<fc.Value<Case>> {
    const depth = steps(context);
    if (depth >= STEPS) return fc.Stream.nil();
    return fc.stream(refusingAll(this.generator, value)).map((candidate) => new fc.Value(candidate, depth + 1));
  }
}

/** Cases of a domain for fast-check: pv's own generator and shrinking, fast-check's seed, path and replay. */
export function caseArbitrary(generator: CaseGenerator): fc.Arbitrary<Case> {
  return new CaseArbitrary(generator);
}
