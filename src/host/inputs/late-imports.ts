import { isBuiltin } from 'node:module';

/** Modules that no bundle holds: they are looked for on the disk, in many places. */
export const lateModules = 'modules that it loads while it runs';

/** Whether `text`, a bundle, imports by itself what the bundler could not put into it. */
export function importsWhileItRuns(text: string): boolean {
  return [...text.matchAll(/(?<![.\w$])import\s*\(\s*(?:(["'])([^"']*)\1\s*\))?/gu)].some(
    ([, , name]) => name === undefined || !isBuiltin(name),
  );
}
