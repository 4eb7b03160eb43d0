/** Attributes of operators: AttributeProto. */
import { wrong, type Problem } from '../../../base/problem.ts';
import { ok, type Result } from '../../../base/result.ts';
import type { Budget } from './budget.ts';
import { attributeProto } from './messages.ts';
import { readTensor, type Tensor } from './tensor.ts';
import { integersOf, nameAt, readFields, textOf, type Field } from './wire.ts';

/** An attribute of an operator, with a field for each type of value. */
export interface Attribute {
  /** AttributeProto.type; null where it is left out. */
  readonly type: number | null;
  readonly float: number | null;
  readonly integer: number | null;
  readonly text: string | null;
  readonly tensor: Tensor | null;
  readonly floats: readonly number[];
  readonly integers: readonly number[];
}

/** The attribute in a field, and its name. */
export function readAttribute({ bytes, offset }: Field, budget: Budget): Result<readonly [string, Attribute], Problem> {
  const fields = readFields(bytes, offset, attributeProto);
  if (!fields.ok) return fields;
  const name = nameAt(fields.value, 1);
  if (!name.ok) return name;
  const odd = fields.value.find(({ number }) => attributeProto[number] !== undefined && !values.has(number));
  if (odd !== undefined)
    return refused(
      `The attribute '${name.value}' has the value '${attributeProto[odd.number]?.name ?? ''}', which pv does not read, such as a graph.`,
      odd,
    );
  const valueAt = (number: number): Field | undefined => fields.value.find((field) => field.number === number);
  const [float, text, stored] = [valueAt(2), valueAt(4), valueAt(5)];
  const words = text === undefined ? ok(null) : textOf(text);
  if (!words.ok) return words;
  const tensor = stored === undefined ? ok(null) : readTensor(stored, budget);
  if (!tensor.ok) return tensor;
  const lists = listsOf(fields.value, name.value, budget);
  if (!lists.ok) return lists;
  return ok([
    name.value,
    {
      type: valueAt(20)?.integer ?? null,
      float: float === undefined ? null : float32At(float.bytes, 0),
      integer: valueAt(3)?.integer ?? null,
      text: words.value,
      tensor: tensor.value,
      ...lists.value,
    },
  ]);
}

/** The name, the type, and the values that pv reads: a graph, a type, a reference and lists of others are not among them. */
const values: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 7, 8, 20]);

/** The elements of an attribute's lists, which may be in several fields. */
function listsOf(
  fields: readonly Field[],
  name: string,
  budget: Budget,
): Result<Pick<Attribute, 'floats' | 'integers'>, Problem> {
  const lists: Record<7 | 8, number[]> = { 7: [], 8: [] };
  for (const field of fields) {
    if (field.number !== 7 && field.number !== 8) continue;
    const allowed = budget.keep(field.type === 'bytes' ? field.bytes.length : 1, field.offset);
    if (!allowed.ok) return allowed;
    const some = field.number === 7 ? floatsOf(field, name) : integersOf(field);
    if (!some.ok) return some;
    for (const value of some.value) lists[field.number].push(value);
  }
  return ok({ floats: lists[7], integers: lists[8] });
}

function floatsOf(field: Field, name: string): Result<readonly number[], Problem> {
  const { length } = field.bytes;
  if (length % 4 !== 0) return refused(`The floats of the attribute '${name}' are cut short.`, field);
  return ok(Array.from({ length: length / 4 }, (_, k) => float32At(field.bytes, 4 * k)));
}

const refused = (message: string, { offset }: Field): Result<never, Problem> =>
  wrong('PV-8303', 'attribute', message, { offset });

const float32At = (bytes: Uint8Array, at: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset).getFloat32(at, true);
