/** One HTML page without scripts and requests: it reads well in print, on a phone, in light and in dark. */
import { version } from '../../base/version.ts';
import { safe, trusted, type Markup } from '../../report/html/markup.ts';
import { styleSheet } from '../../report/html/style.ts';
import { chartStyle } from './chart.ts';

/** What differs between pages. */
interface Page {
  readonly title: string;
  /** A top and a main part. */
  readonly body: Markup;
  /** More style; trusted. */
  readonly style?: string;
  /** What the page was made from, for its foot. */
  readonly source: string;
}

const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/** The page as text. */
export function htmlPage({ title, body, style = '', source }: Page): string {
  return safe`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="pv ${version}">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${trusted(styleSheet() + chartStyle + style)}</style>
</head>
<body>
${body}
<footer class="top">pv ${version}. ${source}</footer>
</body>
</html>
`.markup;
}
