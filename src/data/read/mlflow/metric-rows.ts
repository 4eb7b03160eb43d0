/** Values of metrics, each with its own step, as rows of a log. */
import { count, listOf } from '../../../base/text.ts';
import { diagnostic, type Diagnostic } from '../../../diagnostics/diagnostic.ts';
import { knownKey, type KnownKey } from '../log-names.ts';
import { createLogRows } from '../stream/log-rows.ts';
import { createValueRows } from '../stream/value-rows.ts';
import type { DataTable } from '../data-set.ts';
import type { MetricValue } from './metric-values.ts';

interface MetricRows {
  readonly tables: ReadonlyMap<string, DataTable>;
  readonly diagnostics: readonly Diagnostic[];
  /** There were too many rows. */
  readonly isFull: boolean;
}

/** Joins values into rows by their steps, in the order of time if a metric repeats a step. `mapping` renames metrics. */
export function metricRows(
  path: string,
  values: readonly MetricValue[],
  mapping: ReadonlyMap<string, string>,
  maxRows: number,
): MetricRows {
  const meaning = (metric: string): KnownKey => knownKey(mapping.get(metric) ?? metric);
  const { curves, ofRun, diagnostics } = sorted(
    path,
    values.filter(({ metric }) => !isOfMachine(metric)),
    meaning,
  );
  const rows = createLogRows({ maxRows, isText: false, mapping });
  const joined = createValueRows(rows);
  let isFull = false;
  for (const { metric, step, value } of curves) isFull ||= !joined.put(metric, step, value, step);
  isFull = !joined.end() || isFull;
  for (const { metric, step, value } of ofRun) {
    rows.put(rows.slot('step'), step);
    rows.put(rows.slot(metric), value);
    isFull = !rows.endRow(step, 'summary') || isFull;
  }
  return { tables: rows.finish('step'), diagnostics, isFull };
}

/** `system/cpu_utilization_percentage`: MLflow samples the machine and counts its own samples. */
const isOfMachine = (metric: string): boolean => metric.startsWith('system/');

interface Sorted {
  readonly curves: readonly MetricValue[];
  /** Values of the run as a whole. */
  readonly ofRun: readonly MetricValue[];
  readonly diagnostics: readonly Diagnostic[];
}

function sorted(path: string, given: readonly MetricValue[], meaning: (metric: string) => KnownKey): Sorted {
  const values = given.toSorted((a, b) => a.time - b.time || a.step - b.step);
  const byMetric = valuesByMetric(values);
  const stepped = [...byMetric.values()].filter((own) => own.some(({ step }) => step !== 0));
  if (stepped.length === 0) return counted(path, values, byMetric, meaning);
  const begun = Math.min(...stepped.map((own) => own.find(({ step }) => step !== 0)?.time ?? Infinity));
  const isStepless = (own: readonly MetricValue[]): boolean =>
    own.every(({ step }) => step === 0) && (own.at(-1)?.time ?? 0) >= begun;
  const stepless = [...byMetric].filter(([, own]) => isStepless(own));
  const left = new Set(stepless.map(([metric]) => metric));
  const callOf = ({ time, step }: MetricValue): string => `${time} ${step}`;
  // What a trainer says at its end comes with means of the whole run, under names of the curves.
  const atEnd = new Set(values.filter(({ metric }) => meaning(metric).place === 'summary').map(callOf));
  const isOfRun = (one: MetricValue): boolean => atEnd.has(callOf(one));
  return {
    curves: values.filter((one) => !left.has(one.metric) && !isOfRun(one)),
    ofRun: values.filter((one) => (left.has(one.metric) ? byMetric.get(one.metric)?.length === 1 : isOfRun(one))),
    diagnostics: withoutSteps(
      path,
      stepless.flatMap(([metric, own]) => (own.length > 1 ? [metric] : [])),
    ),
  };
}

function valuesByMetric(values: readonly MetricValue[]): ReadonlyMap<string, readonly MetricValue[]> {
  const found = new Map<string, MetricValue[]>();
  for (const one of values) {
    const own = found.get(one.metric);
    if (own) own.push(one);
    else found.set(one.metric, [one]);
  }
  return found;
}

function withoutSteps(path: string, metrics: readonly string[]): readonly Diagnostic[] {
  if (metrics.length === 0) return [];
  const message = `${listOf(metrics, 5)} ${metrics.length === 1 ? 'was' : 'were'} logged without a step, unlike other metrics, and ${metrics.length === 1 ? 'is' : 'are'} not read`;
  return [diagnostic('PV-7035', null, message, { subject: path, severity: 'warning', hint })];
}

const hint = 'MLflow records step 0 for a value that is logged without one: mlflow.log_metric(name, value, step=…).';

/** A run without steps: the values of a metric are in the order of time, and count as steps if there are as many as losses. */
function counted(
  path: string,
  values: readonly MetricValue[],
  byMetric: ReadonlyMap<string, readonly MetricValue[]>,
  meaning: (metric: string) => KnownKey,
): Sorted {
  const named = (name: string): readonly MetricValue[] | undefined =>
    [...byMetric].find(([metric]) => meaning(metric).name === name)?.[1];
  const rows = (named('loss') ?? named('eval_loss') ?? []).length;
  if (rows <= 1) return { curves: values, ofRun: [], diagnostics: [] };
  const even = [...byMetric].filter(([, own]) => own.length === rows);
  const others = [...byMetric].filter(([, own]) => own.length !== rows && own.length > 1).map(([metric]) => metric);
  return {
    curves: even.flatMap(([, own]) => own.map((one, i) => ({ ...one, step: i + 1 }))),
    ofRun: [...byMetric].flatMap(([, own]) => (own.length === 1 ? own : [])),
    diagnostics: [
      diagnostic('PV-7046', null, `The run recorded no steps: its ${count(rows, 'loss', 'losses')} count as steps`, {
        subject: path,
        hint,
      }),
      ...withoutSteps(path, others),
    ],
  };
}
