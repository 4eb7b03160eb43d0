/** What a shader declares at module scope: resources, override constants, structures and entry points. */
import { shaderTokens, wholeNumber, type ShaderToken } from './tokens.ts';

/** A type as written: `array<vec4<f32>, 64>` has the arguments `vec4<f32>` and `64`. */
export interface ShaderType {
  readonly name: string;
  readonly of: readonly ShaderType[];
}

/** A member of a structure, or a parameter. */
interface Member {
  readonly name: string;
  readonly type: ShaderType;
  /** `align`, `size` and the like, which move it. */
  readonly attributes: ReadonlyMap<string, string>;
}

/** A variable that a bind group holds. */
export interface Resource {
  readonly name: string;
  readonly group: number;
  readonly binding: number;
  /** `other`: textures, samplers. */
  readonly kind: 'uniform' | 'read' | 'read_write' | 'other';
  readonly type: ShaderType;
  readonly place: ShaderToken;
}

/** A pipeline-overridable constant. */
interface Override {
  readonly name: string;
  /** What a pipeline calls it: its number if it has one. */
  readonly key: string;
  readonly hasDefault: boolean;
  readonly type: ShaderType | null;
  readonly place: ShaderToken;
}

/** A compute entry point. */
export interface EntryPoint {
  readonly name: string;
  /** Invocations of one workgroup; null where it depends on something other than whole numbers and constants of the module. */
  readonly workgroup: readonly number[] | null;
  readonly place: ShaderToken;
}

/** Everything at module scope that pv reads. */
export interface Declarations {
  readonly resources: readonly Resource[];
  readonly overrides: readonly Override[];
  readonly structures: ReadonlyMap<string, readonly Member[]>;
  readonly aliases: ReadonlyMap<string, ShaderType>;
  readonly constants: ReadonlyMap<string, number>;
  readonly entries: readonly EntryPoint[];
  /** Whether it asks how long its buffers are, so that a longer buffer is another input. */
  readonly asksLength: boolean;
}

/** Never fails: what is not a declaration is passed over, and left to the device's compiler. */
export function readDeclarations(text: string): Declarations {
  const tokens = shaderTokens(text);
  const cursor: Cursor = { tokens, at: 0 };
  const found = {
    resources: new Array<Resource>(),
    overrides: new Array<Override>(),
    structures: new Map<string, readonly Member[]>(),
    aliases: new Map<string, ShaderType>(),
    constants: new Map<string, number>(),
    entries: new Array<EntryPoint>(),
  };
  while (cursor.at < tokens.length) {
    const attributes = readAttributes(cursor);
    const keyword = take(cursor)?.text;
    if (keyword === 'var') readResource(cursor, attributes, found);
    else if (keyword === 'override') readOverride(cursor, attributes, found);
    else if (keyword === 'const') readConstant(cursor, found);
    else if (keyword === 'alias') readAlias(cursor, found);
    else if (keyword === 'struct') readStructure(cursor, found);
    else if (keyword === 'fn') readFunction(cursor, attributes, found);
  }
  return { ...found, asksLength: tokens.some(({ text: word }) => word === 'arrayLength') };
}

interface Cursor {
  readonly tokens: readonly ShaderToken[];
  at: number;
}

interface Found {
  readonly resources: Resource[];
  readonly overrides: Override[];
  readonly structures: Map<string, readonly Member[]>;
  readonly aliases: Map<string, ShaderType>;
  readonly constants: Map<string, number>;
  readonly entries: EntryPoint[];
}

const peek = (cursor: Cursor): string | undefined => cursor.tokens[cursor.at]?.text;
const take = (cursor: Cursor): ShaderToken | undefined => cursor.tokens[cursor.at++];

function skip(cursor: Cursor, text: string): boolean {
  if (peek(cursor) !== text) return false;
  cursor.at++;
  return true;
}

/** Passes everything up to `end` outside of brackets, and `end` itself. */
function passUntil(cursor: Cursor, end: string): void {
  let depth = 0;
  for (let token = take(cursor); token; token = take(cursor)) {
    if (token.text === end && depth === 0) return;
    if ('([{'.includes(token.text)) depth++;
    else if (')]}'.includes(token.text)) depth--;
    if (depth < 0 || (depth === 0 && token.text === '}' && end === '}')) return;
  }
}

