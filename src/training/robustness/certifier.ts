/** Robustness certificates for a set of examples, as included in a training certificate. */
import type { Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import { ballProperty, type Domain, type Example } from './ball.ts';
import type { Method } from './bounds.ts';
import { certify, type CertifyOptions } from './certify.ts';
import type { GnnLayer, GraphData } from '../model/gnn.ts';
import { gnnNetwork } from './gnn-network.ts';
import type { Network } from './network.ts';
import { certifiedRadius } from './radius.ts';
import type { Arithmetic } from './rounding.ts';
import { claimOf, scopeText, type CertifiedExample } from './claim.ts';

/** How robustness is certified during training: hybrid uses only intervals in the first epochs, because they are cheap. */
export type CertificationMethod =
  | { readonly kind: 'ibp' }
  | { readonly kind: 'deeppoly' }
  | { readonly kind: 'hybrid'; readonly ibpWarmupEpochs: number };

export interface RobustnessCertifier extends Omit<CertifyOptions, 'method'> {
  /** The radius in the maximum norm. */
  readonly epsilon: number;
  readonly method: CertificationMethod;
  readonly domain?: Domain;
  /** Whether to search for each example's largest radius up to epsilon, instead of reporting 0 if epsilon is not proved. */
  readonly withRadius?: boolean;
}

export interface RobustnessCertificate {
  /** The requested radius. */
  readonly epsilon: number;
  /** Every example keeps its label within this radius; 0 if some example has no certified radius. */
  readonly certifiedRadius: number;
  /** The share of the examples that keep their label within epsilon. */
  readonly certifiedFraction: number;
  readonly method: Method;
  /** What the proofs hold for. */
  readonly arithmetic: Arithmetic;
  readonly examples: readonly CertifiedExample[];
  /** The claim in a sentence, with its scope. */
  readonly scope: string;
}

/** The bounds that a certifier uses in an epoch, counted from 0; omit the epoch after training. */
export const methodAt = (method: CertificationMethod, epoch: number = Infinity): Method =>
  method.kind === 'hybrid' && epoch < method.ibpWarmupEpochs ? 'ibp' : method.kind;

/** Certifies examples of a network, each on its own. Problems: those of {@link ballProperty} and {@link certify}. */
export function certifyExamples(
  network: Network,
  examples: readonly Example[],
  certifier: RobustnessCertifier,
  epoch?: number,
): Result<RobustnessCertificate, Problem> {
  return certifyEach(
    examples.map((example) => ({ network, example })),
    certifier,
    epoch,
  );
}

/**
 * Certifies that nodes of a graph convolutional network keep their labels when the features of all nodes are perturbed within
 * epsilon. Each node is certified on the part of the graph that it depends on. Problems: those of {@link certifyExamples}.
 */
export function certifyNodes(
  { adjacency, features }: Pick<GraphData, 'adjacency' | 'features'>,
  layers: readonly GnnLayer[],
  nodes: readonly { readonly node: number; readonly label: number }[],
  certifier: RobustnessCertifier,
  epoch?: number,
): Result<RobustnessCertificate, Problem> {
  const width = features.length / adjacency.size;
  const cases = nodes.map(({ node, label }) => {
    const { network, inputs } = gnnNetwork(adjacency, layers, [node]);
    const input = inputs.flatMap((one) => [...features.subarray(one * width, (one + 1) * width)]);
    return { network, example: { input, label } };
  });
  return certifyEach(cases, certifier, epoch);
}

function certifyEach(
  cases: readonly { readonly network: Network; readonly example: Example }[],
  certifier: RobustnessCertifier,
  epoch: number | undefined,
): Result<RobustnessCertificate, Problem> {
  const { epsilon, domain, withRadius = false, method: methods, ...options } = certifier;
  const method = methodAt(methods, epoch);
  const { arithmetic = cases[0]?.network.weights ?? 'float64' } = options;
  const found: CertifiedExample[] = [];
  for (const { network, example } of cases) {
    const property = ballProperty(network.outputSize, example, epsilon, domain);
    if (!property.ok) return property;
    const verdict = certify(network, property.value, { ...options, method, arithmetic });
    if (!verdict.ok) return verdict;
    const holds = verdict.value.verdict === 'holds';
    const radius =
      !holds && withRadius
        ? certifiedRadius(network, example, {
            ...options,
            method,
            arithmetic,
            ...(domain && { domain }),
            upTo: epsilon,
          })
        : null;
    if (radius && !radius.ok) return radius;
    found.push({ verdict: verdict.value.verdict, radius: radius ? radius.value.radius : holds ? epsilon : 0 });
  }
  return ok({
    epsilon,
    ...claimOf(found, epsilon),
    method,
    arithmetic,
    examples: found,
    scope: scopeText(found.length, epsilon, arithmetic, domain),
  });
}
