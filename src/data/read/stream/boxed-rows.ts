/**
 * Records in a box, a row for each name: Stable-Baselines3 prints them, with sections (`| train/ | |` above `|    loss | 20.1 |`), and so
 * did OpenAI's Baselines.
 */

const ruler = /^\s*-{8,400}\s*$/;
const row = /^\s*\|( *)([A-Za-z][^|]{0,80}?) *\|([^|]{0,80})\|\s*$/;
/** What a box begins with: the name of a section, or a number. A table of Markdown begins with the names of its columns. */
const start = /^(?:$|[-+]?(?:\d|\.\d|nan|inf))/i;
const MAX_ROWS = 500;

/** Joins the rows of a box. */
export interface BoxedRows {
  /** Takes a line of a box: its text, once the box is closed, and nothing while it is open; null for any other line. */
  readonly take: (text: string) => string | null;
}

/** Boxes of a text, one after the other. */
export function createBoxedRows(): BoxedRows {
  let isOpen = false;
  let section = '';
  let pairs: string[] = [];
  return {
    take: (text) => {
      if (ruler.test(text)) {
        const record = pairs.join(', ');
        // A ruler closes a box, and it may open the next.
        isOpen = true;
        section = '';
        pairs = [];
        return record;
      }
      const found = isOpen ? row.exec(text) : null;
      const [, indent = '', name = '', value = ''] = found ?? [];
      if (!found || (pairs.length === 0 && section === '' && !start.test(value.trim()))) {
        isOpen = false;
        pairs = [];
        return null;
      }
      if (value.trim() === '' && name.endsWith('/')) section = name;
      else if (pairs.length < MAX_ROWS) pairs.push(`${indent.length > 2 ? section : ''}${name}=${value.trim()}`);
      return '';
    },
  };
}
