/**
 * The exports of an ES module given as text, through a `data:` URL: no file, no `eval`.
 *
 * The engine keeps every module it has loaded, so callers load each distinct text once.
 */
export async function loadText(text: string): Promise<Readonly<Record<string, unknown>>> {
  const url = `data:text/javascript;base64,${Buffer.from(text, 'utf8').toString('base64')}`;
  const module: Readonly<Record<string, unknown>> = await import(/* @vite-ignore */ url);
  return module;
}
