/** The words of a key: `trainer.warmupSteps` is trainer, warmup, steps. */
export function wordsOf(key: string): readonly string[] {
  return key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** Words that show a key to be about something other than the training itself. */
const elsewhere = new Set(
  'eval evaluation val valid validation test generation generate sampling inference profiler profiling profile save saving checkpoint checkpointing checkpointer log logging logger monitoring tags ref reference reward critic teacher draft teardown quantization quantizer vision vllm'.split(
    ' ',
  ),
);

/** Whether a key is about something other than the training itself. */
export function isElsewhere(key: string): boolean {
  return wordsOf(key).some((word) => elsewhere.has(word));
}
