/** A run of MLflow's file store as a data set: its metrics are a log, its parameters are values. */
import { diagnostic, type Staged } from '../../../diagnostics/diagnostic.ts';
import type { Host } from '../../../host/host.ts';
import { DEFAULT_MAX_ROWS, type DataOptions, type DataSet } from '../data-set.ts';
import { finishLog, keysToNames, tooManyRows } from '../read-log.ts';
import { createFindings } from '../stream/findings.ts';
import { MAX_VALUES, readMetrics, type MetricValue } from './metric-values.ts';
import { metricRows } from './metric-rows.ts';
import { readParams } from './params.ts';
import { filesBelow } from './run-folder.ts';

/** The value is null if the folder has neither metrics nor parameters. */
export async function readMlflowRun(host: Host, path: string, options: DataOptions): Promise<Staged<DataSet | null>> {
  const folder = path.replace(/\/+$/, '');
  const findings = createFindings(path);
  const metrics = await filesBelow(host, `${folder}/metrics`, findings);
  const params = await readParams(host, folder, await filesBelow(host, `${folder}/params`, findings), options);
  if (metrics.length === 0 && params.values.size + params.unused.length === 0) {
    const hint = 'A run of MLflow has the folders metrics and params: mlruns/EXPERIMENT/RUN.';
    findings.add(diagnostic('PV-7013', null, 'The folder has neither metrics nor parameters', { subject: path, hint }));
    return { value: null, diagnostics: findings.list() };
  }
  const values: MetricValue[] = [];
  const isAll = await readMetrics(host, metrics, values, findings);
  const rows = metricRows(path, values, keysToNames(options), options.maxRows ?? DEFAULT_MAX_ROWS);
  for (const one of rows.diagnostics) findings.add(one);
  if (!isAll || rows.isFull) findings.add(tooManyRows(path, Math.min(MAX_VALUES, options.maxRows ?? MAX_VALUES)));
  const { tables } = rows;
  const set: DataSet = { path, format: 'mlflow', ...params, tables };
  // A run that recorded parameters only is a config.
  return metrics.length === 0 ? { value: set, diagnostics: findings.list() } : finishLog(set, findings);
}
