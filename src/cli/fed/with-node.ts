/** Runs a short command: opens the settings, connects, commands the node that runs, and reports what it refuses. */
import type { JsonValue } from '../../base/canonical-json.ts';
import { visible } from '../../base/text.ts';
import type { Decoder } from '../../evidence/decoder.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { refuse } from '../../federated/fed-code.ts';
import { command } from '../../federated/node/operator.ts';
import { say, type Cli } from '../cli.ts';
import { connect, openSettings, type Settings } from './open-settings.ts';
import type { NodeFlags } from './node-flags.ts';
import { reportRefusal } from './report.ts';

/** Finalising takes longest: the node fetches and aggregates all deltas. */
const answerMs = 600_000;
/** How long a node may take to start. */
const patienceMs = 8000;
const pauseMs = 200;

/** The operator's side of a node that runs. */
export interface OwnNode {
  readonly settings: Settings;
  /** The node's answer, which is signed by it; the exit code after reporting a refusal, or that the node does not run. */
  readonly command: <T>(
    capability: string,
    request: JsonValue,
    decode: Decoder<T>,
  ) => Promise<{ readonly value: T; readonly json: JsonValue } | ExitCode>;
}

/** Exits with 1 for what is refused, and with 2 where the node cannot be reached. */
export async function withNode(
  cli: Cli,
  flags: NodeFlags,
  work: (node: OwnNode) => Promise<ExitCode>,
): Promise<ExitCode> {
  const settings = await openSettings(cli, flags);
  if (settings === null) return exitCodes.usage;
  if (!settings.config.enabled) return reportRefusal(cli, flags.json, refuse('experimental_disabled').error);
  const bus = await connect(cli, settings, answerMs);
  if (bus === null) return exitCodes.usage;
  const operator = { bus, signer: settings.signer, now: () => 1000 * cli.host.posixSeconds() };
  const ended = await work({
    settings,
    async command(capability, request, decode) {
      const answered = await patiently(cli, () => command(operator, capability, request));
      if (answered.ok) {
        const read = decode(answered.value, 'answer');
        if (read.ok) return { value: read.value, json: answered.value };
        return reportRefusal(cli, flags.json, {
          code: 'message_invalid',
          detail: `the node is another version: ${read.error}`,
        });
      }
      if (answered.error !== 'not-running') return reportRefusal(cli, flags.json, answered.error);
      const name = visible(settings.signer.key.name);
      say(cli, `pv: the node ${name} does not answer: start it with pv fed node --config ${visible(flags.config)}`);
      return exitCodes.usage;
    },
  });
  await bus.close();
  return ended;
}

type Answered = Awaited<ReturnType<typeof command>>;

/** Asks again for a while as long as the node is not there: it may be starting. */
async function patiently({ host, signal }: Cli, attempt: () => Promise<Answered>): Promise<Answered> {
  const until = host.monotonicMs() + patienceMs;
  for (;;) {
    const answered = await attempt();
    const isAway = !answered.ok && answered.error === 'not-running';
    if (!isAway || signal.aborted || host.monotonicMs() > until) return answered;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
