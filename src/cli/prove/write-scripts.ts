import { dirname, resolve } from 'node:path';
import { count } from '../../base/text.ts';
import { projectFiles } from '../../host/project-files.ts';
import type { PreparedProof } from '../../real-proofs/prepare.ts';
import { say, type Cli } from '../cli.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { shownPath } from '../../api/project-files.ts';
import { projectFolders } from '../../api/project-root.ts';
import { sayDiagnostics } from '../say-diagnostics.ts';

/** Writes the skeleton of a script for each claim without one. Rocq rejects it until the proofs are written. */
export async function writeScripts(cli: Cli, prepared: readonly PreparedProof[]): Promise<ExitCode> {
  sayDiagnostics(
    cli,
    prepared.flatMap(({ problems }) => problems),
  );
  let written = 0;
  for (const { script, statement, path } of prepared) {
    if (script || !statement) continue;
    const absolute = resolve(cli.host.root, path);
    const { root } = await projectFolders(cli.host, dirname(absolute));
    const outcome = await projectFiles(cli.host, root).write(absolute, beginning(statement.text));
    if (!outcome.ok) {
      say(cli, `pv: ${path} ${outcome.error.message}`);
      return exitCodes.usage;
    }
    say(cli, `wrote ${shownPath(cli, path)}`);
    written += 1;
  }
  if (written === 0)
    say(cli, `pv: nothing to write: ${count(prepared.length, 'claim')}, each with a script or without a statement`);
  return prepared.some(({ problems }) => problems.length > 0) ? exitCodes.findings : exitCodes.ok;
}

function beginning(statement: string): string {
  const shown = statement.replaceAll('(*', '( *').replaceAll('*)', '* )');
  return `(* What is to be proved, as pv writes it:

${shown}
*)

Theorem witness : some_input.
Proof.
Qed.

Theorem proof : claim.
Proof.
Qed.
`;
}
