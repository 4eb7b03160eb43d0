/** What the hostile node of the demo tries. Everything goes over the bus, as a stranger would send it. */
import { writeAdapter } from '../adapter/adapter-file.ts';
import { sumOf } from '../adapter/difference.ts';
import type { StateDict } from '../adapter/layout.ts';
import { uniform } from '../../training/model/initial.ts';
import type { RoundManifest } from '../manifest.ts';
import { manifestSha } from '../manifest.ts';
import { ask, capabilities } from '../node/capabilities.ts';
import type { NodeId } from '../node-id.ts';
import { clipGradient } from '../privacy/clip.ts';
import { consentForm, submissionForm, tokenForm, type Submission, type Token } from '../statements.ts';
import { shaOf } from '../store/blobs.ts';
import { sign } from '../wire/signed.ts';
import type { DemoNode } from './demo-node.ts';

/** An attack, and the code of the answer. */
export interface Attempt {
  readonly attack: string;
  /** `accepted` for one that no check can tell from an honest submission. */
  readonly answer: string;
}

/** Random noise in B, as long as the clip allows. */
function poisoned(start: StateDict, clipNorm: number): StateDict {
  const noise = new Map(
    [...start].map(([name, { shape, data }]) => [
      name,
      { shape, data: name.includes('.lora_B.') ? uniform(666, name, data.length, 1) : new Float32Array(data.length) },
    ]),
  );
  return sumOf(start, clipGradient(noise, clipNorm));
}

/** Runs the attacks that must be refused, then submits an adapter that only the rule of the round can deal with. */
export async function attackRound(
  mallory: DemoNode,
  manifest: RoundManifest,
  start: StateDict,
  victim: NodeId,
): Promise<readonly Attempt[]> {
  const { node, participant, bus } = mallory;
  const { roundId, coordinator } = manifest;
  const sha = manifestSha(manifest);
  const about = { roundId, manifestSha: sha };
  const forged = consentForm.encode({
    ...sign(
      consentForm,
      { ...about, participant: node.self, baseModelSha: manifest.baseModelSha, grantedAt: node.now() },
      node.signer,
    ),
    participant: victim,
  });
  const attempts: Attempt[] = [];
  const tries = async (
    attack: string,
    answer: Promise<{ readonly ok: boolean; readonly error?: { code: string } }>,
  ) => {
    const answered = await answer;
    attempts.push({ attack, answer: answered.ok ? 'accepted' : (answered.error?.code ?? 'refused') });
  };
  await tries('joins under the name of another node', ask(bus, capabilities.join, coordinator, forged));
  const token = await participant.join(roundId, true);
  if (!token.ok) return attempts;
  const submit = async (bytes: Uint8Array, changes: Partial<Submission> = {}) => {
    await bus.putBlob(bytes);
    const draft = {
      ...about,
      participant: node.self,
      deltaSha: shaOf(bytes),
      deltaSize: bytes.length,
      numSamples: 1,
      trainLoss: 0.1,
      submittedAt: node.now(),
      ...changes,
    };
    return send(mallory, coordinator, sign(submissionForm, draft, node.signer), token.value);
  };
  const poison = writeAdapter(poisoned(start, manifest.clipNorm));
  const mapped = (of: (x: number, i: number) => number): Uint8Array =>
    writeAdapter(new Map([...start].map(([name, { shape, data }]) => [name, { shape, data: data.map(of) }])));
  await tries('submits NaN in one tensor', submit(mapped((x, i) => (i === 3 ? NaN : x))));
  await tries('changes the frozen A', submit(mapped((x) => x + 1)));
  await tries('submits an update of a thousand times the norm', submit(writeAdapter(poisoned(start, 1000))));
  await tries('leaves out a tensor', submit(writeAdapter(new Map([...start].slice(1)))));
  await tries('states more samples than the round allows', submit(poison, { numSamples: manifest.maxSamples + 1 }));
  await tries('names another manifest', submit(poison, { manifestSha: '0'.repeat(64) }));
  await tries('submits noise within the norm', submit(poison, { numSamples: 100 }));
  await tries('submits again', submit(poison, { numSamples: 101 }));
  return attempts;
}

const send = (mallory: DemoNode, coordinator: NodeId, submission: Submission, token: Token) =>
  ask(mallory.bus, capabilities.submit, coordinator, {
    submission: submissionForm.encode(submission),
    token: tokenForm.encode(token),
  });
