/** What a word of a shell script is in its command: a config that is given to a program, or a flag that the shell does not give to it. */
import type { ShellWord } from './shell-words.ts';

/** Commands whose arguments may be configs; others copy or print files. */
const trainers = /^(?:axolotl|llamafactory-cli|litgpt|tune|swift|trl)$/;
const configFile = /\.(?:ya?ml|toml)$/;
const flag = /^--?[A-Za-z]/;
/** Where the next line belongs to a line of PowerShell, or of Windows' command line, it ends in these. */
export const continued = /^[`^]$/;

interface InCommand {
  /** It is a config, which says what the flags do not. */
  readonly isConfig: boolean;
  /** It begins a line behind a command that ends in the line before. */
  readonly isCut: boolean;
  /** The command runs a program of Python, whose arguments follow. */
  readonly isRun: boolean;
}

const isPython = (word: string | undefined): boolean => word?.endsWith('.py') === true;

/** Asked for the words in their order. */
export function commandsOf(text: string): (word: ShellWord, before: ShellWord | undefined) => InCommand {
  let isRun = false;
  let hasRun = false;
  let isPositional = false;
  // A text inside the script is not a command.
  const hasText = text.includes('<<');
  return ({ raw, isFirst, opensLine }, before) => {
    const isFlag = flag.test(raw);
    const isCut = isFlag && opensLine && hasRun && !hasText && !continued.test(before?.raw ?? '');
    if (isFirst) {
      isRun = false;
      isPositional = trainers.test(raw);
      // A line of flags alone goes on with what is cut.
      hasRun &&= isFlag;
    }
    const isProgram = isPython(raw) || before?.raw === '-m';
    const isConfig = isPositional && !isFirst && (configFile.test(raw) || (isPython(raw) && isPython(before?.raw)));
    // What follows a flag is its value, until the program that a launcher runs.
    isPositional = isProgram || (isPositional && !isFlag);
    isRun ||= isProgram;
    hasRun ||= isProgram;
    return { isConfig, isCut, isRun };
  };
}
