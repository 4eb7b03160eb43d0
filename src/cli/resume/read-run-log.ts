/** Reads the log of a run in any format that `pv check` reads, as the losses and learning rates of its steps. */
import type { LoggedStep } from '../../checkpoint/checkpoint.ts';
import type { DataColumn } from '../../data/read/data-set.ts';
import { readData } from '../../data/read/read-data.ts';
import { say, type Cli } from '../cli.ts';

/** Null after reporting what is wrong with the file. */
export async function readRunLog(cli: Cli, path: string): Promise<readonly LoggedStep[] | null> {
  const { value, diagnostics } = await readData(cli.host, path);
  const table = value?.tables.get('log');
  const steps = table?.columns.get('step');
  if (table === undefined || steps === undefined) {
    if (diagnostics.some(({ severity }) => severity === 'error')) await cli.show(diagnostics);
    else
      say(
        cli,
        `pv: ${path}: the log has no rows with a step; pass the log that the training writes, such as trainer_log.jsonl`,
      );
    return null;
  }
  const [losses, rates] = [table.columns.get('loss'), table.columns.get('learning_rate')];
  return Array.from({ length: table.rows }, (_, row) => row).flatMap((row) => {
    const step = valueIn(steps, row);
    return step === null ? [] : [{ step, loss: valueIn(losses, row), learningRate: valueIn(rates, row) }];
  });
}

const valueIn = (column: DataColumn | undefined, row: number): number | null =>
  column === undefined || column.present?.[row] === 0 ? null : (column.values[row] ?? null);
