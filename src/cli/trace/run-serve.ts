/** Runs the server until a signal ends it. */
import { join } from 'node:path';
import { count, visible } from '../../base/text.ts';
import { createApp } from '../../trace/serve/app.ts';
import { loadFolder, type LoadedFolder } from '../../trace/serve/catalogue.ts';
import { createJobs } from '../../trace/serve/jobs.ts';
import { listen } from '../../trace/serve/listen.ts';
import { createMetrics } from '../../trace/serve/metrics.ts';
import { createReading } from '../../trace/serve/reading.ts';
import { aborted } from '../aborted.ts';
import { print, say, type Cli } from '../cli.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { unreadable } from '../../api/find-files.ts';
import { sayDiagnostics } from '../say-diagnostics.ts';
import { valueOrSaid } from './input.ts';
import type { ServeFlags } from './serve-flags.ts';

/** How long requests in progress may take when the server is asked to stop. */
const graceMs = 10_000;

/** Exits with 2 where it cannot start. */
export async function runServe(cli: Cli, flags: ServeFlags): Promise<ExitCode> {
  const { host, port, workers, queue, maxBody, maxSteps, timeout, memory, allowHost = [] } = flags;
  const { share = Math.ceil((workers + queue) / 2) } = flags;
  const loaded = await valueOrSaid(cli, loadFolder(cli.host, flags.models));
  if (loaded === null) return exitCodes.usage;
  sayLeftOut(cli, flags.models, loaded);
  const { models, tokenizers } = loaded.catalogue;
  if (models.length === 0) {
    say(cli, `pv: '${flags.models}' holds no model: pv trace tiny-model makes one to try this on`);
    return exitCodes.usage;
  }
  const page = await cli.host.readText(join(cli.packageRoot, 'dist', 'trace', 'page.html'));
  if (!page.ok) {
    sayDiagnostics(cli, [unreadable(page.error)]);
    return exitCodes.usage;
  }
  const report = (message: string): void => say(cli, `pv: ${visible(message)}`);
  const timeoutMs = timeout * 1000;
  const entry = new URL('./trace-serve.worker.js', import.meta.url);
  const jobs = createJobs(entry, loaded.shelves, { workers, queue, share, timeoutMs, memoryMb: memory }, report);
  const app = createApp({
    catalogue: loaded.catalogue,
    jobs,
    reading: createReading((workers + queue) * maxBody),
    metrics: createMetrics(),
    caps: { bodyBytes: maxBody, steps: maxSteps, timeoutMs },
    origins: flags.cors ?? [],
    page: page.value,
    monotonicMs: cli.host.monotonicMs,
    report,
  });
  const listening = await listen(app, host, port, [host.toLowerCase(), ...allowHost]);
  if (!listening.ok) {
    say(cli, `pv: cannot listen on ${visible(host)}, port ${port}: ${listening.error}`);
    await jobs.close();
    return exitCodes.usage;
  }
  const where = host.includes(':') ? `[${host}]` : host;
  print(cli, `http://${where}:${listening.value.port}`);
  say(cli, `serving ${count(models.length, 'model')} and ${count(tokenizers.length, 'tokenizer')}; Ctrl-C ends it`);
  await aborted(cli.signal);
  await listening.value.stop(graceMs);
  await jobs.close();
  return exitCodes.ok;
}

function sayLeftOut(cli: Cli, folder: string, { leftOut }: LoadedFolder): void {
  for (const { name, problem } of leftOut) {
    say(
      cli,
      `warning: ${visible(`${folder}/${name}`)} is neither a model nor a tokenizer: ${visible(problem.message)}`,
    );
  }
}
