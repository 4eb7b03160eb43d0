/** The table of docs/kani.md: a row for every claim about the code of a core or critical kernel, as its contract asks for it. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { harnessesOf } from '../../src/contract/harnesses.ts';
import { readContracts } from '../../src/contract/validate.ts';

const root = new URL('../..', import.meta.url);
const critical = ['softmax', 'attention', 'cross-entropy', 'knowledge-distillation'];
const core = ['adamw', 'gelu', 'gqa', 'matmul', 'rmsnorm', 'rope', 'swiglu'];
/** As large as the proofs of a critical kernel have to reach. */
const asked = 16;

interface Row {
  readonly claim: string;
  readonly to: string;
  readonly others: string;
  readonly why: string;
}

const rows: readonly Row[] = readFileSync(new URL('docs/kani.md', root), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, claim = '', to = '', others = '', why = ''] = line.split('|').map((cell) => cell.trim());
    return /^[A-Z]{2}-[A-Z]{3}-\d{3}$/.test(claim) ? [{ claim, to, others, why }] : [];
  });

const { value: contracts } = readContracts(
  [...critical, ...core].map((name) => {
    const path = `contracts/${name}-kernel-v1.yaml`;
    return { path, text: readFileSync(new URL(path, root), 'utf8') };
  }),
  { elsewhere: [] },
);
const harnesses = contracts.flatMap(harnessesOf);

describe('the table of proofs', () => {
  it('has every proof that a core contract requires, with its sizes', () => {
    const told = rows.filter(({ to }) => to !== '').map(({ claim, to, others }) => `${claim} to ${to} (${others})`);
    const found = harnesses.map(({ obligation, bound, sizes = {} }) => {
      const others = Object.entries(sizes).map(([name, size]) => `${name} ${String(size)}`);
      return `${obligation} to ${bound} (${others.join(', ')})`;
    });
    expect(told.toSorted()).toEqual(found.toSorted());
  });

  it('says of every other claim about the code why it is open', () => {
    const proved = new Set(harnesses.map(({ obligation }) => obligation));
    const ofCode = contracts.flatMap(({ obligations }) =>
      obligations.filter(({ semantics }) => semantics === 'ieee').map(({ id }) => id),
    );
    const open = rows.filter(({ to, why }) => to === '' && why.length > 30).map(({ claim }) => claim);
    expect(open.toSorted()).toEqual(ofCode.filter((id) => !proved.has(id)).toSorted());
  });

  it('goes to the size that is asked of a critical kernel', () => {
    const ids = new Set(critical.map((name) => `${name}-kernel-v1`));
    const ofCritical = contracts.filter(({ id }) => ids.has(id)).flatMap(harnessesOf);
    expect(ofCritical.length).toBeGreaterThan(0);
    expect(ofCritical.filter(({ bound }) => bound < asked)).toEqual([]);
  });
});
