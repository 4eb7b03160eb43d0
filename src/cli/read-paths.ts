import type { Contract } from '../contract/contract.ts';
import { readContracts } from '../contract/validate.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { renderDiagnostic } from '../diagnostics/render.ts';
import { say, type Cli } from './cli.ts';
import { diagnosticPalette } from './color.ts';
import { findContractFiles, readSources } from './contract-files.ts';

export interface ReadPaths {
  /** Files found, in order. */
  readonly paths: readonly string[];
  /** What could be made of them, however much is wrong. */
  readonly contracts: readonly Contract[];
  /** Findings about the contents. */
  readonly findings: readonly Diagnostic[];
  /** What was asked for and could not be read; a command that has any exits with 2. */
  readonly unread: readonly Diagnostic[];
}

/** Reads the contracts that paths on the command line stand for. */
export async function readPaths(cli: Cli, paths: readonly string[]): Promise<ReadPaths> {
  const files = await findContractFiles(cli.host, paths);
  const sources = await readSources(cli.host, files.paths);
  const contracts = readContracts(sources.value);
  return {
    paths: files.paths,
    contracts: contracts.value,
    findings: contracts.diagnostics,
    unread: [...files.problems, ...sources.diagnostics],
  };
}

/** Tells the person about findings beside data that goes to stdout. */
export function sayDiagnostics(cli: Cli, diagnostics: readonly Diagnostic[]): void {
  const color = diagnosticPalette(cli.process.stderr.color);
  for (const diagnostic of diagnostics) say(cli, `${renderDiagnostic(diagnostic, { color })}\n`);
}
