/**
 * A checkpoint that replaces the last one before its bytes are on the disk. A rename survives a killed process; after a power
 * failure the new name may lead to an empty or torn file, and the old file is gone.
 */
import type { SyntaxNode } from '@lezer/common';
import type { PythonModule } from '../python/module.ts';
import { argumentsOf, calleeOf, scopeOf } from '../python/syntax.ts';
import type { Match, PythonRule } from '../rule.ts';

export const pythonUnsyncedSave: PythonRule = {
  language: 'python',
  code: 'PV-9129',
  words: /\b(torch|pickle|dill|joblib)\s*\.\s*(save|dump)\b|\bsave_file\b/,
  usesTypes: false,
  check: (module) => {
    const scopes = new Map<number, Step[]>();
    module.tree.iterate({
      enter: ({ name, node }) => {
        if (name !== 'CallExpression') return;
        const step = stepOf(module, node);
        const key = scopeOf(node).from;
        if (!step) return;
        const steps = scopes.get(key) ?? [];
        scopes.set(key, steps);
        if (steps.length < maxSteps) steps.push(step);
      },
    });
    return [...scopes.values()].flatMap((steps) => [
      ...renamedUnsynced(module, steps),
      ...syncedElsewhere(module, steps),
    ]);
  },
};

/** Longer functions are looked at up to here. */
const maxSteps = 500;

/** A step of a durable write, in the order of the text; `file` is the text of the path or of the open file. */
interface Step {
  readonly kind: 'open' | 'read' | 'write' | 'flush' | 'sync' | 'rename';
  readonly file: string;
  /** What a file is opened as. */
  readonly handle: string | null;
  readonly buffered: boolean;
  readonly at: SyntaxNode;
}

function stepOf(module: PythonModule, call: SyntaxNode): Step | null {
  const callee = calleeOf(module, call);
  if (!callee) return null;
  const owner = callee.receiver ? module.textOf(callee.receiver) : '';
  const given = argumentsOf(module, call);
  const texts = given.map(({ value }) => module.textOf(value));
  const named = given.findIndex(({ name }) => name === 'f');
  const one = (kind: Step['kind'], file: string | undefined): Step | null =>
    file === undefined
      ? null
      : { kind, file, handle: null, buffered: owner === 'pickle' || owner === 'dill', at: call };
  if (/sync/i.test(callee.name)) return one('sync', /^(\w+)\.fileno\(\)$/.exec(texts[0] ?? '')?.[1] ?? '');
  if (callee.name === 'open') return opened(module, call, owner, texts);
  if (callee.name === 'flush') return one('flush', owner);
  if (isWriting(callee.name, owner)) return one('write', texts[named] ?? texts[1]);
  if (callee.name === 'move' && owner === 'shutil') return one('rename', texts[0]);
  if (!/^(replace|rename)$/.test(callee.name)) return null;
  if (owner === 'os') return one('rename', texts.length >= 2 ? texts[0] : undefined);
  return given.length === 1 ? one('rename', owner) : null;
}

const isWriting = (name: string, owner: string): boolean =>
  name === 'save_file' ||
  (name === 'save' && /^(torch|xm)$/.test(owner)) ||
  (name === 'dump' && /^(pickle|dill|joblib)$/.test(owner));

/** `open(path, mode) as handle`, or `path.open(mode) as handle`. */
function opened(module: PythonModule, call: SyntaxNode, owner: string, texts: readonly string[]): Step | null {
  const [file, mode] = owner === '' ? texts : owner === 'os' ? [] : [owner, texts[0]];
  const name = call.nextSibling?.name === 'as' ? call.nextSibling.nextSibling : null;
  const assigned = call.parent?.name === 'AssignStatement' ? call.parent.firstChild : null;
  const handle = name ?? assigned;
  if (file === undefined || !handle) return null;
  const isOut = /['"][wxa+b]*[wxa+][wxa+b]*['"]/.test(mode ?? '');
  return { kind: isOut ? 'open' : 'read', file, handle: module.textOf(handle), buffered: false, at: call };
}

/** A checkpoint renamed into place, with nothing in the function that synchronises a file. */
function renamedUnsynced(module: PythonModule, steps: readonly Step[]): readonly Match[] {
  for (const [i, { kind, file, at }] of steps.entries()) {
    if (kind !== 'rename') continue;
    const before = steps.slice(0, i);
    if (before.some((step) => step.kind === 'sync')) return [];
    const handles = new Set(
      before.filter((step) => step.kind === 'open' && bare(step.file) === bare(file)).map(({ handle }) => handle),
    );
    const write = before.findLast(
      (step) => step.kind === 'write' && (bare(step.file) === bare(file) || handles.has(step.file)),
    );
    if (!write) continue;
    return [
      {
        range: { start: at.from, end: at.to },
        message: `\`${bare(file)}\` is renamed before its bytes are on the disk: a power failure can leave an empty or torn checkpoint`,
        hint: 'with open(path, "wb") as f: torch.save(state, f); f.flush(); os.fsync(f.fileno()), then rename, then sync the folder',
        related: [{ message: 'written here', module, range: { start: write.at.from, end: write.at.to } }],
      },
    ];
  }
  return [];
}

/** A synchronisation that does not reach what was written: of a second handle for reading, or of a buffer not yet flushed. */
function syncedElsewhere(module: PythonModule, steps: readonly Step[]): readonly Match[] {
  return steps.flatMap((sync, i) => {
    const before = steps.slice(0, i);
    const opening =
      sync.kind === 'sync' ? before.findLast(({ handle }) => handle !== null && handle === sync.file) : undefined;
    if (!opening) return [];
    const since = before.slice(before.indexOf(opening));
    const late = before.findLast(({ kind, file }) => kind === 'write' && bare(file) === bare(opening.file));
    const held = since.findLast(({ kind, file, buffered }) => kind === 'write' && buffered && file === opening.handle);
    const isFlushed =
      held && since.slice(since.indexOf(held)).some(({ kind, file }) => kind === 'flush' && file === opening.handle);
    const isLate = opening.kind === 'read' && late;
    if (!isLate && (!held || isFlushed)) return [];
    return [
      {
        range: { start: sync.at.from, end: sync.at.to },
        message: isLate
          ? `\`${bare(opening.file)}\` is synchronised through a second handle, opened for reading: Windows refuses it, and a failed write may go unreported`
          : `\`${sync.file}\` is synchronised before it is flushed: what Python still holds in its buffer is not on the disk`,
        hint: isLate
          ? 'write through the handle that is synchronised: torch.save(state, f); f.flush(); os.fsync(f.fileno())'
          : `call ${sync.file}.flush() before os.fsync(${sync.file}.fileno())`,
        related: [
          {
            message: 'written here',
            module,
            range: { start: (late ?? held ?? sync).at.from, end: (late ?? held ?? sync).at.to },
          },
        ],
      },
    ];
  });
}

/** `path` of `str(path)`. */
const bare = (file: string): string => /^(?:str|Path|os\.fspath)\((.*)\)$/s.exec(file)?.[1] ?? file;
