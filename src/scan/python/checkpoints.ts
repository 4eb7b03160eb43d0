/**
 * What a script writes into checkpoints and what it reads from them: the keys of dictionaries that go to a call of saving,
 * and the keys that are read from what a call of loading returned. By name and syntax, within one file.
 */
import type { SyntaxNode } from '@lezer/common';
import type { PythonModule } from './module.ts';
import { argumentsOf, calleeOf, childrenOf, functionsOf, parametersOf, scopeOf, stringOf } from './syntax.ts';

/** One key of a dictionary that is saved. */
export interface Entry {
  readonly key: string;
  readonly at: SyntaxNode;
  readonly value: SyntaxNode;
}

export interface Save {
  readonly entries: readonly Entry[];
  /** Whether every key is known: no spread, no computed key, no value from elsewhere. */
  readonly isComplete: boolean;
}

export interface Read {
  readonly key: string;
  readonly at: SyntaxNode;
}

export interface Load {
  /** The statement that loads, or the function whose parameter is the checkpoint. */
  readonly at: SyntaxNode;
  readonly scope: SyntaxNode;
  readonly reads: readonly Read[];
  /** Whether only keys are read from it: nothing else, in this file or another, gets it whole. */
  readonly isClosed: boolean;
}

export interface Checkpoints {
  readonly saves: readonly Save[];
  readonly loads: readonly Load[];
  /** Keys that the file may read from some dictionary other than its configuration. */
  readonly mentioned: ReadonlySet<string>;
  /** Keys that the file sets in some dictionary. */
  readonly assigned: ReadonlySet<string>;
}

/** The nodes of a file that matter here, from one pass. */
interface Index {
  readonly module: PythonModule;
  readonly calls: readonly SyntaxNode[];
  readonly returns: readonly SyntaxNode[];
  readonly definitions: readonly SyntaxNode[];
  readonly functions: ReadonlyMap<string, SyntaxNode | null>;
  /** Calls of `update` by scope and receiver. */
  readonly updates: ReadonlyMap<string, readonly SyntaxNode[]>;
  /** Assignments and updates by scope and target. */
  readonly bindings: ReadonlyMap<string, readonly SyntaxNode[]>;
  /** Names and attributes of `self` by their text. */
  readonly names: ReadonlyMap<string, readonly SyntaxNode[]>;
}

export function checkpointsOf(module: PythonModule): Checkpoints {
  const index = indexOf(module);
  const bound = new Set<number>();
  const saves = [...savesByCall(index, bound), ...savesByReturn(index)];
  const strings = stringsOf(index, new Set(saves.flatMap(({ entries }) => entries.map(({ at }) => at.from))));
  return { saves, loads: loadsOf(index), ...strings };
}

const bindingKey = (scope: SyntaxNode, target: string): string => `${scope.from}:${target}`;

function indexOf(module: PythonModule): Index {
  const calls: SyntaxNode[] = [];
  const returns: SyntaxNode[] = [];
  const definitions: SyntaxNode[] = [];
  const updates = new Map<string, SyntaxNode[]>();
  const bindings = new Map<string, SyntaxNode[]>();
  const names = new Map<string, SyntaxNode[]>();
  const add = (map: Map<string, SyntaxNode[]>, key: string, node: SyntaxNode): void => {
    const list = map.get(key);
    if (list) list.push(node);
    else map.set(key, [node]);
  };
  module.tree.iterate({
    enter: ({ name, node }) => {
      if (name === 'CallExpression') {
        calls.push(node);
        const callee = calleeOf(module, node);
        if (callee?.name === 'update' && callee.receiver)
          add(updates, bindingKey(scopeOf(node), module.textOf(callee.receiver)), node);
      }
      if (name === 'ReturnStatement') returns.push(node);
      else if (name === 'FunctionDefinition') definitions.push(node);
      else if (name === 'VariableName') add(names, module.textOf(node), node);
      else if (name === 'MemberExpression' && module.textOf(node).startsWith('self.'))
        add(names, module.textOf(node), node);
      else if (name === 'AssignStatement' || name === 'UpdateStatement')
        for (const target of targetsOf(node)) add(bindings, bindingKey(scopeOf(node), module.textOf(target)), node);
    },
  });
  return { module, calls, returns, definitions, functions: functionsOf(module), updates, bindings, names };
}

