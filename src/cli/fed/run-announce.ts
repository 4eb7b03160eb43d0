/** Reads the draft of a round and has the node announce it. */
import type { JsonObject, JsonValue } from '../../base/canonical-json.ts';
import { ok, type Result } from '../../base/result.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { draftDefaults, readDraft } from '../../federated/draft.ts';
import { capabilities } from '../../federated/node/capabilities.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import type { Cli } from '../cli.ts';
import { readSettings } from '../train/read-run-file.ts';
import type { NodeFlags } from './node-flags.ts';
import { roundNamed } from './replies.ts';
import { answer } from './report.ts';
import { readBase } from './run-verify-rounds.ts';
import { withNode } from './with-node.ts';

/** Flags of `pv fed announce`. */
export type AnnounceFlags = NodeFlags & Readonly<{ minutes?: number }>;

const draftFile = {
  name: 'the draft of a round',
  start: 'docs/federated.md, "Two nodes over NATS", has one to copy.',
};

/** Prints the ID of the round. */
export const runAnnounce = (cli: Cli, flags: AnnounceFlags, file: string): Promise<ExitCode> =>
  withNode(cli, flags, async ({ settings, command }) => {
    const base = await readBase(cli, settings.base);
    if (base === null) return exitCodes.usage;
    const now = 1000 * cli.host.posixSeconds();
    const draft = await readSettings(cli, file, draftFile, async (document) => {
      const deadline = deadlineOf(document, flags.minutes, now);
      if (!deadline.ok) return deadline;
      const whole = { ...draftDefaults(settings.config, base.sha256), ...document, deadline: deadline.value };
      // Read here too, so that the line at fault is shown.
      const read = readDraft(whole, settings.self, 'file');
      return read.ok ? ok(whole) : malformed(`${read.error}.`);
    });
    if (draft === null) return exitCodes.usage;
    const announced = await command(capabilities.announce, { draft }, roundNamed);
    return typeof announced === 'number'
      ? announced
      : answer(cli, flags.json, announced.json, announced.value.round_id);
  });

function deadlineOf({ deadline }: JsonObject, minutes: number | undefined, now: number): Result<JsonValue, Problem> {
  if (minutes === undefined)
    return deadline === undefined
      ? malformed('file.deadline is missing: write it in UTC like 2026-01-31T12:00:00.000Z, or give --minutes.')
      : ok(deadline);
  if (deadline !== undefined)
    return malformed('file.deadline and --minutes both say when submissions end: leave one out.');
  const at = new Date(now + Math.ceil(60_000 * minutes));
  return Number.isFinite(at.getTime()) ? ok(at.toISOString()) : malformed('file.deadline: --minutes is not a time.');
}

const malformed = (message: string): Result<never, Problem> => wrong('PV-8621', 'round draft', message);
