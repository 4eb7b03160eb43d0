/** Numbers of a config that contradict each other: one of them is wrong, and nothing shows which. */
import { diagnostic, type Diagnostic } from '../../../diagnostics/diagnostic.ts';
import type { DataScalar, Doubt } from '../data-set.ts';
import type { VocabularyName } from '../vocabulary.ts';
import { isElsewhere } from './key-words.ts';

interface Dispute {
  /** The names that are in doubt. */
  readonly doubts: ReadonlyMap<VocabularyName, Doubt>;
  readonly diagnostic: Diagnostic;
}

type Values = ReadonlyMap<string, DataScalar>;

/** The batch of one optimizer step, and how the file states it. */
interface BatchTotal {
  readonly scalar: DataScalar;
  /** Null if it is not known. */
  readonly sequences: number | null;
  /** `global_batch_size = 64`, `tokens_per_step = 524288 (1024 sequences)` */
  readonly written: string;
}

/** Words for the batch of one optimizer step, besides those that formats read, with their unit. */
const inSequences = /^(?:virtual|logical|target)_(?:train_)?batch_size$/i;
const inTokens =
  /^(?:(?:train_)?tokens_per_(?:(?:optimizer_|train_)?step|(?:global_)?batch|update)|(?:global_|total_)?batch_(?:size_)?(?:in_)?tokens)$/i;

/** The batches of one optimizer step that unused keys give. */
function otherTotals(values: Values, unused: readonly DataScalar[]): readonly BatchTotal[] {
  return unused.flatMap((scalar): readonly BatchTotal[] => {
    const { key, value } = scalar;
    const leaf = key.slice(key.lastIndexOf('.') + 1);
    const isTokens = inTokens.test(leaf);
    if ((!isTokens && !inSequences.test(leaf)) || isElsewhere(key)) return [];
    const written = `${key} = ${scalar.text}`;
    if (typeof value !== 'number') return value === null ? [] : [{ scalar, sequences: null, written }];
    // Ghost batches of batch normalisation are parts of a micro-batch.
    if (!isTokens) return value < (numberIn(values, 'batch_size') ?? 0) ? [] : [{ scalar, sequences: value, written }];
    const length = numberIn(values, 'seq_len');
    if (length === null) return [{ scalar, sequences: null, written }];
    const sequences = value / length;
    return [{ scalar, sequences, written: `${written} (${sequences} sequences of ${length} tokens)` }];
  });
}

/**
 * Compares a batch of one optimizer step with micro-batch · accumulation · devices. Where the devices are not given, one is what
 * would be taken, and only their number is in doubt.
 */
function disputedBatch(values: Values, { scalar, sequences, written }: BatchTotal): Dispute | null {
  const parts = (['batch_size', 'gradient_accumulation', 'num_devices'] as const).map((name) => values.get(name));
  const [batch, accumulation, devices] = parts.map((part) => (part?.unread === undefined ? part?.value : undefined));
  if (typeof batch !== 'number' || typeof accumulation !== 'number') return null;
  if (parts[2] !== undefined && typeof devices !== 'number') return null;
  const product = batch * accumulation * (typeof devices === 'number' ? devices : 1);
  if (sequences === null || sequences === product) return null;
  const factors = [
    ...parts.flatMap((part) => (part ? [`${part.key} = ${shownIn(part)}`] : [])),
    ...(parts[2] ? [] : ['one device']),
  ].join(', ');
  const names: readonly VocabularyName[] = parts[2]
    ? ['global_batch_size', 'gradient_accumulation', 'num_devices']
    : ['num_devices'];
  return disputeOf(
    scalar,
    names,
    written,
    `${factors} make ${product}`,
    parts[2]
      ? 'Correct the one that is wrong; none of them is used.'
      : 'Give the number of devices with --set num_devices=…, or correct the one that is wrong.',
  );
}

/** The value, where it is not what the file writes: devices of all nodes. */
function shownIn({ value, text }: DataScalar): string {
  return String(value) === text ? text : `${text} (${String(value)} in all)`;
}

/** More tokens than the sequences hold, or fewer tokens than sequences. */
function disputedTokens(values: Values): Dispute | null {
  const [tokens, sequences] = [values.get('num_tokens'), values.get('num_sequences')];
  const [total, rows, length] = [
    numberIn(values, 'num_tokens'),
    numberIn(values, 'num_sequences'),
    numberIn(values, 'seq_len'),
  ];
  if (!tokens || !sequences || total === null || rows === null) return null;
  // Some configs count the tokens of the whole run.
  const epochs = numberIn(values, 'num_epochs') ?? (values.has('max_steps') ? Infinity : 1);
  const room = length === null ? Infinity : (rows + 1) * length * Math.max(1, epochs);
  if (total >= rows && total < room) return null;
  const written = `${sequences.key} = ${sequences.text}`;
  return disputeOf(
    tokens,
    ['num_tokens', 'num_sequences'],
    `${tokens.key} = ${tokens.text}`,
    total < rows ? `${written} are more` : `${written} of ${length} tokens hold fewer`,
    'Correct the one that is wrong; neither is used.',
  );
}