/** What an assignment sets: `a` of `a = b`, and `a` of `a["k"] = b`. */
function targetsOf(statement: SyntaxNode): readonly SyntaxNode[] {
  const first = statement.firstChild;
  if (!first) return [];
  return first.name === 'MemberExpression' && first.getChild('[') && first.firstChild
    ? [first, first.firstChild]
    : [first];
}

const saveName =
  /^_?(torch_)?save$|save_?(checkpoint|ckpt|state|snapshot|model|network|training|on_master|pretrained)|(checkpoint|ckpt|state)_?save|^save_|_save$/i;

function isSaving(module: PythonModule, call: SyntaxNode): boolean {
  const callee = calleeOf(module, call);
  if (!callee) return false;
  const owner = callee.receiver ? module.textOf(callee.receiver) : '';
  if (callee.name === 'dump') return /^(pickle|dill|joblib|cloudpickle)$/.test(owner);
  return saveName.test(callee.name) && !/^(np|numpy|plt|json|fig|image|img|im)$/.test(owner);
}

/** Dictionaries given to a call of saving, written there or bound in the same function. */
function savesByCall(index: Index, bound: Set<number>): readonly Save[] {
  return index.calls
    .filter((call) => isSaving(index.module, call))
    .flatMap((call) =>
      argumentsOf(index.module, call).flatMap(({ value }, i) => {
        if (isDictionary(index.module, value)) return [saveOf(index, [value])];
        const text = index.module.textOf(value);
        const bindings = index.bindings.get(bindingKey(scopeOf(call), text)) ?? [];
        const first = bindings[0]?.from ?? call.from;
        if (bound.has(first)) return [];
        const pieces = bindings.flatMap((one) => pieceOf(index, one, text));
        if (pieces.some((piece) => piece !== null && isDictionary(index.module, piece))) {
          bound.add(first);
          return [saveOf(index, pieces, updatesOf(index, call, text))];
        }
        return i === 0 && isUnknownSave(index, call, value) ? [{ entries: [], isComplete: false }] : [];
      }),
    );
}

