export const jsonFlag = {
  kind: 'boolean',
  brief: 'The answer as JSON, for machines: docs/trace.md has its form',
  default: false,
  withNegated: false,
} as const;
