/** `--json`. */
export const jsonFlag = {
  kind: 'boolean',
  brief: 'The answer as JSON, for machines: docs/trace-verify.md has its form',
  default: false,
  withNegated: false,
} as const;
