import type { CommandGroup } from '../command.ts';

/** `pv certificate …`: what a training run left behind, checked independently. */
export const certificate: CommandGroup = {
  description:
    'Certificates of training runs. docs/training.md says what each level of verification shows, and what none of them does.',
  examples: [['pv certificate verify run --level full', 'Replay the whole run, and compare every bit']],
  commands: {
    verify: {
      brief: 'Check a certificate against its weights and ledger, and replay its steps',
      load: async () => (await import('../train/verify.ts')).verify,
    },
    compact: {
      brief: 'Keep the lines of a ledger that matter, with proofs that they were part of it',
      load: async () => (await import('../train/compact.ts')).compact,
    },
    sign: {
      brief: 'Sign a certificate, as in-toto and DSSE have it',
      load: async () => (await import('../train/sign.ts')).sign,
    },
  },
};
