/** The values in the files of one metric each, as `FileStore._get_metric_from_line` reads them: `timestamp value step`. */
import { quoted } from '../../../base/text.ts';
import type { Host } from '../../../host/host.ts';
import { numberFromText } from '../number-text.ts';
import { pushBytes } from '../read-bytes.ts';
import { createLineReader } from '../stream/lines.ts';
import type { Findings } from '../stream/findings.ts';
import type { NamedFile } from './run-folder.ts';

/** One value that a run logged. */
export interface MetricValue {
  readonly metric: string;
  /** Milliseconds since 1970; values of one call have the same. */
  readonly time: number;
  readonly value: number;
  readonly step: number;
}

/** Values are held until the run is read; this many are 300 MB. */
export const MAX_VALUES = 2_000_000;

/** Reads the files of metrics into `values`; false when there are too many. */
export async function readMetrics(
  host: Host,
  files: readonly NamedFile[],
  values: MetricValue[],
  findings: Findings,
): Promise<boolean> {
  for (const { name, path } of files) {
    const onLine = (text: string, line: number, last: boolean): boolean => {
      if (text.trim() === '') return true;
      const value = last ? null : valueOf(name, text);
      if (value !== null) values.push(value);
      else if (last) findings.atLine('PV-7020', line, text, `The last line of ${name} is cut off`, cut);
      else findings.atLine('PV-7021', line, text, `${quoted(text, 40)} is not a value of a metric`, malformed);
      return values.length <= MAX_VALUES;
    };
    const onLongLine = (line: number): boolean => {
      findings.atLine('PV-7023', line, '', `A line of ${name} is too long and is passed over`, malformed);
      return true;
    };
    const lines = createLineReader({ onLine, onLongLine }, 4096);
    const read = await pushBytes(host, path, (chunk) => lines.push(chunk));
    if (!read.ok) findings.add(read.error);
    if (values.length > MAX_VALUES || !lines.end()) return false;
  }
  return true;
}

const cut = {
  hint: 'MLflow ends each line: the run was stopped while it wrote. The line is not read. --allow-cut if that is expected.',
};
const malformed = {
  hint: 'A line is a timestamp, a value and a step, such as 1700000000000 2.5 100. It is passed over.',
};

/**
 * Without a step, as in files of MLflow before 1.0, it is 0, as MLflow reads it. Two further fields are the name and the digest of the
 * data set (`_log_run_metric` of MLflow 3, which writes the step before them, though `_get_metric_from_line` there takes it for 0).
 */
function valueOf(metric: string, text: string): MetricValue | null {
  const [time = '', value = '', step = '0', ...dataset] = text.trim().split(' ');
  if (!/^\d{1,16}$/.test(time) || !/^[-+]?\d{1,15}$/.test(step) || ![0, 2].includes(dataset.length)) return null;
  const number = /^[-+.\deinfaty]+$/i.test(value) ? numberFromText(value) : null;
  return number === null ? null : { metric, time: Number(time), value: number, step: Number(step) };
}
