/** A server of the tiny model, without a network: what it is asked and what it answers are held to its own description. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import { tinyModel } from '../../../src/trace/model/tiny-model.ts';
import { createApp, type Service } from '../../../src/trace/serve/app.ts';
import { loadFolder, type LoadedFolder } from '../../../src/trace/serve/catalogue.ts';
import { createJobs, type JobLimits } from '../../../src/trace/serve/jobs.ts';
import { createMetrics } from '../../../src/trace/serve/metrics.ts';
import { createReading } from '../../../src/trace/serve/reading.ts';
import { openApi } from '../../../src/trace/serve/openapi.ts';
import { repositoryRoot } from '../../support/built.ts';

/** The worker as it is built. */
const builtWorker = pathToFileURL(join(repositoryRoot, 'dist/cli/trace-serve.worker.js'));

/** A worker that does nothing but what `code` says for each request, as a module. */
export const madeWorker = (code: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads';
const reply = (status) => parentPort.postMessage({ ok: true, result: { status, type: 'application/json', body: '{}', verdict: null } });
parentPort.on('message', (job) => { if (job.kind === 'ask') { ${code} } });`)}`,
  );

export async function modelFolder(files: Readonly<Record<string, Uint8Array>> = tinyFiles()): Promise<LoadedFolder> {
  const host = createMemoryHost();
  for (const [name, bytes] of Object.entries(files)) host.files.set(`/project/models/${name}`, bytes);
  const loaded = await loadFolder(host, 'models');
  if (!loaded.ok) throw new Error(loaded.error.message);
  return loaded.value;
}

export function tinyFiles(): Readonly<Record<string, Uint8Array>> {
  const { checkpoint, tokenizer } = tinyModel(7);
  return { 'tiny.bin': checkpoint, 'tiny-tokenizer.bin': tokenizer };
}

export interface Started {
  readonly service: Service;
  readonly app: ReturnType<typeof createApp>;
  readonly said: readonly string[];
}

export async function startService(
  limits: Partial<JobLimits & Service['caps']> = {},
  worker: URL = builtWorker,
  folder?: LoadedFolder,
): Promise<Started> {
  const { catalogue, shelves } = folder ?? (await modelFolder());
  const said: string[] = [];
  const report = (message: string): void => void said.push(message);
  const {
    workers = 1,
    queue = 8,
    share = 9,
    timeoutMs = 60_000,
    memoryMb = 512,
    bodyBytes = 1 << 20,
    steps = 100,
  } = limits;
  const jobs = createJobs(worker, shelves, { workers, queue, share, timeoutMs, memoryMb }, report);
  const caps = { bodyBytes, steps, timeoutMs };
  const page = '<!doctype html><title>a page</title>';
  const monotonicMs = (): number => performance.now();
  const reading = createReading(9 * bodyBytes);
  const service = { catalogue, jobs, reading, metrics: createMetrics(), caps, origins: [], page, monotonicMs, report };
  return { service, app: createApp(service), said };
}

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema(openApi, 'api');

/** What `value` breaks of the schema `name` of the description; null where it is as described. */
export function broken(name: string, value: unknown): string | null {
  const validate = ajv.getSchema(`api#/components/schemas/${name}`);
  if (validate === undefined) throw new Error(`the description has no ${name}`);
  return validate(value) === true ? null : ajv.errorsText(validate.errors);
}

/** JSON that each test looks into for itself. */
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Json;
}

export const jsonOf = async (response: Response): Promise<Json> => response.json();

const requestOf = { verify: 'VerifyRequest', prove: 'ProveRequest', check: 'CheckRequest' } as const;
const answerOf = { verify: 'Verdict', prove: 'Proof', check: 'Verdict' } as const;

/** Posts `body`, and holds question and answer to the description: a question is as described exactly where it is no 400. */
export async function post({ app }: Started, route: keyof typeof requestOf, body: object): Promise<Answer> {
  const response = await app.request(`/v1/${route}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { status, headers } = response;
  const json = await jsonOf(response);
  const isProblem = status !== 200;
  expect(headers.get('content-type')).toBe(isProblem ? 'application/problem+json' : 'application/json');
  expect(broken(isProblem ? 'Problem' : answerOf[route], json)).toBeNull();
  if (!isProblem) expect(broken(requestOf[route], body)).toBeNull();
  return { status, headers, json };
}

export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
