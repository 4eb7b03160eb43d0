import type { Adapters } from './adapters.ts';
import type { RoundCoordinator } from './coordinator.ts';
import type { FedNode } from './fed-node.ts';
import type { RoundParticipant } from './participant.ts';

/** The views of a node that the bus reaches. */
export interface Served {
  readonly node: FedNode;
  readonly coordinator: RoundCoordinator;
  readonly participant: RoundParticipant;
  readonly adapters: Adapters;
}
