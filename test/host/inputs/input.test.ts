import { describe, expect, it } from 'vitest';
import { inputKinds, portable, whyChanged, type Input, type Question } from '../../../src/host/inputs/input.ts';

const posix = process.platform !== 'win32';
const root = '/project';
const input = (kind: Input['kind'], name: string, answer: string): Input => ({ kind, name, answer });
/** Why `closed` is of another state when the world answers as `now` says, by `kind name`. */
const why = (closed: readonly Input[], now: Readonly<Record<string, string>>) =>
  whyChanged({ closed, open: [] }, root, ({ kind, name }: Question) => now[`${kind} ${name}`] ?? 'missing');

describe.runIf(posix)('what code has read, as a project keeps it', () => {
  it.each<[Input, Input]>([
    [input('file', '/project/data/a.json', 'x'), input('file', 'data/a.json', 'x')],
    [input('entry', '/project', 'folder'), input('entry', '.', 'folder')],
    [input('stat', '/project/a', 'x'), input('stat', 'a', 'x')],
    [input('folder', '/project/data', 'x'), input('folder', 'data', 'x')],
    [input('file', '/etc/hosts', 'x'), input('file', '/etc/hosts', 'x')],
    [input('file', '/project-two/a', 'x'), input('file', '/project-two/a', 'x')],
    [input('variable', '/project/a', '/project/b'), input('variable', '/project/a', '/project/b')],
    [input('environment', '', '/project'), input('environment', '', '/project')],
    [input('machine', '', '/project'), input('machine', '', '/project')],
    [input('place', '', '/project/sub'), input('place', '', 'sub')],
    [input('place', '', '/elsewhere'), input('place', '', '/elsewhere')],
    [input('file', '/project/a', '/project/b'), input('file', 'a', '/project/b')],
    [input('link', '/project/a', 'to /project/b'), input('link', 'a', 'to /project/b')],
    [input('realpath', '/project/a', 'at /project/b/c'), input('realpath', 'a', 'at b/c')],
    [input('realpath', '/project/a', 'at /project'), input('realpath', 'a', 'at .')],
    [input('realpath', '/project/a', 'at /elsewhere'), input('realpath', 'a', 'at /elsewhere')],
    [input('realpath', '/project/a', 'missing'), input('realpath', 'a', 'missing')],
  ])('names it from its root: %j', (found, kept) => {
    expect(portable({ closed: [found], open: ['the clock'] }, root)).toEqual({ closed: [kept], open: ['the clock'] });
  });
});

describe.runIf(posix)('what code has read, asked again', () => {
  it.each<[Input, string]>([
    [input('file', 'data/a.json', 'x'), 'file /project/data/a.json'],
    [input('file', '/etc/hosts', 'x'), 'file /etc/hosts'],
    [input('entry', '.', 'x'), 'entry /project'],
    [input('stat', 'a', 'x'), 'stat /project/a'],
    [input('folder', 'a', 'x'), 'folder /project/a'],
    [input('variable', 'HOME', 'x'), 'variable HOME'],
    [input('environment', '', 'x'), 'environment '],
    [input('machine', '', 'x'), 'machine '],
  ])('is as it was where %j has its answer, and changed where it has another', (kept, question) => {
    expect(why([kept], { [question]: 'x' })).toBeNull();
    expect(why([kept], { [question]: 'y' })).toMatch(/ changed since$/);
    expect(why([kept], {})).toMatch(/ changed since$/);
  });

  it('is of the folder that pv runs in, wherever the project has moved', () => {
    expect(why([input('place', '', 'sub')], { 'place ': '/project/sub' })).toBeNull();
    expect(why([input('place', '', '.')], { 'place ': '/project' })).toBeNull();
    expect(why([input('place', '', '/elsewhere')], { 'place ': '/elsewhere' })).toBeNull();
    expect(why([input('place', '', 'sub')], { 'place ': '/project' })).toBe('the folder that pv runs in changed since');
  });

  it('is of the file that a path leads to, wherever the project has moved', () => {
    const kept = input('realpath', 'l', 'at missing');
    expect(why([kept], { 'realpath /project/l': 'at /project/missing' })).toBeNull();
    for (const now of ['at /project/b', 'at /elsewhere/missing', 'missing'])
      expect(why([kept], { 'realpath /project/l': now })).toBe('l changed since');
  });

  it.each([
    [input('file', 'a.json', 'x'), 'a.json'],
    [input('variable', 'HOME', 'x'), 'the variable HOME'],
    [input('environment', '', 'x'), 'the environment'],
    [input('machine', '', 'x'), 'the machine, its language or its time zone'],
  ])('says what has changed: %j', (kept, name) => expect(why([kept], {})).toBe(`${name} changed since`));

  it('is changed by the first that has, among those that have not', () => {
    const kept = ['a', 'b', 'c'].map((name) => input('file', name, 'x'));
    expect(why(kept, { 'file /project/a': 'x', 'file /project/b': 'y', 'file /project/c': 'z' })).toBe(
      'b changed since',
    );
    expect(why([], {})).toBeNull();
  });

  it('is never as it was where something has no answer that could be asked again', () => {
    const open = { closed: [], open: ['the clock', 'the network'] };
    expect(whyChanged(open, root, () => 'x')).toBe('it used the clock, the network, so that it is never reused');
  });

  it('is of every kind', () => expect(new Set(inputKinds).size).toBe(12));
});
