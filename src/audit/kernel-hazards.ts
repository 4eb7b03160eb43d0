/** What the static rules say about the kernels that a project binds: hazards of devices, before anything runs. */
import { resolve } from 'node:path';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { SourceFile } from '../diagnostics/source.ts';
import type { Host } from '../host/host.ts';
import { pathFrom } from '../host/path-from.ts';
import { ruleNames, rules } from '../scan/rules.ts';
import { scan } from '../scan/scan.ts';
import { noSettings } from '../scan/settings.ts';
import type { BoundSubject } from '../subject/bound-subject.ts';

const kernelRules = ruleNames.filter((name) => name.startsWith('kernel-'));
const theirCodes = new Set(kernelRules.map((name) => rules[name].code));

/** The findings in the modules of gpu.js kernels; suppressions in them count. */
export async function kernelHazards(
  subjects: readonly Pick<BoundSubject, 'module' | 'program'>[],
  host: Host,
  roots: readonly string[],
): Promise<readonly Diagnostic[]> {
  const compiled = subjects.filter(({ program }) => program.language === 'gpu.js');
  const modules = new Set(compiled.map(({ module }) => module));
  const sources = await Promise.all([...modules].map((module) => readModule(host, roots, module)));
  const { findings } = await scan(
    host,
    sources.filter((source) => source !== null),
    { rules: kernelRules, types: false, settings: noSettings },
  );
  return findings.flatMap(({ diagnostic }) => (theirCodes.has(diagnostic.code) ? [diagnostic] : []));
}

/** A module is under one of the roots: resolving has read it there. */
async function readModule(host: Host, roots: readonly string[], module: string): Promise<SourceFile | null> {
  for (const root of roots) {
    const path = resolve(host.root, root, module);
    const text = await host.readText(path);
    if (text.ok) return { path: pathFrom(host.root, path), text: text.value };
  }
  return null;
}
