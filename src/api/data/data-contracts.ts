/** The data contracts that paths on the command line denote. */
import { elaborateAll } from '../../audit/elaborate-all.ts';
import { quoted } from '../../base/text.ts';
import type { Contract } from '../../contract/contract.ts';
import type { ElaboratedContract } from '../../contract/goal.ts';
import { dataContractOf, type DataContract } from '../../contract/data-contract.ts';
import { codes } from '../../diagnostics/codes.ts';
import { diagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Session } from '../session.ts';
import { exitCodes, type ExitCode } from '../exit-code.ts';
import { readWithDependencies } from '../project-files.ts';
import { isMade, overConfig } from './over-config.ts';

/** `complete`: all of them can be evaluated. */
export type DataContracts =
  | { readonly complete: true; readonly contracts: readonly DataContract[] }
  | { readonly complete: false; readonly exitCode: ExitCode };

/** Reads the contracts; reports what is wrong with them, or that they are about kernels. */
export async function readDataContracts(session: Session, paths: readonly string[]): Promise<DataContracts> {
  const read = await readWithDependencies(session, paths);
  await session.show(read.unread);
  if (read.unread.length > 0) return { complete: false, exitCode: exitCodes.usage };
  const asked = askedOf(read.contracts, read.asked);
  const others = asked.filter(({ contract }) => contract.dataSection === null);
  const errors = [
    ...read.findings.filter(({ severity }) => severity === 'error'),
    // Mistakes are only warnings in contracts that are not meant to be run, but a contract over data is run.
    ...asked
      .filter(({ contract: { dataSection } }) => !(dataSection && isMade(dataSection)))
      .flatMap(({ diagnostics }) => diagnostics)
      .filter(({ code }) => codes[code].severity === 'error'),
  ];
  await session.show([...errors, ...others.map(({ contract }) => notAboutData(contract.path))]);
  if (errors.length > 0) return { complete: false, exitCode: exitCodes.findings };
  if (others.length > 0) return { complete: false, exitCode: exitCodes.usage };
  for (const { contract } of asked) sayKeys(session, contract);
  return { complete: true, contracts: asked.map(dataContractOf) };
}

/** The asked contracts, over the numbers of a config where they have no section `data` and are about such numbers. */
function askedOf(contracts: readonly Contract[], paths: readonly string[]): readonly ElaboratedContract[] {
  const isAsked = ({ contract }: ElaboratedContract): boolean => paths.includes(contract.path);
  const written = elaborateAll(contracts);
  const made = new Map(
    written.filter(isAsked).flatMap((one) => {
      const contract = overConfig(one);
      return contract ? [[contract.path, contract] as const] : [];
    }),
  );
  if (made.size === 0) return written.filter(isAsked);
  return elaborateAll(written.map(({ contract }) => made.get(contract.path) ?? contract)).filter(isAsked);
}

/** A glossary is its author's word, so that the keys that it names are shown, also where all holds. */
function sayKeys(session: Session, { path, dataSection }: Contract): void {
  if (!dataSection || !isMade(dataSection)) return;
  const renamed = dataSection.inputs.filter(({ name, from }) => from !== null && from !== name);
  if (renamed.length === 0) return;
  session.say(`pv: ${path} takes ${renamed.map(({ name, from }) => `${name} from ${from}`).join(', ')}`);
}

function notAboutData(path: string): Diagnostic {
  const reason = 'and its equations are not about numbers that a config could give';
  return diagnostic('PV-9006', null, `${path} has no section ${quoted('data')}, ${reason}`, {
    subject: path,
    hint: `pv audit ${path} checks it`,
  });
}
