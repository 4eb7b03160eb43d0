/** Clients that ask a server the same question again and again, each over a connection of its own. */
import { Agent, request } from 'node:http';

export interface Question {
  readonly path: string;
  readonly body: object;
  /** The content of the answer. */
  readonly expected: string;
}

/** Wall times in milliseconds. */
export interface Load {
  readonly perSecond: number;
  readonly median: number;
  readonly p99: number;
}

/** Throws if an answer is not the expected one. */
export async function load(address: string, question: Question, clients: number, requests: number): Promise<Load> {
  const body = JSON.stringify(question.body);
  const times: number[] = [];
  let left = requests;
  const client = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (left-- > 0) {
      const began = performance.now();
      const answer = await post(agent, `${address}${question.path}`, body);
      times.push(performance.now() - began);
      if (!answer.includes(question.expected)) throw new Error(`${question.path}: ${answer.slice(0, 500)}`);
    }
    agent.destroy();
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: clients }, client));
  const seconds = (performance.now() - began) / 1000;
  const sorted = times.toSorted((a, b) => a - b);
  const within = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { perSecond: sorted.length / seconds, median: within(0.5), p99: within(0.99) };
}

function post(agent: Agent, url: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const asked = request(url, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve(text)).on('error', reject);
    });
    asked.on('error', reject).end(body);
  });
}
