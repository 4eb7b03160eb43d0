/** A node: its key, folder, bus and rules. Coordinators and participants are two views of one. */
import { err, ok, type Result } from '../../base/result.ts';
import type { Problem } from '../../base/problem.ts';
import { acquireLock } from '../../checkpoint/store/lock.ts';
import { makeFolder } from '../../checkpoint/store/prepare-folder.ts';
import type { FileProblem, Host } from '../../host/host.ts';
import type { Signer } from '../../notes/signer.ts';
import type { Bus } from '../bus/bus.ts';
import type { FedLearnConfig } from '../config.ts';
import type { DeltaRules } from '../delta-rules.ts';
import { refuse, type Refusal } from '../fed-code.ts';
import { unusable } from '../log/event-log.ts';
import type { NodeId, Roster } from '../node-id.ts';
import { createBlobs, type Blobs } from '../store/blobs.ts';
import { systemRandom, type RandomBytes, type RoundId } from '../ulid.ts';
import type { Claim, LoggedRefusal } from './claim.ts';
import { openJournal, type Journal } from './journal.ts';
import { createPrivacyBudget, type PrivacyBudget } from './privacy-budget.ts';
import { createReplica, type Replica } from './replica.ts';

/** What a node is made of. */
export interface FedNodeOptions {
  /** An `ed25519` key. */
  readonly signer: Signer;
  readonly host: Host;
  /** The node's own folder: its log, blobs and lock. */
  readonly folder: string;
  readonly bus: Bus;
  readonly config: FedLearnConfig;
  /** The identities that count, this node's own included. */
  readonly trusts: Roster;
  readonly rules: DeltaRules;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Cryptographic unless a test asks for the same rounds again. */
  readonly random?: RandomBytes;
  /** Receives the refusals that the node writes to its log. */
  readonly onRefused?: (refusal: LoggedRefusal) => void;
}

/** An open node. */
export interface FedNode extends Required<FedNodeOptions> {
  readonly self: NodeId;
  readonly journal: Journal;
  readonly replica: Replica;
  readonly blobs: Blobs;
  readonly privacy: PrivacyBudget;
  /**
   * Runs a capability: `experimental_disabled` while the switch is off, whatever it is. A refusal is counted and logged, with the round
   * and the sender that the request names.
   */
  readonly guarded: <T>(
    capability: string,
    about: RoundId | Claim | null,
    work: () => Promise<Result<T, Refusal>>,
  ) => Promise<Result<T, Refusal>>;
  /** Releases the folder. */
  readonly close: () => Promise<Result<void, FileProblem>>;
}

/** Opens a node: PV-8600 where its log is damaged, PV-8601 where its folder cannot be used, PV-8542 where another process uses it. */
export async function openFedNode(options: FedNodeOptions): Promise<Result<FedNode, Problem>> {
  const { host, folder, config, signer, bus, trusts, now } = options;
  const made = await makeFolder(host, folder);
  if (!made.ok) return unusable(made.error);
  const lock = await acquireLock(host, folder);
  if (!lock.ok) return lock;
  const { onRefused = () => undefined } = options;
  const journal = await openJournal({ host, folder, trusts, onRefused });
  if (!journal.ok) {
    await lock.value.release();
    return err(journal.error);
  }
  const replica = createReplica({ signer, bus, journal: journal.value, config, trusts, now });
  return ok({
    random: systemRandom,
    ...options,
    onRefused,
    self: replica.self,
    journal: journal.value,
    replica,
    blobs: createBlobs(host, `${folder}/blobs`),
    privacy: createPrivacyBudget({ self: replica.self, journal: journal.value, replica, config }),
    async guarded(capability, about, work) {
      const done = config.enabled ? await work() : refuse('experimental_disabled');
      const claim = typeof about === 'object' && about !== null ? about : { round: about, sender: null };
      if (!done.ok) journal.value.refused(capability, done.error, claim, now());
      return done;
    },
    async close() {
      const closed = await journal.value.close();
      const released = await lock.value.release();
      return closed.ok ? released : closed;
    },
  });
}
