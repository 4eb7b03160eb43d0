import { text_en, type ApplicationText } from '@stricli/core';

/** What pv says when a command line cannot be read; every line says how to continue. */
export const usageText: ApplicationText = {
  ...text_en,
  noCommandRegisteredForInput: ({ input, corrections }) => {
    const names = corrections.map((name) => name.replaceAll('`', "'"));
    const guess = names.length > 0 ? `; did you mean ${names.join(' or ')}?` : '';
    return `pv: there is no command '${input}'${guess}\n    pv --help lists the commands`;
  },
  exceptionWhileParsingArguments: (error) => {
    const message = error instanceof Error ? error.message : String(error);
    return `pv: ${message}\n    add --help to see what the command takes`;
  },
};
