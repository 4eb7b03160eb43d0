import type { Diagnostic, Staged } from '../diagnostics/diagnostic.ts';
import type { SourceFile } from '../diagnostics/source.ts';
import type { Host } from '../host/host.ts';
import { findFiles, unreadable, type FileKind } from './find-files.ts';

/** The files that the paths on a command line denote, sorted and without duplicates; and what is wrong with the paths. */
export interface ContractFiles {
  readonly paths: readonly string[];
  /** Bindings found among them, which are not read as contracts. */
  readonly bindings: readonly string[];
  readonly problems: readonly Diagnostic[];
}

/** `binding.yaml` or `model.binding.yaml`: what a folder of contracts may also contain. */
export function isBindingName(path: string): boolean {
  return /(^|[./])binding\.ya?ml$/i.test(path);
}

const contract: FileKind = {
  accepts: (name) => /\.ya?ml$/i.test(name),
  standsBeside: isBindingName,
  one: 'contract (no .yaml or .yml file)',
  many: 'YAML files',
  hintWhenEmpty: 'name the folder that holds the contracts',
  hintWhenNoFile: 'write the contract to a file first',
};

/** Finds contract files: given files as they are, folders recursively for `.yaml` and `.yml`. */
export async function findContractFiles(host: Host, paths: readonly string[]): Promise<ContractFiles> {
  const { paths: found, beside, problems } = await findFiles(host, paths, contract);
  return { paths: found, bindings: beside, problems };
}

/** Larger files are not contracts; the reader has its own lower limit with a better message. */
const maxBytes = 16 * 1024 * 1024;

/** The texts of files, in order; those that cannot be read are left out and reported. */
export async function readSources(host: Host, paths: readonly string[]): Promise<Staged<readonly SourceFile[]>> {
  const sources: SourceFile[] = [];
  const diagnostics: Diagnostic[] = [];
  const batch = 32;
  for (let i = 0; i < paths.length; i += batch) {
    const some = paths.slice(i, i + batch);
    const texts = await Promise.all(some.map((path) => host.readText(path, { maxBytes })));
    texts.forEach((text, k) => {
      if (text.ok) sources.push({ path: some[k] ?? '', text: text.value });
      else diagnostics.push(unreadable(text.error));
    });
  }
  return { value: sources, diagnostics };
}
