/** Profiles of PyTorch's profiler as data sets; the file is never in memory as a whole. */
import { Buffer } from 'node:buffer';
import { diagnostic, type Diagnostic, type Staged } from '../../diagnostics/diagnostic.ts';
import type { Host } from '../../host/host.ts';
import { DEFAULT_MAX_ROWS, type DataOptions, type DataSet } from './data-set.ts';
import { pushBytes } from './read-bytes.ts';
import { createFindings } from './stream/findings.ts';
import { collectEvents, type Collected } from './trace/collect.ts';
import { flawOf, isWanted, kinetoEvent } from './trace/kineto-event.ts';
import { createEventSplitter } from './trace/split-events.ts';
import { traceTables } from './trace/trace-tables.ts';

/** Streams the profile. Events beyond `maxRows` are not read; the value is null if there is no list of events. */
export async function readTrace(host: Host, path: string, options: DataOptions): Promise<Staged<DataSet | null>> {
  const findings = createFindings(path);
  const maxRows = options.maxRows ?? DEFAULT_MAX_ROWS;
  const events = collectEvents(maxRows);
  let index = -1;
  let full = false;
  /** Something that happened is missing from the events: their totals are unknown. */
  let lost = false;
  const onEvent = (bytes: Uint8Array, start: number, end: number, offset: number): boolean => {
    index += 1;
    const event = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
    if (!isWanted(event.toString('latin1'))) return true;
    const parsed = parseEvent(event.toString('utf8'));
    if (!parsed.ok) {
      findings.atByte('PV-7028', offset, `An event is not JSON: ${parsed.why}`, { hint: 'The event is passed over.' });
      lost = true;
      return true;
    }
    const known = kinetoEvent(parsed.value);
    if (known === null) return true;
    const flaw = flawOf(known) ?? (events.hasSeen(known) ? 'it is in the file twice' : null);
    if (flaw !== null) {
      lost = true;
      findings.atByte('PV-7042', offset, `An event (${known.kind}) is impossible: ${flaw}`, {
        hint: 'The event is not counted, and sums over steps are unknown. Export the profile again.',
      });
      return true;
    }
    full ||= !events.add(known, index);
    return !full;
  };
  const splitter = createEventSplitter(onEvent);
  const read = await pushBytes(host, path, splitter.push);
  if (!read.ok) findings.add(read.error);
  if (full) findings.add(tooMany(path, maxRows));
  else if (splitter.state() !== 'complete')
    findings.add(incomplete(path, splitter.state() === 'inside', splitter.offset()));
  const second = splitter.secondList();
  if (second !== null) findings.add(twice(path, second));
  if (splitter.state() === 'no list') return { value: null, diagnostics: findings.list() };
  for (const finding of lacking(path, events)) findings.add(finding);
  const tables = traceTables(events, read.ok && splitter.state() === 'complete' && !full && !lost && second === null);
  return { value: { path, format: 'kineto', values: new Map(), tables, unused: [] }, diagnostics: findings.list() };
}

type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string };

function parseEvent(text: string): Parsed {
  try {
    const value: unknown = JSON.parse(text);
    return { ok: true, value };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) };
  }
}

function tooMany(path: string, maxRows: number): Diagnostic {
  return diagnostic('PV-7022', null, `The profile has more than ${maxRows} events of one kind; the rest is not read`, {
    subject: path,
    hint: 'Profile fewer steps.',
  });
}

function incomplete(path: string, inside: boolean, offset: number): Diagnostic {
  const message = inside
    ? 'The profile is cut off: the list of events does not end'
    : 'The file has no list of events (traceEvents)';
  return diagnostic('PV-7028', null, message, {
    subject: `${path}: byte ${offset}`,
    hint: inside
      ? 'The events before were read. Export the profile again.'
      : "Export it with torch.profiler's export_chrome_trace.",
  });
}

function twice(path: string, offset: number): Diagnostic {
  return diagnostic('PV-7033', null, 'The file has a second list traceEvents', {
    subject: `${path}: byte ${offset}`,
    hint: 'The first was read, other readers take the last: sums over steps are unknown. Remove one, or join the two lists.',
  });
}

/** What contracts over profiles need, and what to switch on to get it. */
function lacking(path: string, events: Collected): readonly Diagnostic[] {
  const missing = [
    { rows: events.steps.rows(), what: 'steps (ProfilerStep#)', mend: 'call profiler.step() after each training step' },
    { rows: events.kernels.rows(), what: 'kernels', mend: 'profile with ProfilerActivity.CUDA' },
    { rows: events.copies.rows(), what: 'copies (gpu_memcpy)', mend: 'profile with ProfilerActivity.CUDA' },
  ].filter(({ rows }) => rows === 0);
  return missing.map(({ what, mend }) =>
    diagnostic('PV-7029', null, `The profile has no ${what}; nothing is known about them`, {
      subject: path,
      hint: `To have them, ${mend}.`,
    }),
  );
}