/** The names of attributes with their arguments as text, separated by commas. */
function readAttributes(cursor: Cursor): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  while (skip(cursor, '@')) {
    const name = take(cursor)?.text ?? '';
    const from = cursor.at + 1;
    if (skip(cursor, '(')) passUntil(cursor, ')');
    const inside = cursor.tokens.slice(from, Math.max(from, cursor.at - 1));
    attributes.set(name, inside.map(({ text }) => text).join(''));
  }
  return attributes;
}

/** Closing brackets of template lists are taken one by one, out of whatever sign they are in. */
function readType(cursor: Cursor, depth = 0): ShaderType {
  const name = take(cursor)?.text ?? '';
  const of: ShaderType[] = [];
  if (depth < 16 && skip(cursor, '<')) {
    do of.push(readType(cursor, depth + 1));
    while (skip(cursor, ',') && peek(cursor) !== '>');
    closeTemplate(cursor);
  }
  return { name, of };
}

function closeTemplate(cursor: Cursor): void {
  const token = cursor.tokens[cursor.at];
  if (!token?.text.startsWith('>')) return;
  if (token.text === '>') return void cursor.at++;
  const rest = { ...token, text: token.text.slice(1), at: token.at + 1, column: token.column + 1 };
  (cursor.tokens as ShaderToken[])[cursor.at] = rest;
}

function readResource(cursor: Cursor, attributes: ReadonlyMap<string, string>, { resources }: Found): void {
  const words: string[] = [];
  if (skip(cursor, '<')) {
    while (cursor.at < cursor.tokens.length && peek(cursor) !== '>') words.push(take(cursor)?.text ?? '');
    cursor.at++;
  }
  const place = take(cursor);
  const type = skip(cursor, ':') ? readType(cursor) : { name: '', of: [] };
  passUntil(cursor, ';');
  const group = wholeNumber(attributes.get('group'));
  const binding = wholeNumber(attributes.get('binding'));
  if (!place || group === null || binding === null) return;
  const kind = words.includes('uniform')
    ? 'uniform'
    : !words.includes('storage')
      ? 'other'
      : words.includes('read_write') || words.includes('write')
        ? 'read_write'
        : 'read';
  resources.push({ name: place.text, group, binding, kind, type, place });
}

function readOverride(cursor: Cursor, attributes: ReadonlyMap<string, string>, { overrides }: Found): void {
  const place = take(cursor);
  const type = skip(cursor, ':') ? readType(cursor) : null;
  const hasDefault = peek(cursor) === '=';
  passUntil(cursor, ';');
  if (place) overrides.push({ name: place.text, key: attributes.get('id') ?? place.text, hasDefault, type, place });
}

function readConstant(cursor: Cursor, { constants }: Found): void {
  const name = take(cursor)?.text ?? '';
  if (skip(cursor, ':')) readType(cursor);
  const value = skip(cursor, '=') ? wholeNumber(peek(cursor)) : null;
  if (value !== null && cursor.tokens[cursor.at + 1]?.text === ';') constants.set(name, value);
  passUntil(cursor, ';');
}

function readAlias(cursor: Cursor, { aliases }: Found): void {
  const name = take(cursor)?.text ?? '';
  if (skip(cursor, '=')) aliases.set(name, readType(cursor));
  passUntil(cursor, ';');
}

function readStructure(cursor: Cursor, { structures }: Found): void {
  const name = take(cursor)?.text ?? '';
  const members: Member[] = [];
  if (!skip(cursor, '{')) return;
  while (cursor.at < cursor.tokens.length && !skip(cursor, '}')) {
    const attributes = readAttributes(cursor);
    const member = take(cursor)?.text ?? '';
    const type = skip(cursor, ':') ? readType(cursor) : { name: '', of: [] };
    skip(cursor, ',');
    skip(cursor, ';');
    members.push({ name: member, type, attributes });
  }
  structures.set(name, members);
}

function readFunction(cursor: Cursor, attributes: ReadonlyMap<string, string>, { entries, constants }: Found): void {
  const place = take(cursor);
  passUntil(cursor, '{');
  let depth = 1;
  while (depth > 0 && cursor.at < cursor.tokens.length) {
    const text = take(cursor)?.text;
    if (text === '{') depth++;
    else if (text === '}') depth--;
  }
  if (!place || !attributes.has('compute')) return;
  const sizes = (attributes.get('workgroup_size') ?? '').split(',').filter((text) => text !== '');
  const known = sizes.map((text) => wholeNumber(text) ?? constants.get(text) ?? null);
  entries.push({ name: place.text, workgroup: known.every((size) => size !== null) ? known : null, place });
}
