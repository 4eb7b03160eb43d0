/** The arithmetic of training by one name, however a trainer writes it; `16-true` has no loss scale, so it is not fp16 here. */
const spellings: ReadonlyMap<string, string> = new Map([
  ...['fp16', 'float16', 'half', '16', '16-mixed', 'fp16-mixed', 'mixed_float16', 'amp_fp16'].map(
    (text) => [text, 'fp16'] as const,
  ),
  ...['bf16', 'bfloat16', 'bf16-mixed', 'bf16-true', 'mixed_bfloat16', 'amp_bf16'].map(
    (text) => [text, 'bf16'] as const,
  ),
  ...['fp32', 'float32', 'float', '32', '32-true', 'no'].map((text) => [text, 'fp32'] as const),
]);

/** `torch.float16`, `16-mixed` and `half` are fp16; what is not known stays as it is. */
export function precisionNamed(text: string): string {
  const spelt = text
    .trim()
    .toLowerCase()
    .replace(/^(?:torch|jnp|jax\.numpy|tf)\./, '');
  return spellings.get(spelt) ?? text;
}
