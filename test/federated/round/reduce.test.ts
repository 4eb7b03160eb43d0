import { describe, expect, it } from 'vitest';
import { joinFault } from '../../../src/federated/round/reduce.ts';
import type { Member } from '../../../src/federated/round/state.ts';
import type { NodeId } from '../../../src/federated/node-id.ts';
import { present } from '../../../src/base/invariant.ts';
import { createWorld, draftOf, good, idOf, start, startNode } from '../nodes.ts';

describe('joining', () => {
  it('ends after as many members as a log can afford, also if all have revoked', async () => {
    const ada = await startNode(createWorld(['ada', 'bernd']), 'ada');
    const id = good(await ada.coordinator.announceRound(draftOf()));
    good(await ada.participant.join(id, true));
    const state = present(ada.node.replica.rounds.get(id), 'announced');
    const [[, member]] = [...state.members] as [[NodeId, Member]];
    const crowd = (size: number) => ({
      ...state,
      members: new Map(
        Array.from({ length: size }, (_, i) => [`${i}` as NodeId, { ...member, phase: 'REVOKED' as const }]), // any keys
      ),
    });
    const consent = { ...member.consent, participant: idOf('bernd') };
    expect(joinFault(crowd(4095), consent, start)).toBeNull();
    expect(joinFault(crowd(4096), consent, start)?.code).toBe('round_full');
  });
});
