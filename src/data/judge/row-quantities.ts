/** What the contract computes for the row that fails a claim: a difference is read more easily with the two numbers that it is of. */
import { listOf } from '../../base/text.ts';
import type { DefinedEquation, WrittenFormula } from '../../contract/data-contract.ts';
import { element, integer } from '../../math/term/build.ts';
import type { Environment } from './environment.ts';
import type { Witness } from './judge.ts';
import { namesIn, numberText, valueOf } from './numbers-in.ts';

/** `planned_rate_t = 0.0003 in this row`: the equations over rows that the claim has at its own row; empty if it has none. */
export async function rowQuantities(
  formal: WrittenFormula,
  equations: readonly DefinedEquation[],
  { row }: Witness,
  environment: Environment,
): Promise<readonly string[]> {
  if (!row) return [];
  const index = row.binder.name.replace(/~\d+$/u, '');
  const said: string[] = [];
  for (const name of namesIn(formal)) {
    const model = equations.find(({ symbol }) => `${symbol}_${index}` === name);
    if (model?.result.kind !== 'tensor' || model.result.shape.length !== 1) continue;
    const value = await valueOf(element(model.body, [integer(row.index)]), environment);
    if (value !== null) said.push(`${name} = ${numberText(value)}`);
  }
  return said.length === 0 ? [] : [`${listOf(said)} in this row`];
}
