import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../support/built.ts';

/**
 * The schema as an editor uses it: the real YAML language server, told about the schema by the first line of the file
 * only, finds mistakes and completes keys and values.
 */
interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: {
    readonly uri?: string;
    readonly diagnostics?: readonly Found[];
    readonly items?: readonly unknown[];
  };
  readonly result?: { readonly items?: readonly { readonly label: string }[] };
}

interface Found {
  readonly message: string;
  readonly range: { readonly start: { readonly line: number; readonly character: number } };
}

/** The least of a client that the server needs: frames, replies to its questions, a way to wait for an answer. */
function connect(server: ChildProcessWithoutNullStreams) {
  const waiting: { readonly matches: (message: Message) => boolean; readonly resolve: (message: Message) => void }[] =
    [];
  let received = Buffer.alloc(0);
  let nextId = 1;
  const send = (message: object): void => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  const take = (message: Message): void => {
    // The server asks for its configuration and waits for the answer.
    if (message.id !== undefined && message.method !== undefined) {
      send({
        id: message.id,
        result: message.method === 'workspace/configuration' ? (message.params?.items ?? []).map(() => ({})) : null,
      });
    }
    const index = waiting.findIndex((one) => one.matches(message));
    if (index >= 0) waiting.splice(index, 1)[0]?.resolve(message);
  };
  server.stdout.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const end = received.indexOf('\r\n\r\n');
      const length = Number(/Content-Length: (\d+)/.exec(received.subarray(0, Math.max(0, end)).toString())?.[1]);
      if (end < 0 || received.length < end + 4 + length) return;
      take(JSON.parse(received.subarray(end + 4, end + 4 + length).toString()));
      received = received.subarray(end + 4 + length);
    }
  });
  const wait = (matches: (message: Message) => boolean) =>
    new Promise<Message>((resolve) => waiting.push({ matches, resolve }));
  return {
    notify: (method: string, params: object) => send({ method, params }),
    request: (method: string, params: object) => {
      const id = nextId++;
      const answer = wait((message) => message.id === id && message.method === undefined);
      send({ id, method, params });
      return answer;
    },
    diagnosticsOf: (uri: string) =>
      wait((message) => message.method === 'textDocument/publishDiagnostics' && message.params?.uri === uri),
  };
}

let folder = '';
let server: ChildProcessWithoutNullStreams;
let client: ReturnType<typeof connect>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pv-editor-'));
  for (const schema of ['contract/schema/contract.schema.json', 'subject/binding.schema.json'])
    await copyFile(join(repositoryRoot, 'src', schema), join(folder, basename(schema)));
  server = spawn(process.execPath, [
    join(repositoryRoot, 'node_modules/yaml-language-server/bin/yaml-language-server'),
    '--stdio',
  ]);
  client = connect(server);
  await client.request('initialize', {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    capabilities: { workspace: { configuration: true } },
  });
  client.notify('initialized', {});
});

afterAll(async () => {
  server.kill();
  await rm(folder, { recursive: true, force: true });
});

/** Opens a text as a file beside the schema and returns its address and what the server finds in it. */
async function open(name: string, text: string) {
  const uri = pathToFileURL(join(folder, name)).href;
  await writeFile(join(folder, name), text);
  const answer = client.diagnosticsOf(uri);
  client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
  return { uri, found: (await answer).params?.diagnostics ?? [] };
}

const modeline = '# yaml-language-server: $schema=./contract.schema.json\n';
const example = (await readFile(join(repositoryRoot, 'contracts/softmax-kernel-v1.yaml'), 'utf8')).replace(
  /^(#.*\n)+/,
  modeline,
);

/** Where the cursor `|` stands, and the text without it. */
function cursor(text: string) {
  const before = text.slice(0, text.indexOf('|'));
  const line = before.split('\n').length - 1;
  return { text: text.replace('|', ''), position: { line, character: before.length - before.lastIndexOf('\n') - 1 } };
}

async function completionsAt(name: string, withCursor: string): Promise<readonly string[]> {
  const { text, position } = cursor(withCursor);
  const { uri } = await open(name, text);
  const answer = await client.request('textDocument/completion', { textDocument: { uri }, position });
  const list = answer.result?.items ?? (answer.result as unknown as { readonly label: string }[] | null) ?? [];
  return list.map((item) => item.label);
}

describe('the schema in an editor', () => {
  it('finds nothing wrong with our own contract', async () => {
    expect((await open('right.yaml', example)).found).toEqual([]);
  });

  it('marks a wrong obligation type at its place', async () => {
    const { found } = await open('wrong.yaml', example.replace('type: invariant', 'type: invarient'));
    const line = example.split('\n').findIndex((text) => text.includes('type: invariant'));
    expect(found.map((one) => one.range.start.line)).toContain(line);
  });

  it('completes the keys of an obligation', async () => {
    const labels = await completionsAt('keys.yaml', `${modeline}metadata: {}\nproof_obligations:\n  - id: A-1\n    |`);
    expect(labels).toEqual(expect.arrayContaining(['type', 'property', 'formal', 'tolerance']));
  });

  it('completes the types of an obligation', async () => {
    const labels = await completionsAt(
      'types.yaml',
      `${modeline}metadata: {}\nproof_obligations:\n  - id: A-1\n    type: |\n`,
    );
    expect(labels).toEqual(expect.arrayContaining(['invariant', 'equivalence', 'bound', 'monotonicity']));
  });
});

describe('the schema of binding files in an editor', () => {
  const start = '# yaml-language-server: $schema=./binding.schema.json\n';
  const row = `${start}bindings:\n  - contract: softmax-kernel-v1.yaml\n    equation: softmax\n`;
  const whole = `${row}    module_path: src/softmax.ts\n    function: softmax\n    status: implemented\n`;

  it('finds nothing wrong with our own bindings', async () => {
    const own = await readFile(join(repositoryRoot, 'contracts/binding.yaml'), 'utf8');
    expect((await open('binding.yaml', own.replace(/^(#.*\n)+/, start))).found).toEqual([]);
  });

  it.each([
    ['a misspelt key', whole.replace('function:', 'fonction:'), 5],
    ['an unknown status', whole.replace(': implemented', ': implementd'), 6],
    ['an unknown backend', `${whole}    backends: [gpu]\n`, 7],
  ])('marks %s where it stands', async (name, text, line) => {
    const { found } = await open(`${name.replaceAll(' ', '-')}.yaml`, text);
    expect(found.map(({ range }) => range.start.line)).toContain(line);
  });

  it('marks a row that claims a function without naming one', async () => {
    expect((await open('unnamed.yaml', `${row}    status: implemented\n`)).found.length).toBeGreaterThan(0);
    expect((await open('named.yaml', whole)).found).toEqual([]);
  });

  it('completes keys, statuses and backends', async () => {
    const keys = await completionsAt('row-keys.yaml', `${row}    |`);
    expect(keys).toEqual(expect.arrayContaining(['module_path', 'function', 'status', 'backends']));
    const statuses = await completionsAt('row-status.yaml', `${row}    status: |\n`);
    expect(statuses).toEqual(expect.arrayContaining(['implemented', 'partial', 'not_implemented', 'pending']));
    const backends = await completionsAt('row-backends.yaml', `${row}    backends:\n      - |\n`);
    expect(backends).toEqual(expect.arrayContaining(['ref32', 'gpujs-webasm']));
  });
});
