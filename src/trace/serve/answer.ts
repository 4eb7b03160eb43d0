/** What a worker does for one request: everything whose time and memory depend on the client's input. */
import { randomInt } from 'node:crypto';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { err, ok, type Result } from '../../base/result.ts';
import { count } from '../../base/text.ts';
import { readAnyTrace, type AnyTrace } from '../any-trace.ts';
import { leafIndexAt } from '../format/leaves.ts';
import { legacyProof, legacyProofWarnings, writeLegacyProof } from '../legacy/proof.ts';
import { otherKind } from '../kind/other-kind.ts';
import type { Tokenizer } from '../model/model.ts';
import type { Problem } from '../../base/problem.ts';
import { checkLegacyProof } from '../verify/check-legacy-proof.ts';
import { checkProof } from '../verify/check-proof.ts';
import { readAnchor } from '../verify/given-anchor.ts';
import { makeProof } from '../verify/make-proof.ts';
import { selectPositions, type Selection } from '../verify/selection.ts';
import { legacySource, sourceOf, type ReplaySource } from '../verify/source.ts';
import { legacyProofJson, proofJson, replayJson, unreadableJson } from '../verify/verdict-json.ts';
import { verifyTrace } from '../verify/verify-trace.ts';
import { jsonReply, problemReply, type Reply } from './reply.ts';
import {
  longestPrompt,
  malformed,
  readRequest,
  type CheckRequest,
  type ProveRequest,
  type Route,
  type VerifyRequest,
} from './request.ts';
import type { Shelf } from './shelf.ts';

/** A request whose body is not read yet. */
export interface Ask {
  readonly route: Route;
  readonly body: Uint8Array;
  /** Positions that one replay may take. */
  readonly maxSteps: number;
}

/** The answer to a request: verdicts have status 200 whatever they say; without a verdict, 400 or 422 with a problem. */
export async function answer({ route, body, maxSteps }: Ask, shelf: Shelf): Promise<Reply> {
  switch (route) {
    case 'verify': {
      const request = readRequest(route, body);
      return request.ok ? verify(request.value, maxSteps, shelf) : problemReply(400, request.error);
    }
    case 'prove': {
      const request = readRequest(route, body);
      return request.ok ? prove(request.value) : problemReply(400, request.error);
    }
    case 'check': {
      const request = readRequest(route, body);
      return request.ok ? check(request.value) : problemReply(400, request.error);
    }
  }
}

/** What verdicts call their subject: a request has no file. */
const subject = 'request';

async function verify(request: VerifyRequest, maxSteps: number, shelf: Shelf): Promise<Reply> {
  const anchor = readAnchor(request.anchor);
  if (!anchor.ok) return problemReply(400, anchor.error);
  const read = await readAnyTrace(request.trace);
  // A damaged trace is a finding like any other.
  if (!read.ok) return jsonReply(unreadableJson('trace', subject, read.error), 'failed');
  const prompt = longPrompt(request, read.value, maxSteps);
  if (prompt !== null) return problemReply(422, prompt);
  const tokenizer = tokenizerFor(request, read.value, shelf);
  if (!tokenizer.ok) return problemReply(422, tokenizer.error);
  const source = sourceFor(request, read.value, tokenizer.value);
  if (!source.ok) return problemReply(422, source.error);
  const which = selectionOf(request.steps);
  const selected = selectPositions(source.value.entries, which);
  const positions = (selected.ok ? (selected.value.at(-1) ?? -1) : -1) + 1;
  if (positions > maxSteps) return problemReply(422, tooManySteps(positions, maxSteps));
  const digest = request.model ?? source.value.recorded.model.digest;
  const model = digest === null ? null : shelf.model(digest);
  if (digest === null || model === null) return problemReply(422, unknown('model', digest));
  const verdict = await verifyTrace({
    source: source.value,
    engine: model.engine,
    files: { modelDigest: digest, config: model.config, tokenizer: tokenizer.value },
    which,
    level: request.level,
    anchor: anchor.value,
    incomplete: request.incomplete,
    ...(request.require === null ? {} : { require: request.require }),
  });
  return jsonReply(replayJson(subject, verdict, source.value, which), verdict.verdict);
}

/** A challenge without a seed gets an unpredictable one, which the verdict states. */
function selectionOf(steps: VerifyRequest['steps']): Selection {
  return steps.kind === 'sample' ? { ...steps, seed: steps.seed ?? randomInt(2 ** 48 - 1) } : steps;
}

/** The request's, or the trace's if it is served; a replay of v2 works without one. */
function tokenizerFor({ tokenizer }: VerifyRequest, read: AnyTrace, shelf: Shelf): Result<Tokenizer | null, Problem> {
  const named = tokenizer ?? (read.format === 'v2' ? read.trace.manifest.tokenizer.digest : null);
  const found = named === null ? null : shelf.tokenizer(named);
  return found === null && tokenizer !== null ? err(unknown('tokenizer', named)) : ok(found);
}

