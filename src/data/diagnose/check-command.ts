/** The command line that repeats one check of a diagnosis. */
import { shellWord } from '../../base/shell-word.ts';
import type { DataModel } from '../../contract/goal.ts';
import type { Settings } from '../judge/inputs.ts';
import type { DataSet } from '../read/data-set.ts';
import { givesValue, type Fitting } from './fit.ts';

/** `pv check contracts/x.yaml --data run.jsonl --with train.yaml --set num_sequences=22079`. */
export function checkCommand(contract: string, model: DataModel, fitting: Fitting, settings: Settings): string {
  const [first, ...others] = fitting;
  const useful = others.filter((other) => gives(model, other));
  // A contract that fits no file is evaluated on values only, so the first file does not apply.
  const [data, ...beside] = first.tables.size + first.values.size > 0 ? [first, ...useful] : useful;
  return [
    `pv check ${shellWord(contract)}`,
    ...(data ? [`--data ${shellWord(data.path)}`] : []),
    ...beside.map(({ path }) => `--with ${shellWord(path)}`),
    ...[...settings].map(([name, value]) => `--set ${shellWord(`${name}=${value}`)}`),
  ].join(' ');
}

function gives(model: DataModel, set: DataSet): boolean {
  return set.tables.size > 0 || model.inputs.some((input) => givesValue(set, input));
}
