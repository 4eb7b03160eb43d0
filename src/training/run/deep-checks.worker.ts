/** The entry of the worker that measures deep checks for a trainer. */
import { parentPort, workerData } from 'node:worker_threads';
import { canonicalJson } from '../../base/canonical-json.ts';
import { present } from '../../base/invariant.ts';
import { quoted } from '../../base/text.ts';
import type { Invariant, InvariantChecks, Measurement } from '../invariants/invariant.ts';
import type { DeepRequest } from '../trainer/deep-checks.ts';
import { orThrow } from '../training-error.ts';
import type { DeepAnswer, DeepCheckSource } from './deep-check-worker.ts';
import { readRun } from './run-file.ts';

async function invariantsOf(source: DeepCheckSource): Promise<readonly Invariant[]> {
  if (source.kind === 'run') {
    const run = orThrow(readRun(source.document, source.text));
    return run.options(run.task()).invariants;
  }
  const { invariants } = (await import(source.url)) as { readonly invariants?: unknown };
  if (!Array.isArray(invariants)) throw new Error(`${source.url} does not export a list named invariants`);
  return invariants as readonly Invariant[];
}

/** The checks by the text of the name and settings of their invariant. */
const checks: Promise<ReadonlyMap<string, InvariantChecks>> = invariantsOf(workerData as DeepCheckSource).then(
  (invariants) =>
    new Map(
      // Checks of the whole model know neither tasks nor anchors.
      invariants.map((one) => [keyOf(one), one.start({ anchorNorms: () => [], taskOf: () => 0 })]),
    ),
);

const keyOf = ({ name, settings }: Pick<Invariant, 'name' | 'settings'>): string => canonicalJson([name, settings]);

async function answer({ invariants, attempt, proposed }: DeepRequest): Promise<DeepAnswer> {
  try {
    const known = await checks;
    const found = invariants.map((one): readonly Measurement[] => {
      const own = known.get(keyOf(one));
      if (own?.model === undefined)
        throw new Error(`the worker has no invariant ${quoted(one.name)} with these settings`);
      return own.model(proposed, { ...attempt, parameters: proposed });
    });
    return { found };
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}

const port = present(parentPort, 'this module runs in a worker');
port.on('message', (request: DeepRequest) => {
  void answer(request).then((message) => {
    port.postMessage(message);
  });
});
