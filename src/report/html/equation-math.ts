import { trusted, type Markup } from './markup.ts';

/** Turns LaTeX into MathML; null for what it does not read. */
export type RenderMath = (latex: string) => Markup | null;

/** Longer formulas are shown as text: they would not be readable anyway. */
const longestLatex = 4_000;
const longestMathml = 40_000;

/** What Temml may answer with; anything else (links, images, scripts) is refused. */
const mathml = /^(?:<\/?(?:math|m[a-z]+|semantics|annotation)(?: (?!href|on|src)[a-z-]+="[^"<>]*")*\/?>|[^<>])*$/;

/** Loads Temml (MIT), which needs neither fonts nor style sheets where the browser draws MathML itself. */
export async function loadMath(): Promise<RenderMath> {
  const { default: temml } = await import('temml');
  return (latex) => {
    if (latex.length > longestLatex) return null;
    try {
      const rendered = temml.renderToString(latex, { displayMode: true, throwOnError: true, trust: false });
      return rendered.length <= longestMathml && mathml.test(rendered) ? trusted(rendered) : null;
    } catch {
      // Not every formula is in the part of LaTeX that Temml reads; its text is shown instead.
      return null;
    }
  };
}
