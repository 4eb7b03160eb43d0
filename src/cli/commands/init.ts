import { join } from 'node:path';
import { execCommand, planInit } from '../../codegen/init-files.ts';
import { loadTemplate } from '../../codegen/render-template.ts';
import { projectFiles } from '../../host/project-files.ts';
import { print, say, type NoFlags } from '../cli.ts';
import { defineCommand } from '../command.ts';
import { exitCodes } from '../../api/exit-code.ts';

/** `pv init`: a first contract in this project. */
export const init = defineCommand<NoFlags, []>({
  description:
    'Adds a first contract, a kernel that satisfies it, the binding between them and a CI gate to the project in this folder.\n' +
    'Works in an empty folder and in an existing TypeScript project; a file that exists is never touched.',
  examples: [['pv init', 'Then: npx pv verify']],
  flags: {},
  positional: { kind: 'tuple', parameters: [] },
  run: async (cli) => {
    const { files, manager, install } = await planInit(cli.host);
    const own = projectFiles(cli.host, '.');
    let failed = false;
    for (const { template, path, view } of files) {
      if ((await cli.host.kindOf(path)) !== 'missing') {
        say(cli, `kept ${path}: it exists`);
        continue;
      }
      const render = await loadTemplate(cli.host, join(cli.packageRoot, 'templates', 'init', `${template}.hbs`));
      const written = await own.write(path, render(view));
      if (written.ok) print(cli, `wrote ${path}`);
      else say(cli, `pv: ${path} ${written.error.message}`);
      failed ||= !written.ok;
    }
    const verify = `${execCommand(manager)} pv verify`;
    const next = [...(install === null ? [] : [install]), verify].map((command) => `  ${command}`);
    say(cli, `\nNext${install === null ? '' : ', since pv is not installed for this project'}:\n${next.join('\n')}`);
    return failed ? exitCodes.usage : exitCodes.ok;
  },
});
