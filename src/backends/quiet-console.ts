const methods = ['log', 'info', 'warn', 'error'] as const;

/** Runs `action` and captures its console output; only for synchronous library calls. */
export function withQuietConsole<T>(action: (printed: readonly string[]) => T): T {
  const printed: string[] = [];
  const originals = methods.map((method) => console[method]);
  for (const method of methods)
    console[method] = (...values: unknown[]) =>
      void printed.push(values.map((value) => (value instanceof Error ? value.message : String(value))).join(' '));
  try {
    return action(printed);
  } finally {
    methods.forEach((method, i) => (console[method] = originals[i] ?? console[method]));
  }
}
