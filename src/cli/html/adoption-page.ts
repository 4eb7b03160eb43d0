import type { Adoption } from '../../report/adopt/adoption.ts';
import { adoptionPage } from '../../report/adopt/page.ts';
import { safe } from '../../report/html/markup.ts';
import { htmlPage } from './page.ts';

/** The page of `pv adopt` as HTML, without scripts and requests. */
export function adoptionHtml(adoption: Adoption): string {
  const { verdict, sections, closing } = adoptionPage(adoption);
  const body = safe`<div class="top"><h1>Adopted contracts</h1><p>${verdict}</p></div>
<main>
${sections.map(
  ({ heading, items }) => safe`<section><h2>${heading}</h2>
<ul>${items.map(({ title, lines }) => safe`<li>${title}${lines.length > 0 && safe`<ul>${lines.map((line) => safe`<li>${line}</li>`)}</ul>`}</li>`)}</ul>
</section>
`,
)}
</main>`;
  return htmlPage({ title: 'Adopted contracts', body, source: closing.join(' ') });
}
