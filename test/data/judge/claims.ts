/** Claims over data written in a line, and what becomes of them. */
import type { DataModel, ElaboratedContract } from '../../../src/contract/goal.ts';
import { checkData } from '../../../src/data/judge/check-data.ts';
import { bindInputs } from '../../../src/data/judge/inputs.ts';
import type { DataSet } from '../../../src/data/read/data-set.ts';
import { dataContract } from './data-sets.ts';

/** A contract over a domain, with a claim C0, C1, … for each formula; `inputs` are lines of YAML. */
export function claims(
  kind: 'config' | 'log' | 'trace',
  domain: string,
  formals: readonly string[],
  inputs: readonly string[] = [],
): ElaboratedContract {
  return dataContract(
    [
      'data:',
      `  kind: ${kind}`,
      `  domain: "${domain}"`,
      ...(inputs.length === 0 ? [] : ['  inputs:', ...inputs.map((line) => `    ${line}`)]),
      'proof_obligations:',
      ...formals.map((formal, i) => `  - { id: C${i}, type: invariant, property: p, formal: "${formal}" }`),
    ].join('\n'),
  );
}

export function modelOf({ data }: ElaboratedContract): DataModel {
  if (!data) throw new Error('it is about data');
  return data;
}

/** Of one claim, what is not empty. */
export interface ResultText {
  readonly verdict: string;
  readonly reason?: string;
  /** `1 of 3 fail`, of those evaluated, and how many rows there are. */
  readonly rows?: string;
  readonly numbers?: readonly string[];
  /** `line text`. */
  readonly places?: readonly string[];
  readonly missing?: readonly string[];
}

export async function resultText(
  kind: 'config' | 'log',
  domain: string,
  formals: readonly string[],
  set: DataSet,
): Promise<readonly ResultText[]> {
  const { obligations } = await checkData(claims(kind, domain, formals), [set], new Map());
  return obligations.map(({ verdict, reason, rows, numbers, places, missing }) => ({
    verdict,
    ...(reason === null ? {} : { reason }),
    ...(rows === null ? {} : { rows: `${rows.failing} of ${rows.evaluated} fail, in ${rows.of} rows` }),
    ...(numbers.length === 0 ? {} : { numbers }),
    ...(places.length === 0 ? {} : { places: places.map(({ at, text }) => `${at} ${text}`) }),
    ...(missing.length === 0 ? {} : { missing: missing.map(({ name }) => name) }),
  }));
}

/** What is wrong with the values that a config gives for a domain with x. */
export function problemsOf(domain: string, set: DataSet): readonly string[] {
  const contract = claims('config', domain, ['x ≤ 1']);
  const { problems } = bindInputs(contract.contract, modelOf(contract), [set], new Map());
  return problems.map(({ code, message }) => `${code} ${message}`);
}
