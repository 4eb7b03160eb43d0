import { formatConsistency } from '../../trace/format/consistency-file.ts';
import { consistency } from '../../trace/format/leaves.ts';
import type { Cli } from '../cli.ts';
import { defineCommand } from '../command.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { integerBetween } from '../number-parsers.ts';
import { openV2Trace } from './open-trace.ts';
import { deliver, forceFlag, targetOf, proofFlag } from './output-file.ts';
import { sayProblem } from '../problem-text.ts';

type Flags = {
  readonly from: number;
  readonly to?: number;
  readonly out?: string;
  readonly force: boolean;
};

/** `pv trace consistency prove TRACE --from N`. */
export const consistencyProve = defineCommand<Flags, readonly [string]>({
  description:
    'Proves that the trace of --from leaves is the beginning of the trace of --to leaves. A trace that is still being recorded\n' +
    'can be read up to its last whole entry.',
  examples: [['pv trace consistency prove run.trace --from 20 --to 61 --out grown.proof', 'From 20 leaves to 61']],
  flags: {
    from: { kind: 'parsed', parse: integerBetween(1), placeholder: 'leaves', brief: 'The smaller size' },
    to: {
      kind: 'parsed',
      parse: integerBetween(1),
      placeholder: 'leaves',
      brief: 'The larger size; that of the trace when absent',
      optional: true,
    },
    out: proofFlag,
    force: forceFlag,
  },
  aliases: { o: 'out' },
  positional: { kind: 'tuple', parameters: [{ brief: 'A v2 trace', placeholder: 'trace', parse: String }] },
  run: proveGrowth,
});

async function proveGrowth(cli: Cli, { from, to, out, force }: Flags, path: string): Promise<ExitCode> {
  const target = out === undefined ? null : await targetOf(cli, out, force, [path]);
  if (out !== undefined && target === null) return exitCodes.usage;
  const noSize =
    'the root of a llama2-rs trace does not bind its size, so that nothing can be shown to have grown from it';
  const trace = await openV2Trace(cli, path, noSize);
  if (typeof trace === 'number') return trace;
  const proof = consistency(trace, from, to ?? trace.size);
  if (!proof.ok) {
    sayProblem(cli, proof.error, path);
    return exitCodes.findings;
  }
  return deliver(cli, target, formatConsistency(proof.value));
}
