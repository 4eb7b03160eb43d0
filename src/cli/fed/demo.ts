import { defineCommand } from '../command.ts';
import type { DemoFlags } from './run-demo.ts';

/** `pv fed demo`. */
export const demo = defineCommand<DemoFlags, readonly []>({
  description:
    'Trains a small base model, then runs one federated round of five nodes: four train on texts of their own, one attacks. The\n' +
    'coordinator vanishes after the submissions, two others take over at once, and the adapter is applied. Keys, clock and texts are\n' +
    'fixed, so that every run on every machine gives the same bytes. Takes about five seconds.\n' +
    'With --secure, the round has secure aggregation instead: nobody sees a delta, a node leaves with its masks in the sum, and the\n' +
    'coordinator tries to unmask another.',
  examples: [
    ['pv fed demo', 'Write fed-demo/, with a folder for each node and report.html'],
    ['pv fed demo --out /tmp/round', 'Write elsewhere'],
    ['pv fed demo --secure --out secure-demo', 'A round in which the sum alone is seen'],
  ],
  flags: {
    out: {
      kind: 'parsed',
      parse: String,
      placeholder: 'folder',
      default: 'fed-demo',
      brief: 'A new folder for the nodes',
    },
    secure: { kind: 'boolean', brief: 'Run a round with secure aggregation', default: false, withNegated: false },
  },
  positional: { kind: 'tuple', parameters: [] },
  run: async (cli, flags) => (await import('./run-demo.ts')).runDemo(cli, flags),
});
