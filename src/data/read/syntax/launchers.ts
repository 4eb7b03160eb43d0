/**
 * What a shell script says to launchers, Slurm and the environment: how many processes run its program. torchrun, accelerate and deepspeed
 * start one for each device.
 */
import type { ShellWord } from './shell-words.ts';
import type { MappingNode } from './tree.ts';

/** A flag, under its name. */
export type Entry = MappingNode['entries'][number];

/** What a launcher runs. */
export const program = /\.(?:py|sh)$/;

/** What says how many processes a launcher starts; on how many machines does not. */
export const counts = ['num_processes', 'num_gpus', 'nproc_per_node', 'gpu_ids'];

/** A program, a flag of the launcher, or a variable with either. */
const launched = /\.(?:py|sh)$|^--|^"?\$/;
/** A script that starts others, by its name: `tools/dist_train.sh`, `distributed_train.sh`. */
const launching = /(?:^|[/_-])(?:dist|distributed|ddp|slurm|launch|multi_?gpu)(?:[_-][\w-]*)?\.sh$/;
const isMpi = (word: string): boolean => /^(?:mpirun|mpiexec|horovodrun)$/.test(word);

/** Launchers whose number of processes pv does not read: the machine, their own config or another script may decide it. */
export function launcherEntries(words: readonly ShellWord[]): readonly Entry[] {
  return words.flatMap((word, at) => {
    const found = startedBy(word.raw, words.slice(at + 1, at + 3));
    if (found === null || words[at - 1]?.raw.startsWith('--') === true) return [];
    const [key, unread] = found;
    const { raw, start, end } = word;
    const range = { start, end };
    return [{ key, keyRange: range, value: { kind: 'scalar', value: raw, text: raw, range, unread } } as const];
  });
}

/** The flag that would say how many processes a word starts, and why their number is not known; null if it starts no other. */
function startedBy(word: string, [next, second]: readonly ShellWord[]): readonly [string, string] | null {
  if (!next || next.isFirst) return null;
  if (word === 'accelerate' && next.raw === 'launch') return ['num_processes', 'the config of accelerate decides it'];
  if (word === 'deepspeed' && launched.test(next.raw))
    return ['num_gpus', 'deepspeed takes every device that it finds or includes'];
  const isOne = /^-(?:np?)$/.test(next.raw) && second?.raw === '1';
  if (isMpi(word) && next.raw.startsWith('-') && !isOne) return ['num_processes', `${word} starts several`];
  return launching.test(word) ? ['num_processes', `${word} may start several`] : null;
}

const directive =
  /^#SBATCH[ \t]+(?:--(nodes|ntasks-per-node|ntasks|gpus-per-node|gpus|gres)(?:=|[ \t]+)|-(N|n)[ \t]*)(?:gpu:(?:\w+:)?)?(\d+)/gm;
const setting =
  /^(?:[ \t]*(?:export[ \t]+)?(?:[A-Z]\w*=\S*[ \t]+)*)(NPROC_PER_NODE|CUDA_VISIBLE_DEVICES)=["']?(\d[\d,]*)/gm;

/** How many processes and devices Slurm and the environment give to the program. */
export function launchEntries(text: string): readonly Entry[] {
  const entry = (key: string, count: number, shown: string, end: number): Entry => {
    const range = { start: end - shown.length, end };
    return { key, keyRange: range, value: { kind: 'scalar', value: count, text: shown, range } };
  };
  return [
    ...[...text.matchAll(directive)].map(({ 0: whole, 1: long = '', 2: short, 3: count = '', index }) => {
      const key =
        { N: 'nodes', n: 'ntasks' }[short ?? ''] ?? (long === 'gres' ? 'gpus_per_node' : long.replaceAll('-', '_'));
      return entry(key, Number(count), count, index + whole.length);
    }),
    ...[...text.matchAll(setting)].map(({ 0: whole, 1: name = '', 2: value = '', index }) => {
      const count = name === 'NPROC_PER_NODE' ? Number(value) : value.split(',').length;
      return entry(name.toLowerCase(), count, value, index + whole.length);
    }),
  ];
}

/** A host of deepspeed's flag include, and which of its devices: `node1:0,1`. */
const slots = /^[\w.-]+:(\d+(?:,\d+)*)$/;
/** With one of these, several processes may share a model. */
const shares = /(?:^|_)(?:[tpcse]p|mp)(?:_(?:size|degree))?$|parallel|ulysses/;

/**
 * The processes of all nodes as `world_size`, if flags of one launcher give them; null if they do not, if the program has a config of its own or
 * splits its model, or if accelerate has a config, which may split it.
 */
export function worldSize(
  words: readonly ShellWord[],
  entries: ReadonlyMap<string, Entry>,
  flags: ReadonlySet<string>,
): Entry | null {
  if (entries.has('config') || entries.has('hostfile') || [...entries.keys()].some((key) => shares.test(key)))
    return null;
  const runs = (launcher: string): boolean => words.some(({ raw }) => raw === launcher);
  const isOwn = runs('accelerate') && !entries.has('config_file');
  const isDeepSpeed = runs('deepspeed');
  const found = [
    {
      key: 'nproc_per_node',
      nodes: 'nnodes',
      count: (entry: Entry) => (wholeOf(entry) ?? NaN) * nodesOf(entries, 'nnodes'),
    },
    ...(isOwn ? [{ key: 'num_processes', nodes: 'num_machines', count: (entry: Entry) => wholeOf(entry) ?? NaN }] : []),
    ...(isDeepSpeed
      ? [
          {
            key: 'num_gpus',
            nodes: 'num_nodes',
            count: (entry: Entry) => (wholeOf(entry) ?? NaN) * nodesOf(entries, 'num_nodes'),
          },
          { key: 'include', nodes: 'num_nodes', count: slotsOf },
        ]
      : []),
  ].filter(({ key }) => flags.has(key));
  const [only] = found;
  const entry = only && entries.get(only.key);
  if (found.length !== 1 || entry?.value.kind !== 'scalar' || hasOtherNodes(entries, only?.nodes)) return null;
  const world = only?.count(entry) ?? NaN;
  if (!Number.isSafeInteger(world) || world < 1) return null;
  return { ...entry, key: 'world_size', value: { ...entry.value, value: world, text: String(world) } };
}

/** What submits the job may start the command once on each of its own nodes. */
function hasOtherNodes(entries: ReadonlyMap<string, Entry>, own: string | undefined): boolean {
  return ['nnodes', 'num_nodes', 'num_machines'].some(
    (key) => key !== own && entries.has(key) && wholeOf(entries.get(key)) !== 1,
  );
}

/** One, unless a flag or Slurm says otherwise; what only Slurm says may start as many runs. */
function nodesOf(entries: ReadonlyMap<string, Entry>, key: string): number {
  if (entries.has(key)) return wholeOf(entries.get(key)) ?? NaN;
  return !entries.has('nodes') || wholeOf(entries.get('nodes')) === 1 ? 1 : NaN;
}

function wholeOf(entry: Entry | undefined): number | null {
  const value = entry?.value;
  return value?.kind === 'scalar' && value.unread === undefined && typeof value.value === 'number' ? value.value : null;
}

/** All devices that include lists; a host without a list gives all of its own. */
function slotsOf({ value }: Entry): number {
  if (value.kind !== 'scalar' || value.unread !== undefined || typeof value.value !== 'string') return NaN;
  return value.value.split('@').reduce((all, host) => all + (slots.exec(host)?.[1]?.split(',').length ?? NaN), 0);
}
