import { visible } from '../base/text.ts';

/**
 * `text` for XML or HTML, in content or in a quoted attribute. Characters that XML 1.0 forbids become visible ones. Printed in a job of GitHub
 * Actions a line that begins with `::` is a command.
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
