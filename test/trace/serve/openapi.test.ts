/** The description of the interface, held to what is answered: every status that it names is produced here, and is as it says. */
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../../../src/trace/serve/app.ts';
import { listen } from '../../../src/trace/serve/listen.ts';
import { openApi } from '../../../src/trace/serve/openapi.ts';
import { encodeTrace } from '../../../src/trace/format/write-trace.ts';
import { makeProof } from '../../../src/trace/verify/make-proof.ts';
import { ensureBuilt } from '../../support/built.ts';
import { valueOf } from '../../notes/signers.ts';
import { recorded } from '../verify/recorded.ts';
import { base64, broken, jsonOf, madeWorker, startService, type Started } from './service.ts';

const posts = ['verify', 'prove', 'check'] as const;
type Route = (typeof posts)[number];

interface Described {
  readonly operationId: string;
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly content: Readonly<Record<string, { readonly schema: Readonly<Record<string, string>> }>>;
        readonly headers?: object;
      }
    >
  >;
}
const paths = openApi['paths'] as unknown as Readonly<
  Record<string, { readonly get?: Described; readonly post?: Described }>
>;

let server: Started;
const right = {} as Record<Route, object>;
beforeAll(async () => {
  ensureBuilt();
  server = await startService();
  const trace = await recorded();
  const file = base64(await encodeTrace(trace, null));
  right.verify = { trace: file };
  right.prove = { trace: file, position: 3 };
  right.check = { proof: valueOf(makeProof(trace, 4, null)) };
});
afterAll(() => server.service.jobs.close());

const json = { 'content-type': 'application/json' };
const asked = async ({ app }: Started, route: Route, body: string, headers: Record<string, string> = json) =>
  app.request(`/v1/${route}`, { method: 'POST', headers, body });

/** Of a server of its own, which is closed behind it. */
async function ofOther(
  options: Parameters<typeof startService>,
  ask: (other: Started) => Promise<Response>,
): Promise<Response> {
  const other = await startService(...options);
  const answer = await ask(other);
  await other.service.jobs.close();
  return answer;
}

const never = madeWorker('');

/** For each status a request that gets it. */
const producers: Readonly<Record<string, (route: Route) => Promise<Response>>> = {
  200: (route) => asked(server, route, JSON.stringify(right[route])),
  400: (route) => asked(server, route, '[]'),
  408: (route) => ofOther([], (other) => late(other, route, 'x', ['*'])),
  413: (route) => asked(server, route, ' '.repeat((1 << 20) + 1)),
  415: (route) => asked(server, route, '{}', { 'content-type': 'text/plain' }),
  421: (route) => ofOther([], (other) => late(other, route, 'rebound.example', [])),
  422: (route) =>
    asked(
      server,
      route,
      JSON.stringify({
        ...right[route],
        ...{ verify: { model: `sha256:${'0'.repeat(64)}` }, prove: { position: 99 }, check: {} }[route],
      }),
    ),
  500: (route) => ofOther([{}, madeWorker('process.exit(1);')], (other) => asked(other, route, '{}')),
  503: (route) =>
    ofOther([{ workers: 1, queue: 0, timeoutMs: 300 }, never], async (other) => {
      const first = asked(other, route, '{}');
      const answer = await asked(other, route, '{}');
      await first;
      return answer;
    }),
  504: (route) => ofOther([{ timeoutMs: 100 }, never], (other) => asked(other, route, '{}')),
};

/** A request that never ends, on a real connection. */
async function late({ app }: Started, route: Route, host: string, hosts: readonly string[]): Promise<Response> {
  const listening = await listen(app, '127.0.0.1', 0, hosts, 300);
  if (!listening.ok) throw new Error(listening.error);
  const socket = connect(listening.value.port, '127.0.0.1');
  socket.write(
    `POST /v1/${route} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{`,
  );
  let text = '';
  for await (const part of socket) text += String(part);
  await listening.value.stop(100);
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const type = /^content-type: (.*)$/m.exec(head)?.[1] ?? '';
  return new Response(body, { status: Number(head.slice(9, 12)), headers: { 'content-type': type } });
}

const described = posts.flatMap((route) =>
  Object.entries(paths[`/v1/${route}`]?.post?.responses ?? {}).map(([status, answer]) => ({ route, status, answer })),
);

test.each(described)('POST /v1/$route answers $status as described', async ({ route, status, answer }) => {
  const produced = await producers[status]?.(route);
  expect(produced?.status).toBe(Number(status));
  const [[type, { schema }] = ['', { schema: {} }]] = Object.entries(answer.content);
  expect(produced?.headers.get('content-type')).toBe(type);
  const name = (schema as { readonly $ref: string }).$ref.split('/').at(-1) ?? '';
  const body = await jsonOf(produced ?? new Response());
  expect(broken(name, body)).toBeNull();
  for (const header of Object.keys(answer.headers ?? {})) expect(produced?.headers.get(header)).toBe('1');
});

test('a proof cannot be refused with 422, and is not said to be', () => {
  expect(described.filter(({ status }) => status === '422').map(({ route }) => route)).toEqual(['verify', 'prove']);
});

test.each(Object.entries(paths).filter(([, { get }]) => get !== undefined))(
  'GET %s answers as described',
  async (path, { get }) => {
    const answer = await createApp(server.service).request(path);
    const [[type, { schema }] = ['', { schema: {} }]] = Object.entries(get?.responses['200']?.content ?? {});
    expect([answer.status, answer.headers.get('content-type')?.split(';')[0]]).toEqual([200, type]);
    if (type === 'application/json' && schema['$ref'] !== undefined) {
      expect(broken(schema['$ref'].split('/').at(-1) ?? '', await jsonOf(answer))).toBeNull();
    }
  },
);

test('each operation has a name of its own, for those who generate clients from it', () => {
  const names = Object.values(paths).map(({ get, post }) => (get ?? post)?.operationId);
  expect(new Set(names).size).toBe(names.length);
});
