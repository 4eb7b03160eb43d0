/** The words of a text of code without its comments, in lower case, each between two blanks: `// a\nlet kMeans` is ` let k means `. */
export function codeWordsOf(text: string): string {
  const words = withoutComments(text)
    .replace(/([a-z])([A-Z])/gu, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z\d]+/gu, ' ')
    .trim();
  return ` ${words} `;
}

/** A text without what follows `//` in a line or is between `/*` and its end, also within texts: words are left, not a program. */
function withoutComments(text: string): string {
  return text
    .split('*/')
    .map((part) => {
      const start = part.indexOf('/*');
      return start === -1 ? part : part.slice(0, start);
    })
    .join(' ')
    .replace(/\/\/.*/gu, '');
}
