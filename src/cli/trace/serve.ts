import { defineCommand } from '../command.ts';
import { serveFlags, type ServeFlags } from './serve-flags.ts';

/** `pv trace serve --models FOLDER`: verification for clients without the model. */
export const serve = defineCommand<ServeFlags, []>({
  description:
    'Verifies, proves and checks over HTTP, with the models and tokenizers of one folder, which clients name by their SHA-256;\n' +
    'GET /openapi.json describes the interface, and / is a page that checks in the browser. Replays run on worker threads; a\n' +
    'request that is too large, too long or one too many is refused. SIGINT and SIGTERM end it with 130, after the requests\n' +
    'that are being served. docs/trace-serve.md says what to put in front of it.',
  examples: [
    ['pv trace serve --models models', 'On http://127.0.0.1:8080, for this machine alone'],
    ['pv trace serve --models models --host 0.0.0.0 --port 80 --workers 4', 'For others'],
  ],
  flags: serveFlags,
  positional: { kind: 'tuple', parameters: [] },
  run: async (cli, flags) => (await import('./run-serve.ts')).runServe(cli, flags),
});
