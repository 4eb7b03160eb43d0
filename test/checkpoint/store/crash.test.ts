/** Holds src/checkpoint/store/writer.ts and load.ts: what is left of checkpoints when the power is cut. */
import { afterAll, describe, expect, it } from 'vitest';
import { loadFrom } from '../../../src/checkpoint/store/load.ts';
import { openCheckpoints } from '../../../src/checkpoint/store/writer.ts';
import { createMemoryHost, type MemoryHost } from '../../../src/host/memory-host.ts';
import type { FileOperation } from '../../../src/host/host.ts';
import { crashStates, type Crashed, type Moment } from './crash-simulator.ts';
import { recording } from './recorded-host.ts';
import { stateOf, textOf } from './states.ts';

const root = '/project';
const folder = `${root}/run/checkpoints`;

/** The operations of a run that saves states 1 to `saves`, and when each save returned. */
async function recordedRun(saves: number, keep: number): Promise<readonly Moment[]> {
  const moments: Moment[] = [];
  const host = recording(createMemoryHost({ 'other.txt': '' }, root), moments as FileOperation[]);
  const writer = await openCheckpoints(host, folder, { keep });
  if (!writer.ok) throw new Error(writer.error.message);
  for (let n = 1; n <= saves; n++) {
    const saved = await writer.value.save(stateOf(n));
    if (!saved.ok) throw new Error(saved.error.message);
    moments.push({ kind: 'acknowledged', saved: n });
  }
  await writer.value.close();
  return moments;
}

const expected = new Map(Array.from({ length: 6 }, (_, n) => [n, textOf(stateOf(n))]));

/** A machine that has started again with these files: every process of before is over. */
async function rebooted(files: Crashed): Promise<MemoryHost> {
  const host = { ...createMemoryHost({ 'other.txt': '' }, root), isOver: () => true };
  for (const [path, bytes] of files) {
    for (let at = path.indexOf('/', root.length + 1); at > 0; at = path.indexOf('/', at + 1))
      await host.perform({ kind: 'make-folder', path: path.slice(0, at) });
    host.files.set(path, bytes.slice());
  }
  return host;
}

/** What is wrong after a crash; null if everything that was promised holds. */
async function faultAfter(files: Crashed, acknowledged: number): Promise<string | null> {
  const host = await rebooted(files);
  const loaded = await loadFrom(host, folder);
  if (loaded.ok) {
    const { state, sequence, passedOver } = loaded.value;
    if (textOf(state) !== expected.get(sequence)) return `checkpoint ${sequence} is not what was saved`;
    if (sequence < acknowledged) return `checkpoint ${acknowledged} is lost: ${sequence} is the last`;
    if (passedOver.length > 0) return `torn: ${passedOver[0]?.message}`;
  } else if (acknowledged > 0) return `checkpoint ${acknowledged} is lost: ${loaded.error.message}`;
  else if (loaded.error.message.includes('damaged')) return `torn: ${loaded.error.message}`;
  return null;
}

/** Why the next run cannot go on after a crash; null if it can. */
async function stuckAfter(files: Crashed): Promise<string | null> {
  const host = await rebooted(files);
  const writer = await openCheckpoints(host, folder);
  if (!writer.ok) return writer.error.message;
  const saved = await writer.value.save(stateOf(5));
  if (!saved.ok) return saved.error.message;
  const loaded = await loadFrom(host, folder);
  if (!loaded.ok) return loaded.error.message;
  return textOf(loaded.value.state) === expected.get(5) ? null : 'another state was loaded';
}

/** The first fault of a recorded run, and how many states were looked at. */
async function firstFault(
  moments: readonly Moment[],
): Promise<{ readonly fault: string | null; readonly states: number }> {
  let fault: string | null = null;
  let states = 0;
  await crashStates(root, moments, async (state, acknowledged) => {
    states += 1;
    fault = await faultAfter(state, acknowledged);
    return fault !== null;
  });
  return { fault, states };
}

const report: string[] = [];
afterAll(() => console.log(report.join('\n')));