/** Whether a call may save keys that this file does not show. */
function isUnknownSave({ module, functions }: Index, call: SyntaxNode, value: SyntaxNode): boolean {
  const callee = calleeOf(module, call);
  if (callee?.name !== 'save' && callee?.name !== 'dump') return false;
  const text = module.textOf(value);
  if (/state_dict(\(\))?$|^\(?(self\.)?\w*(model|net|weights?|encoder|decoder|embed\w*)(\.module)?$/i.test(text))
    return false;
  const scope = scopeOf(call);
  const name = scope.name === 'FunctionDefinition' ? scope.getChild('VariableName') : null;
  const isParameter = parametersOf(module, scope).includes(text);
  return !(isParameter && name && functions.get(module.textOf(name)) && saveName.test(module.textOf(name)));
}

/** The dictionary that a binding gives to the name; null if it gives something else; a set key is a piece by itself. */
function pieceOf({ module }: Index, binding: SyntaxNode, text: string): readonly (SyntaxNode | null)[] {
  const target = binding.firstChild;
  if (!target) return [];
  if (module.textOf(target) !== text) return [binding];
  const value = binding.lastChild;
  return value && isDictionary(module, value) ? [value] : [null];
}

function updatesOf({ module, updates }: Index, save: SyntaxNode, text: string): readonly (SyntaxNode | null)[] {
  return (updates.get(bindingKey(scopeOf(save), text)) ?? []).map((call) => {
    const value = argumentsOf(module, call)[0]?.value;
    return value && isDictionary(module, value) ? value : null;
  });
}

/** Dictionaries that a function like `state_dict` or `get_checkpoint` returns. */
function savesByReturn(index: Index): readonly Save[] {
  return index.returns.flatMap((statement) => {
    const value = statement.lastChild;
    const name = scopeOf(statement).getChild('VariableName');
    if (!value || !name || !isDictionary(index.module, value)) return [];
    const text = index.module.textOf(name);
    return /state|checkpoint|ckpt|snapshot/i.test(text) && !/load|restore|set_|read/i.test(text)
      ? [saveOf(index, [value])]
      : [];
  });
}

const isDictionary = (module: PythonModule, node: SyntaxNode): boolean =>
  node.name === 'DictionaryExpression' ||
  (node.name === 'CallExpression' && /^(dict|OrderedDict)$/.test(calleeOf(module, node)?.name ?? ''));

function saveOf(
  { module }: Index,
  pieces: readonly (SyntaxNode | null)[],
  more: readonly (SyntaxNode | null)[] = [],
): Save {
  const entries: Entry[] = [];
  let isComplete = true;
  for (const piece of [...pieces, ...more]) {
    const found =
      piece &&
      (piece.name === 'AssignStatement' || piece.name === 'UpdateStatement'
        ? entryOf(module, piece)
        : entriesOf(module, piece));
    if (found) entries.push(...found);
    if (!found) isComplete = false;
  }
  return { entries, isComplete };
}

/** The key of `state["key"] = value`. */
function entryOf(module: PythonModule, binding: SyntaxNode): readonly Entry[] | null {
  const at = binding.firstChild?.getChild('String') ?? null;
  const value = binding.lastChild;
  const key = at && stringOf(module, at);
  return at && value && key !== null ? [{ key, at, value }] : null;
}

/** The keys of a dictionary; null if some are not written there. */
function entriesOf(module: PythonModule, dictionary: SyntaxNode): readonly Entry[] | null {
  if (dictionary.name === 'CallExpression') {
    const given = argumentsOf(module, dictionary);
    return given.every(({ name }) => name !== null)
      ? given.map(({ name, value }) => ({ key: name ?? '', at: value.prevSibling?.prevSibling ?? value, value }))
      : null;
  }
  const children = childrenOf(dictionary);
  const entries: Entry[] = [];
  for (const [i, child] of children.entries()) {
    if (child.name === '**' || child.name === 'ComprehensionExpression' || child.name === 'for') return null;
    if (child.name !== ':') continue;
    const at = children[i - 1];
    const value = children[i + 1];
    const key = at && stringOf(module, at);
    if (!at || !value || key === undefined || key === null) return null;
    entries.push({ key, at, value });
  }
  return entries;
}

const configuration =
  /^(self\.)?(args?|cfg|config|conf|configs?|hparams?|hps?|params|settings|options?|opts?|yaml\w*|\w+_(args|cfg|config|params))\b/i;

/** String keys outside the dictionaries that are saved. */
function stringsOf({ module }: Index, saved: ReadonlySet<number>): Pick<Checkpoints, 'mentioned' | 'assigned'> {
  const mentioned = new Set<string>();
  const assigned = new Set<string>();
  module.tree.iterate({
    enter: ({ name, node }) => {
      const key = name === 'String' && !saved.has(node.from) ? stringOf(module, node) : null;
      const { parent } = node;
      if (key === null || !parent || parent.name === 'ExpressionStatement') return;
      if (isSet(node, parent)) assigned.add(key);
      else if (!isConfigured(module, parent)) mentioned.add(key);
    },
  });
  return { mentioned, assigned };
}

/** Whether a string is the key of a written dictionary, or of `state["key"] = value`. */
function isSet(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (parent.name === 'DictionaryExpression') return node.nextSibling?.name === ':';
  const statement = parent.parent;
  if (parent.name !== 'MemberExpression' || !statement) return false;
  const target = /^(Assign|Update)Statement$/.test(statement.name) ? statement.firstChild : null;
  return target !== null && target.from === parent.from && target.to === parent.to;
}

/** Whether a string is looked up in a configuration, by `[…]` or by a method. */
function isConfigured(module: PythonModule, parent: SyntaxNode): boolean {
  const owner = parent.name === 'MemberExpression' ? parent.firstChild : parent.parent?.firstChild?.firstChild;
  return owner ? configuration.test(module.textOf(owner)) : false;
}

function isLoading(module: PythonModule, node: SyntaxNode | null): boolean {
  const callee = node?.name === 'CallExpression' ? calleeOf(module, node) : null;
  if (!callee) return false;
  const owner = callee.receiver ? module.textOf(callee.receiver) : '';
  if (callee.name === 'load') return /^(torch|fabric|self\.fabric|pickle|dill|joblib)$/.test(owner);
  return /load_?(checkpoint|ckpt|snapshot)|(checkpoint|ckpt|snapshot)_?load/i.test(callee.name);
}

/** More loads in one file are not looked at. */
const maxLoads = 50;

function loadsOf(index: Index): readonly Load[] {
  const { module } = index;
  const assigned = [...index.bindings.values()].flat().flatMap((statement) => {
    const [target, value] = [statement.firstChild, statement.lastChild];
    if (!target || statement.name !== 'AssignStatement' || !isLoading(module, value)) return [];
    return /^(VariableName|MemberExpression)$/.test(target.name)
      ? [{ at: statement, scope: scopeOf(statement), variable: module.textOf(target) }]
      : [];
  });
  const given = index.definitions.flatMap((definition) => {
    const name = module.textOf(definition.getChild('VariableName') ?? definition.firstChild ?? definition);
    if (!/load|restore|resume|set_state/i.test(name)) return [];
    return parametersOf(module, definition)
      .filter((one) => /^(state|state_dict|checkpoint|ckpt|snapshot|saved|payload)(_dict)?$/i.test(one))
      .map((variable) => ({ at: definition, scope: definition, variable }));
  });
  const candidates = new Map([...given, ...assigned].map((one) => [bindingKey(one.scope, one.variable), one]));
  return [...candidates.values()]
    .slice(0, maxLoads)
    .map((one) => loadOf(index, one))
    .filter(({ reads }) => reads.length > 0);
}

interface Candidate extends Pick<Load, 'at' | 'scope'> {
  readonly variable: string;
}

function loadOf(index: Index, { at, scope, variable }: Candidate): Load {
  const uses = (index.names.get(variable) ?? []).filter(({ from, to }) => from >= scope.from && to <= scope.to);
  const found = uses.map((node) => useOf(index, node));
  return {
    at,
    scope,
    reads: found.flatMap((use) => (use === null || use === 'harmless' ? [] : [use])),
    isClosed: !found.includes(null) && !restoresElsewhere(index, at),
  };
}

/** `load_checkpoint(path, model, optimizer)` of another file restores what this file does not show. */
function restoresElsewhere({ module, functions }: Index, at: SyntaxNode): boolean {
  const call = at.name === 'AssignStatement' ? at.lastChild : null;
  const callee = call && calleeOf(module, call);
  if (!call || !callee || callee.name === 'load' || functions.get(callee.name)) return false;
  const given = argumentsOf(module, call).slice(1);
  return given.some(
    ({ name, value }) => !/device|map_location|cpu|cuda|weights_only/.test(name ?? module.textOf(value)),
  );
}

/** The key that an occurrence of a checkpoint reads; null if it may read any. */
function useOf({ module, functions }: Index, node: SyntaxNode): Read | 'harmless' | null {
  const parent = node.parent;
  if (!parent) return null;
  if (parent.name === 'MemberExpression')
    return parent.firstChild?.from === node.from ? memberOf(module, parent) : 'harmless';
  if (parent.name === 'BinaryExpression') {
    const key = parent.getChild('in') && parent.firstChild ? stringOf(module, parent.firstChild) : null;
    return key === null ? 'harmless' : { key, at: parent };
  }
  if (/^(AssignStatement|UpdateStatement)$/.test(parent.name))
    return parent.firstChild?.from === node.from ? 'harmless' : null;
  if (/^(DeleteStatement|IfStatement|ParamList|UnaryExpression)$/.test(parent.name)) return 'harmless';
  const callee = parent.name === 'ArgList' && parent.parent ? calleeOf(module, parent.parent) : null;
  if (!callee) return null;
  if (/^(print|len|type|isinstance|info|debug|bool)$/.test(callee.name)) return 'harmless';
  return functions.get(callee.name) && callee.receiver === null ? 'harmless' : null;
}

function memberOf(module: PythonModule, member: SyntaxNode): Read | 'harmless' | null {
  const at = member.getChild('String');
  const key = at && stringOf(module, at);
  if (key !== null) return { key, at: member };
  const property = member.getChild('PropertyName');
  if (!property) return null;
  const name = module.textOf(property);
  if (name === 'keys') return 'harmless';
  const call = member.parent;
  const first = call?.name === 'CallExpression' ? argumentsOf(module, call)[0]?.value : undefined;
  const read = first && stringOf(module, first);
  return call && (name === 'get' || name === 'pop') && typeof read === 'string' ? { key: read, at: call } : null;
}
