/**
 * Sets LaTeX as MathML. The typesetter is loaded on first use. LaTeX that it cannot set becomes a coloured `<span>` with its
 * text, so the author's formula is always shown.
 */
export async function printMathml(latex: string, layout: 'inline' | 'block' = 'block'): Promise<string> {
  const { default: temml } = await import('temml');
  return temml.renderToString(latex, { displayMode: layout === 'block', throwOnError: false, maxExpand: 1000 });
}
