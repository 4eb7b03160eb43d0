/**
 * What every drawing of the graph shows about a contract: the same nodes, labels and edges in Mermaid, DOT and HTML.
 */
import { compareText, count, visible } from '../base/text.ts';
import { weakerVerdict } from '../evidence/verdict-order.ts';
import { isRefuted, type Verdict } from '../evidence/verdict.ts';
import { claimStory } from './claim-story.ts';
import { claimId, shortened } from './facts.ts';
import type { ContractReport, Report } from './report.ts';
import { shownAs, verdictMarks } from './verdict-mark.ts';

/** A contract as a drawing shows it. */
export interface GraphNode {
  /** `n0`, `n1`, …: never user text. */
  readonly key: string;
  readonly id: string;
  /** The verdict that gives its mark and colour; null for a contract that others mention but that was not read. */
  readonly verdict: Verdict | null;
  /** Text, to be escaped for the format. */
  readonly lines: readonly string[];
  /** What breaks its claims, for a tooltip; to be escaped like all text. */
  readonly refutations: readonly string[];
}

/** A dependency: `from` depends on `to`. */
export interface GraphEdge {
  readonly from: GraphNode;
  readonly to: GraphNode;
}

/** The contracts of a report, and those that they mention. */
export interface ReportGraph {
  readonly nodes: readonly GraphNode[];
  /** From a contract to one that it depends on. */
  readonly edges: readonly GraphEdge[];
}

/** Nodes in the order of the report, then missing contracts. */
export function graphOf(report: Report): ReportGraph {
  const nodes = new Map<string, GraphNode>();
  for (const contract of report.contracts) {
    const { id, verdict, level, declared, evaluated } = contract;
    const known = nodes.get(id);
    const shown = shownAs(contract);
    // Two files may contain contracts with one name (a separate finding): the weaker one is drawn.
    if (known?.verdict && weakerVerdict(known.verdict, shown) === known.verdict) continue;
    const lines = [
      `${verdictMarks[shown].symbol} ${visible(id)}`,
      `${verdict} · ${level}`,
      `${evaluated} of ${count(declared, 'claim')}`,
    ];
    const refutations = refutationsOf(contract);
    nodes.set(id, { key: known?.key ?? `n${nodes.size}`, id, verdict: shown, lines, refutations });
  }
  const missing = report.edges.flatMap(({ from, to }) => [from, to]).filter((id) => !nodes.has(id));
  for (const id of [...new Set(missing)].sort(compareText))
    nodes.set(id, { key: `n${nodes.size}`, id, verdict: null, lines: [visible(id), 'not read'], refutations: [] });
  const edges = report.edges.flatMap(({ from, to }): GraphEdge[] => {
    const [source, target] = [nodes.get(from), nodes.get(to)];
    return source && target ? [{ from: source, to: target }] : [];
  });
  return { nodes: [...nodes.values()], edges };
}

/** A tooltip has little room: it shows a few claims and no long values. */
const shownRefutations = 3;
const longestLine = 200;

function refutationsOf(contract: ContractReport): readonly string[] {
  return contract.claims
    .filter(({ verdict }) => isRefuted(verdict))
    .slice(0, shownRefutations)
    .flatMap((claim) => [`${claimId(contract, claim)} is ${claim.verdict}: ${claim.property}`, ...claimStory(claim)])
    .map((line) => shortened(visible(line.replace(/\s+/g, ' ')), longestLine));
}
