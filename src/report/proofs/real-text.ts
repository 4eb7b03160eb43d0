/** Proofs over the reals for a terminal and for programs: which hold, for which inputs, on which axioms. */
import { count, visible } from '../../base/text.ts';
import { standText } from '../facts.ts';
import type { Paint } from '../format.ts';

/** One claim as these reports show it. */
export interface RealProof {
  readonly prepared: {
    readonly goal: string;
    readonly path: string;
    readonly obligation: { readonly id: string; readonly property: string };
    readonly contract: { readonly id: string };
  };
  readonly standing: string;
  readonly reason: string | null;
  readonly scope: string | null;
  readonly axioms: readonly string[];
  readonly checker: string | null;
}

/** One paragraph per contract, and the count. Ends with a line break. */
export function realProofsText(proofs: readonly RealProof[], paint: Paint): string {
  const contracts = [...new Set(proofs.map(({ prepared }) => prepared.contract.id))];
  const lines = contracts.flatMap((contract) => [
    paint('strong', visible(contract)),
    ...contractLines(
      proofs.filter(({ prepared }) => prepared.contract.id === contract),
      paint,
    ),
    '',
  ]);
  return `${[...lines, standText(proofs, 'over the reals')].join('\n')}\n`;
}

/** All proofs that are not checked here share one line. */
function contractLines(proofs: readonly RealProof[], paint: Paint): readonly string[] {
  const open = proofs.filter(({ standing }) => standing === 'not checked').length;
  return [
    ...proofs.filter(({ standing }) => standing !== 'not checked').flatMap((proof) => proofLines(proof, paint)),
    ...(open === 0 ? [] : [`  ${paint('dim', '–')} ${count(open, 'proof')} not checked here`]),
  ];
}

function proofLines(
  { prepared, standing, reason, scope, axioms, checker }: RealProof,
  paint: Paint,
): readonly string[] {
  const proved = standing === 'proved';
  const under = axioms.length === 0 ? 'no axiom' : count(axioms.length, 'standard axiom');
  const detail = proved
    ? `proved over the reals for ${scope ?? ''}, under ${under}, by ${checker ?? ''}`
    : `${standing}: ${reason ?? ''}`;
  const { id, property } = prepared.obligation;
  return [
    `  ${paint(proved ? 'good' : 'bad', proved ? '✓' : '✗')} ${visible(id)}  ${visible(property)}`,
    `      ${visible(detail)}`,
  ];
}

/** Plain data with a schema name. */
export function realProofsJson(proofs: readonly RealProof[]): object {
  return {
    schema: 'pv.theorems/1',
    proofs: proofs.map(({ prepared, standing, reason, scope, axioms, checker }) => ({
      contract: prepared.contract.id,
      claim: prepared.obligation.id,
      property: prepared.obligation.property,
      script: prepared.path,
      standing,
      reason,
      scope,
      axioms,
      checker,
    })),
  };
}
