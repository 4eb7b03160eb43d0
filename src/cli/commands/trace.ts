import type { CommandGroup } from '../command.ts';

/** `pv trace …`: what a language model generated, recorded, proved and replayed. Adding one is its file and a row here. */
export const trace: CommandGroup = {
  description:
    'Commits to every step of a generation (the token fed in, the token chosen, the SHA-256 of all logits) in a Merkle tree, so\n' +
    'that any single step can be proved to someone who has neither the trace nor the model, and any step can be replayed\n' +
    'bit for bit by someone who has the model. Exits with 1 if something does not verify, with 2 if a flag or a file\n' +
    'cannot be used. docs/trace.md says what is protected, and what is not.',
  examples: [
    ['pv trace tiny-model', 'A model to try all this on: tiny-model.bin and tiny-tokenizer.bin'],
    [
      'pv trace record --model tiny-model.bin --tokenizer tiny-tokenizer.bin -i "Once upon" -n 60 --out run.trace',
      'Generate, and commit to every step',
    ],
    ['pv trace verify run.trace --model tiny-model.bin --tokenizer tiny-tokenizer.bin --all', 'Replay every step'],
    ['pv trace prove run.trace --iteration 50 --out step50.proof', 'One step, for someone else'],
  ],
  commands: {
    record: {
      brief: 'Generate text with a model, and commit to every step',
      load: async () => (await import('../trace/record.ts')).record,
    },
    verify: {
      brief: 'Replay a trace with your copy of the model, and compare tokens and logits',
      load: async () => (await import('../trace/verify.ts')).verify,
    },
    prove: {
      brief: 'Write the proof of one step, which discloses no other',
      load: async () => (await import('../trace/prove.ts')).prove,
    },
    check: {
      brief: 'Check the proof of one step, without the trace and without the model',
      load: async () => (await import('../trace/check.ts')).check,
    },
    show: {
      brief: 'Print what a trace holds: its manifest, and one line for each step',
      load: async () => (await import('../trace/show.ts')).show,
    },
    convert: {
      brief: 'Write a trace in another format: v2, JSON, or that of llama2-rs',
      load: async () => (await import('../trace/convert.ts')).convert,
    },
    consistency: {
      brief: 'Prove that a trace only grew, or check such a proof',
      load: async () => (await import('../trace/consistency.ts')).consistency,
    },
    sign: {
      brief: 'Sign the size and root of a trace',
      load: async () => (await import('../trace/sign.ts')).sign,
    },
    cosign: {
      brief: 'Add a signature to a signed checkpoint',
      load: async () => (await import('../trace/cosign.ts')).cosign,
    },
    keygen: {
      brief: 'Make a key to sign checkpoints with',
      load: async () => (await import('../trace/keygen.ts')).keygen,
    },
    serve: {
      brief: 'Verify, prove and check for others over HTTP, with the models of a folder',
      load: async () => (await import('../trace/serve.ts')).serve,
    },
    'tiny-model': {
      brief: 'Write a tiny model and its tokenizer, made from a seed, to try traces on',
      load: async () => (await import('../trace/tiny-model.ts')).tinyModelCommand,
    },
  },
};
