import type { FileSystemHost } from 'ts-morph';
import type { Host } from '../host/host.ts';

/** What each question of the compiler is to a host; `glob`, which only adding files by patterns asks, is none. */
const questions: Readonly<Record<string, Parameters<NonNullable<Host['asked']>>[0]>> = {
  readFile: 'readText',
  readFileSync: 'readText',
  fileExists: 'kindOf',
  fileExistsSync: 'kindOf',
  directoryExists: 'kindOf',
  directoryExistsSync: 'kindOf',
  readDirSync: 'list',
  realpathSync: 'realPath',
};

/** The files as the compiler sees them; each question is also told to `asked`, since it goes past the host. */
export function watchedFiles(files: FileSystemHost, asked: NonNullable<Host['asked']>): FileSystemHost {
  return new Proxy(files, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...values: readonly unknown[]): unknown => {
        const question = questions[String(name)];
        const [path] = values;
        if (question !== undefined && typeof path === 'string') asked(question, path);
        return Reflect.apply(member, target, values);
      };
    },
  });
}
