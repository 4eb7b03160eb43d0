import type { CommandGroup } from '../command.ts';

/** `pv certificate …`: independent checks of finished training runs. */
export const certificate: CommandGroup = {
  description:
    'Certificates of training runs. docs/training.md says what each level of verification shows, and what no level can show.',
  examples: [['pv certificate verify run --level full', 'Replay the whole run and compare every bit']],
  commands: {
    verify: {
      brief: 'Verify a certificate against its weights and ledger, and replay its steps',
      load: async () => (await import('../train/verify.ts')).verify,
    },
    import: {
      brief: 'Certify a run of another trainer, such as PyTorch, from its step records',
      load: async () => (await import('../train/import.ts')).importRecords,
    },
    compact: {
      brief: 'Keep only the important lines of a ledger, with proofs that they were part of it',
      load: async () => (await import('../train/compact.ts')).compact,
    },
    diff: {
      brief: 'Name the first step at which two runs differ, and what differs in it',
      load: async () => (await import('../train/diff.ts')).diff,
    },
    sign: {
      brief: 'Sign a certificate as an in-toto statement in a DSSE envelope',
      load: async () => (await import('../train/sign.ts')).sign,
    },
  },
};
