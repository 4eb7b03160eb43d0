/** The data contracts that paths on the command line denote. */
import { elaborateAll } from '../../audit/elaborate-all.ts';
import { quoted } from '../../base/text.ts';
import { dataContractOf, type DataContract } from '../../contract/data-contract.ts';
import { codes } from '../../diagnostics/codes.ts';
import { diagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Session } from '../session.ts';
import { exitCodes, type ExitCode } from '../exit-code.ts';
import { readWithDependencies } from '../project-files.ts';

/** `complete`: all of them can be evaluated. */
export type DataContracts =
  | { readonly complete: true; readonly contracts: readonly DataContract[] }
  | { readonly complete: false; readonly exitCode: ExitCode };

/** Reads the contracts; reports what is wrong with them, or that they are about kernels. */
export async function readDataContracts(session: Session, paths: readonly string[]): Promise<DataContracts> {
  const read = await readWithDependencies(session, paths);
  await session.show(read.unread);
  if (read.unread.length > 0) return { complete: false, exitCode: exitCodes.usage };
  const elaborated = elaborateAll(read.contracts);
  const asked = elaborated.filter(({ contract }) => read.asked.includes(contract.path));
  const others = asked.filter(({ contract }) => contract.dataSection === null);
  const errors = [
    ...read.findings.filter(({ severity }) => severity === 'error'),
    // Mistakes are only warnings in contracts that are not meant to be run, but a contract over data is run.
    ...asked.flatMap(({ diagnostics }) => diagnostics).filter(({ code }) => codes[code].severity === 'error'),
  ];
  await session.show([...errors, ...others.map(({ contract }) => notAboutData(contract.path))]);
  if (errors.length > 0) return { complete: false, exitCode: exitCodes.findings };
  if (others.length > 0) return { complete: false, exitCode: exitCodes.usage };
  return { complete: true, contracts: asked.map(dataContractOf) };
}

function notAboutData(path: string): Diagnostic {
  return diagnostic('PV-9006', null, `${path} has no section ${quoted('data')}: it is about kernels`, {
    subject: path,
    hint: `pv audit ${path} checks it`,
  });
}
