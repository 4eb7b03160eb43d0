import { visible } from '../base/text.ts';

/**
 * `text` for XML or HTML, in content or in a quoted attribute. Characters that XML 1.0 forbids become visible ones. `::` at the start of
 * a line is escaped, since GitHub Actions would take the line for a command.
 */
export function escapeXml(text: string): string {
  return visible(text.replace(/[\n\r\t]/g, ' '))
    .replace(/[\p{Surrogate}\ufffe\uffff]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replace(/^(\s*)::/, '$1&#58;:');
}