function disputeOf(
  scalar: DataScalar,
  names: readonly VocabularyName[],
  written: string,
  otherwise: string,
  hint: string,
): Dispute {
  const why = `is ${written.slice(written.indexOf('= ') + 2)}, and ${otherwise}`;
  return {
    doubts: new Map(names.map((name) => [name, { scalar, why, isContradicted: true }])),
    diagnostic: diagnostic('PV-7018', scalar.span, `${written}, and ${otherwise}`, { hint }),
  };
}

function numberIn(values: Values, name: VocabularyName): number | null {
  const scalar = values.get(name);
  return scalar?.unread === undefined && typeof scalar?.value === 'number' ? scalar.value : null;
}

/** Words for devices that may count those of only one node; `world_size` and `num_devices` count all. */
const ofNode = /^_?(?:n_?gpus?|num_gpus)$/i;
const nodes = /^(?:num_nodes|nnodes|n_nodes|num_machines|node_count)$/i;

interface Devices {
  readonly devices: DataScalar;
  /** The key that gives the number of nodes. */
  readonly nodes: string;
}

/** Lightning's `devices` are those of one node; for `num_gpus` with several nodes it is unknown which are meant. */
function devicesOfNodes(values: Values, unused: readonly DataScalar[]): Devices | Doubt | null {
  const devices = values.get('num_devices');
  const leaf = devices?.key.slice(devices.key.lastIndexOf('.') + 1) ?? '';
  if (!devices || typeof devices.value !== 'number' || !(leaf === 'devices' || ofNode.test(leaf))) return null;
  const node = unused.find(({ key }) => nodes.test(key.slice(key.lastIndexOf('.') + 1)));
  if (!node || node.value === null || node.value === 1) return null;
  if (leaf === 'devices' && typeof node.value === 'number')
    return { devices: { ...devices, value: devices.value * node.value }, nodes: node.key };
  return {
    scalar: devices,
    why: `is ${devices.text} and may be those of one node, of ${node.key} = ${node.text}`,
    isContradicted: true,
  };
}

/** Names whose values in one file cannot all be true. */
export interface Contradictions {
  /** By the names that are unknown. */
  readonly doubts: ReadonlyMap<VocabularyName, Doubt>;
  /** A global batch that the file gives in other words, and the devices of all nodes where it gives those of one. */
  readonly values: ReadonlyMap<VocabularyName, DataScalar>;
  /** Keys that were read for them. */
  readonly used: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Contradictions among the named values and the unused keys. */
export function contradictionsIn(given: Values, unused: readonly DataScalar[]): Contradictions {
  const doubts = new Map<VocabularyName, Doubt>();
  const found = devicesOfNodes(given, unused);
  const all = found && 'devices' in found ? found : null;
  if (found && 'why' in found) doubts.set('num_devices', found);
  const values: Values = all ? new Map([...given, ['num_devices', all.devices]]) : given;
  const stated = values.get('global_batch_size');
  const others = otherTotals(values, unused);
  const totals = [...(typeof stated?.value === 'number' ? [statedTotal(stated, stated.value)] : []), ...others];
  const disputes = [...totals.map((total) => disputedBatch(values, total)), disputedTokens(values)].flatMap(
    (one) => one ?? [],
  );
  for (const dispute of disputes)
    for (const [name, doubt] of dispute.doubts) if (!doubts.has(name)) doubts.set(name, doubt);
  const [first] = stated ? [] : others;
  const global = first && first.sequences !== null ? { ...first.scalar, value: first.sequences } : null;
  if (first?.sequences === null)
    doubts.set('global_batch_size', { scalar: first.scalar, why: 'may mean global_batch_size' });
  const known = [
    ...(all ? [{ name: 'num_devices' as const, value: all.devices, key: all.nodes }] : []),
    ...(global ? [{ name: 'global_batch_size' as const, value: global, key: global.key }] : []),
  ];
  return {
    doubts,
    values: new Map(known.map(({ name, value }) => [name, value])),
    used: known.map(({ key }) => key),
    diagnostics: disputes.map((dispute) => dispute.diagnostic),
  };
}

const statedTotal = (scalar: DataScalar, sequences: number): BatchTotal => ({
  scalar,
  sequences,
  written: `${scalar.key} = ${scalar.text}`,
});

const shapes = /constant|linear|cosine|polynomial|exponential|inverse_sqrt|wsd/i;

/** Whether two texts name schedules of different shapes. */
export function isOtherShape(one: unknown, other: unknown): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  const [a, b] = [shapes.exec(one)?.[0].toLowerCase(), shapes.exec(other)?.[0].toLowerCase()];
  return a !== undefined && b !== undefined && a !== b;
}