function sourceFor(
  { legacy }: VerifyRequest,
  read: AnyTrace,
  tokenizer: Tokenizer | null,
): Result<ReplaySource, Problem> {
  if (read.format === 'v2') {
    if (legacy === null) return ok(sourceOf(read.trace));
    return err(malformed('`legacy` is for traces of llama2-rs: this trace binds its own prompt and sampler.'));
  }
  if (tokenizer === null) {
    return err(malformed('A trace of llama2-rs holds its prompt as text: name the tokenizer by its digest.'));
  }
  const given = legacy?.prompt ?? null;
  const prompt = tokenizer.encode(given ?? read.trace.metadata.prompt);
  const asked = legacy?.sampler ?? null;
  const [sampler, assumed] = asked === null ? [{ kind: 'greedy' } as const, ['legacy.sampler']] : [asked, []];
  return ok(legacySource(read.trace, { prompt, promptOfFile: given === null, sampler, assumed }));
}

function unknown(what: 'model' | 'tokenizer', digest: string | null): Problem {
  const message =
    digest === null
      ? `The trace does not say which ${what} it is of: name one by its digest.`
      : `This server does not have the ${what} ${digest}: GET /v1/models lists those that it has.`;
  return { code: 'PV-8073', check: what, message, ...(digest === null ? {} : { actual: digest }) };
}

/** A prompt is encoded or fed in before anything else: one that is too long for any replay here is refused first. */
function longPrompt({ legacy }: VerifyRequest, read: AnyTrace, maxSteps: number): Problem | null {
  const { text, tokens } =
    read.format === 'v2'
      ? read.trace.manifest.prompt
      : { text: legacy?.prompt ?? read.trace.metadata.prompt, tokens: null };
  const problem = (message: string, expected: string, actual: number): Problem => {
    return { code: 'PV-8074', check: 'prompt', message, expected, actual: String(actual) };
  };
  if (text !== null && text.length > longestPrompt) {
    const message = `The prompt has ${count(text.length, 'character')}, and this server encodes ${longestPrompt} at most: replay the trace yourself.`;
    return problem(message, `at most ${longestPrompt}`, text.length);
  }
  if (tokens === null || tokens.length <= maxSteps) return null;
  const message = `The prompt has ${count(tokens.length, 'token')}, and this server replays ${maxSteps} at most: replay the trace yourself.`;
  return problem(message, `at most ${maxSteps}`, tokens.length);
}

function tooManySteps(positions: number, maxSteps: number): Problem {
  const message = `The replay would take ${count(positions, 'step')}, and this server replays ${maxSteps} at most: ask for an earlier position, or replay the trace yourself.`;
  return { code: 'PV-8074', check: 'steps', message, expected: `at most ${maxSteps}`, actual: String(positions) };
}

async function prove({ trace, position, checkpoint }: ProveRequest): Promise<Reply> {
  const read = await readAnyTrace(trace);
  if (!read.ok) return problemReply(422, read.error);
  if (read.value.format === 'legacy') {
    if (position === null || checkpoint !== null) {
      const message = 'A trace of llama2-rs has no manifest leaf and knows no checkpoints: give a position alone.';
      return problemReply(422, malformed(message));
    }
    const { entries } = read.value.trace;
    if (position >= entries.length) return problemReply(422, outside(position, entries.length));
    const bytes = writeLegacyProof(legacyProof(read.value.trace, position));
    return jsonReply({ legacyProof: Buffer.from(bytes).toString('base64'), warnings: legacyProofWarnings });
  }
  const v2 = read.value.trace;
  const index = position === null ? 0 : leafIndexAt(v2, position);
  if (index === null) return problemReply(422, outside(position ?? 0, v2.entries.length));
  const proof = makeProof(v2, index, checkpoint ?? v2.checkpoint);
  if (!proof.ok) return problemReply(422, proof.error);
  const cut = 'the trace is incomplete: its file ends without its footer';
  return jsonReply({ proof: proof.value, warnings: v2.complete ? [] : [cut] });
}

function outside(position: number, entries: number): Problem {
  const message = `The trace holds no position ${position}: it has ${count(entries, 'entry', 'entries')}.`;
  return { code: 'PV-8068', check: 'position', message, position };
}

async function check({ proof, position, anchor: given }: CheckRequest): Promise<Reply> {
  const anchor = readAnchor(given);
  if (!anchor.ok) return problemReply(400, anchor.error);
  if (typeof proof === 'string') {
    const other = otherKind(utf8ToBytes(proof), 'proof');
    if (other !== null) return jsonReply(unreadableJson('proof', subject, other), 'failed');
    const found = await checkProof(proof, anchor.value, position);
    return jsonReply(proofJson(subject, found), found.verdict);
  }
  const { root, size, checkpoint, policy, origin } = anchor.value;
  if (size !== undefined || checkpoint !== undefined || policy !== undefined || origin !== undefined) {
    const message =
      'A proof of llama2-rs is checked against a root alone: its format knows no sizes and no checkpoints.';
    return problemReply(400, malformed(message));
  }
  const found = checkLegacyProof(proof, root);
  return jsonReply(legacyProofJson(subject, found), found.verdict);
}
