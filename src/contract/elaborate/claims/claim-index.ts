/**
 * The claims of a contract by their names. Indexed, since a file can have thousands of them.
 */
import type { Contract, FalsificationTest, Obligation } from '../../contract.ts';

interface ClaimIndex {
  readonly repeated: ReadonlySet<string>;
  readonly obligations: ReadonlyMap<string, Obligation>;
  readonly tests: ReadonlyMap<string, FalsificationTest>;
}

const indexes = new WeakMap<Contract, ClaimIndex>();

function indexOf(contract: Contract): ClaimIndex {
  let index = indexes.get(contract);
  if (!index) indexes.set(contract, (index = makeIndex(contract)));
  return index;
}

/** If several claims have one name, the first is used. */
function makeIndex({ obligations, falsificationTests }: Contract): ClaimIndex {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { id } of [...obligations, ...falsificationTests]) {
    if (seen.has(id)) repeated.add(id);
    seen.add(id);
  }
  return {
    repeated,
    obligations: new Map(obligations.map((obligation) => [obligation.id, obligation] as const).toReversed()),
    tests: new Map(
      falsificationTests.flatMap((test) => (test.rule ? [[test.rule.value, test] as const] : [])).toReversed(),
    ),
  };
}

/** Whether two obligations or tests of `contract` have this id. */
export function isRepeatedId(contract: Contract, id: string): boolean {
  return indexOf(contract).repeated.has(id);
}

/** The obligation that a test attacks, if it gives an id. */
export function obligationOfTest(contract: Contract, test: FalsificationTest): Obligation | null {
  return test.rule ? (indexOf(contract).obligations.get(test.rule.value) ?? null) : null;
}

/** The first test for the obligation `id`. */
export function testOfObligation(contract: Contract, id: string): FalsificationTest | null {
  return indexOf(contract).tests.get(id) ?? null;
}
