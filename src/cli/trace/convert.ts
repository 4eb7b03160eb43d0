import type { Result } from '../../base/result.ts';
import { err, ok } from '../../base/result.ts';
import { version } from '../../base/version.ts';
import { fromLegacy, toLegacy } from '../../trace/format/convert.ts';
import { toJson } from '../../trace/format/json.ts';
import type { TraceFile } from '../../trace/format/trace.ts';
import { encodeTrace } from '../../trace/format/write-trace.ts';
import { writeLegacyTrace } from '../../trace/legacy/write-trace.ts';
import type { Problem } from '../../base/problem.ts';
import { say, type Cli } from '../cli.ts';
import { defineCommand } from '../command.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import type { AnyTrace } from '../../trace/any-trace.ts';
import { openTrace } from './open-trace.ts';
import { forceFlag, targetOf, writeOutput } from './output-file.ts';
import { sayProblem } from '../problem-text.ts';

type Flags = {
  readonly to: 'v2' | 'json' | 'legacy';
  readonly out: string;
  readonly force: boolean;
};

/** `pv trace convert TRACE --to FORMAT`: the same trace in other words. */
export const convert = defineCommand<Flags, readonly [string]>({
  description:
    'Reads a trace of any format, checks its tree, and writes it in another: v2, its JSON, or that of llama2-rs. What a format\n' +
    'cannot represent is reported on standard error, and nothing is made up: a trace of llama2-rs becomes one whose model hash,\n' +
    'sampler and last token are unknown. Roots of the two formats differ, since their trees do.',
  examples: [
    ['pv trace convert run.trace --to json --out run.json', 'For people and other programs'],
    ['pv trace convert run.json --to v2 --out run.trace', 'And back, byte for byte'],
    ['pv trace convert run.legacy --to v2 --out run.trace', 'To sign and prove what llama2-rs recorded'],
  ],
  flags: {
    to: { kind: 'enum', values: ['v2', 'json', 'legacy'], brief: 'The format to write' },
    out: { kind: 'parsed', parse: String, placeholder: 'file', brief: 'The file to write' },
    force: forceFlag,
  },
  aliases: { o: 'out' },
  positional: { kind: 'tuple', parameters: [{ brief: 'A trace', placeholder: 'trace', parse: String }] },
  run: convertOne,
});

async function convertOne(cli: Cli, { to, out, force }: Flags, path: string): Promise<ExitCode> {
  const target = await targetOf(cli, out, force, [path]);
  if (target === null) return exitCodes.usage;
  const read = await openTrace(cli, path);
  if (typeof read === 'number') return read;
  const written = await writtenAs(read, to);
  if (!written.ok) {
    sayProblem(cli, written.error, path);
    return exitCodes.findings;
  }
  const { content, lost } = written.value;
  const ended = await writeOutput(cli, target, content);
  if (ended !== exitCodes.ok) return ended;
  for (const one of lost) say(cli, `left out: ${one}`);
  say(cli, `wrote ${target.name}`);
  return exitCodes.ok;
}

interface Written {
  readonly content: string | Uint8Array;
  readonly lost: readonly string[];
}

async function writtenAs(read: AnyTrace, to: Flags['to']): Promise<Result<Written, Problem>> {
  if (read.format === 'legacy') {
    if (to === 'legacy') return ok({ content: writeLegacyTrace(read.trace), lost: [] });
    const converted = fromLegacy(read.trace, { name: 'pv', version });
    if (!converted.ok) return converted;
    const { trace, lost } = converted.value;
    return ok({ content: await inV2(trace, to), lost });
  }
  const { trace } = read;
  if (to === 'json') return ok({ content: toJson(trace), lost: [] });
  // The other two formats cannot represent an incomplete trace: it would look complete.
  if (!trace.complete) return err(incomplete(to));
  if (to === 'v2') return ok({ content: await inV2(trace, to), lost: [] });
  const converted = toLegacy(trace);
  return converted.ok
    ? ok({ content: writeLegacyTrace(converted.value.trace), lost: converted.value.lost })
    : converted;
}

async function inV2(trace: TraceFile, to: 'v2' | 'json'): Promise<string | Uint8Array> {
  return to === 'json' ? toJson(trace) : await encodeTrace(trace, trace.checkpoint);
}

function incomplete(to: 'v2' | 'legacy'): Problem {
  return {
    code: 'PV-8032',
    check: 'completeness',
    message: `The trace ends without its footer: written as ${to} it would pass for a whole one. Its JSON says that it is incomplete.`,
  };
}
