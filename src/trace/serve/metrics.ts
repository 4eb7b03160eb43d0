/** Counters of a server in the text format of Prometheus (version 0.0.4). */

/** Upper bounds in seconds: a proof takes a millisecond, a long replay a minute. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Counts what the server does. */
export interface Metrics {
  readonly answered: (route: string, status: number, seconds: number) => void;
  readonly verdict: (route: string, verdict: string) => void;
  /** The text with the current values. */
  readonly text: (now: { readonly queued: number; readonly running: number; readonly lostWorkers: number }) => string;
}

/** Routes, statuses and verdicts are this server's own words: there are few of them, whatever clients send. */
export function createMetrics(): Metrics {
  const requests = new Map<string, number>();
  const verdicts = new Map<string, number>();
  const durations = new Map<string, { readonly counts: number[]; sum: number; count: number }>();
  return {
    answered(route, status, seconds) {
      add(requests, `route="${route}",status="${status}"`);
      const duration = durations.get(route) ?? { counts: bounds.map(() => 0), sum: 0, count: 0 };
      durations.set(route, duration);
      duration.sum += seconds;
      duration.count += 1;
      for (const [i, bound] of bounds.entries())
        if (seconds <= bound) duration.counts[i] = (duration.counts[i] ?? 0) + 1;
    },
    verdict: (route, verdict) => add(verdicts, `route="${route}",verdict="${verdict}"`),
    text({ queued, running, lostWorkers }) {
      const histogram = [...durations].flatMap(([route, { counts, sum, count }]) => [
        ...bounds.map((bound, i) => `pv_request_seconds_bucket{route="${route}",le="${bound}"} ${counts[i]}`),
        `pv_request_seconds_bucket{route="${route}",le="+Inf"} ${count}`,
        `pv_request_seconds_sum{route="${route}"} ${sum}`,
        `pv_request_seconds_count{route="${route}"} ${count}`,
      ]);
      const lines = [
        ...family(
          'pv_requests_total',
          'counter',
          'Requests that were answered.',
          samples('pv_requests_total', requests),
        ),
        ...family('pv_verdicts_total', 'counter', 'Verdicts that were given.', samples('pv_verdicts_total', verdicts)),
        ...family('pv_request_seconds', 'histogram', 'Time from the headers of a request to its answer.', histogram),
        ...family('pv_queue_length', 'gauge', 'Requests that wait for a worker.', [`pv_queue_length ${queued}`]),
        ...family('pv_jobs_running', 'gauge', 'Requests that run on a worker.', [`pv_jobs_running ${running}`]),
        ...family(
          'pv_workers_lost_total',
          'counter',
          'Workers that were stopped or failed while they served a request.',
          [`pv_workers_lost_total ${lostWorkers}`],
        ),
      ];
      return `${lines.join('\n')}\n`;
    },
  };
}

const add = (counts: Map<string, number>, labels: string): void =>
  void counts.set(labels, (counts.get(labels) ?? 0) + 1);

const samples = (name: string, counts: ReadonlyMap<string, number>): readonly string[] =>
  [...counts].map(([labels, value]) => `${name}{${labels}} ${value}`);

const family = (name: string, type: string, help: string, lines: readonly string[]): readonly string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
  ...lines,
];
