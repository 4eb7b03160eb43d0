/**
 * The entry of a program that calls a kernel as its users will: the kernel is a file that it imports, and nothing else of pv is in the
 * process. It is built into one text; the files `calls` and `outcomes` are next to it.
 */
import { functionsWith } from '../backends/function-kernel.ts';
import { noNotes } from '../backends/function-conduct.ts';
import { aloneFiles, type AloneRequest } from './function-protocol.ts';

// Kept from before the kernel is loaded.
const { readFileSync, writeFileSync } = process.getBuiltinModule('node:fs');
const { serialize, deserialize } = process.getBuiltinModule('node:v8');
const end = process.kill.bind(process, process.pid, 'SIGKILL');
const here = (name: string): URL => new URL(name, import.meta.url);

const { program, calls } = deserialize(readFileSync(here(aloneFiles.calls))) as AloneRequest;
const load = (): Promise<Readonly<Record<string, unknown>>> =>
  import(here(aloneFiles.kernel).href) as Promise<Readonly<Record<string, unknown>>>;
const opened = await functionsWith(noNotes, load).open(program);
const outcomes = opened.ok ? await opened.kernel.run(calls) : calls.map(() => opened);
writeFileSync(here(aloneFiles.outcomes), serialize(outcomes));
// A timer that it left must not keep it.
end();