describe('a power cut', () => {
  it.each([1, 2])('at any moment loses no acknowledged checkpoint, and loads no torn one (keep %i)', async (keep) => {
    const moments = await recordedRun(3, keep);
    const { fault, states } = await firstFault(moments);
    report.push(
      `power cut, keep ${keep}: ${moments.length} moments, ${states} states of the disk, ${fault === null ? 0 : 'some'} checkpoints lost`,
    );
    expect(fault).toBeNull();
    expect(states).toBeGreaterThan(700);
  });

  it('keeps no run from going on', async () => {
    const stuck: string[] = [];
    let looked = 0;
    await crashStates(root, await recordedRun(2, 1), async (state) => {
      looked += 1;
      const why = await stuckAfter(state);
      if (why !== null) stuck.push(why);
      return false;
    });
    expect(stuck).toEqual([]);
    expect(looked).toBeGreaterThan(500);
  });
});

/** Where the writer's probe of the folder begins and ends: its syncs protect nothing, they ask whether the file system can sync. */
const isProbe = (one: Moment): boolean => one.kind !== 'acknowledged' && pathOf(one).includes('.probe');

const pathOf = (one: FileOperation): string => (one.kind === 'rename' ? one.to : one.path);

const recorded = await recordedRun(2, 1);
const [firstProbe, lastProbe] = [recorded.findIndex(isProbe), recorded.findLastIndex(isProbe)];

/** The place in the writer's code that each operation comes from: what it does, to which file, and how often before in this save. */
function sitesOf(moments: readonly Moment[]): readonly string[] {
  let counts = new Map<string, number>();
  return moments.map((moment, i) => {
    if (moment.kind === 'acknowledged') {
      counts = new Map();
      return moment.kind;
    }
    if (i >= firstProbe && i <= lastProbe) return 'probe';
    const site = `${moment.kind} ${pathOf(moment).replaceAll(/\d+/g, 'N')}`;
    counts.set(site, (counts.get(site) ?? 0) + 1);
    return `${site}, ${counts.get(site)}`;
  });
}

const sites = sitesOf(recorded);
/** All but the one of the lock, whose owner is over after a power cut whatever the file says. */
const syncs = [...new Set(sites)].filter((site) => site.startsWith('sync') && !site.includes('.lock'));

describe('a mutation of the writer is caught', () => {
  it('tries every sync: those of two new folders, and nine of each save', () => {
    expect(syncs).toHaveLength(11);
  });

  it.each(syncs)('without %s', async (site) => {
    const { fault } = await firstFault(recorded.filter((_, i) => sites[i] !== site));
    expect(fault).not.toBeNull();
  });

  const touches = (one: Moment, name: string): boolean => one.kind !== 'acknowledged' && pathOf(one).includes(name);
  const isPointer = (one: Moment): boolean => touches(one, 'latest.json');
  const isNaming = (one: Moment): boolean => one.kind === 'rename' && one.to.includes('checkpoint-');

  /** Moves the operations that `moves` picks, save by save, to before the first that `before` picks. */
  function moved(moves: (one: Moment) => boolean, before: (one: Moment) => boolean): readonly Moment[] {
    const saves: Moment[][] = [[]];
    for (const one of recorded) {
      saves.at(-1)?.push(one);
      if (one.kind === 'acknowledged') saves.push([]);
    }
    return saves.flatMap((save) => {
      const at = save.findIndex(before);
      if (at < 0) return save;
      const after = save.slice(at);
      return [...save.slice(0, at), ...after.filter(moves), ...after.filter((one) => !moves(one))];
    });
  }

  const isLate = (one: Moment): boolean => one.kind === 'sync-folder' && one.path.includes('.saving');
  it.each<readonly [string, readonly Moment[]]>([
    ['latest.json is renamed before the checkpoint', moved(isPointer, isNaming)],
    ['the checkpoint is renamed before its folder is synced', moved(isNaming, isLate)],
    ['old checkpoints are removed before latest.json is replaced', moved((one) => touches(one, '.removed'), isPointer)],
    [
      'a save returns before latest.json is durable',
      moved(
        (one) => one.kind === 'acknowledged',
        (one) => one.kind === 'rename' && isPointer(one),
      ),
    ],
  ])('%s', async (_, mutated) => {
    expect(mutated).toHaveLength(recorded.length);
    const { fault } = await firstFault(mutated).catch((error: unknown) => ({ fault: String(error) }));
    expect(fault).not.toBeNull();
    expect(fault).not.toContain('Error');
  });
});
