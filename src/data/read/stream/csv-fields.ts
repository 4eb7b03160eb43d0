/** Fields of one record of delimited text (RFC 4180): quotes double themselves, quoted fields may hold line ends. */

const delimiters = [',', ';', '\t', '|'] as const;
/** The characters that may separate fields. */
export type Delimiter = (typeof delimiters)[number];

/** The delimiter that splits a header into the most fields; null if none splits it. */
export function delimiterOf(header: string): Delimiter | null {
  const outside = header.replace(/"(?:[^"]|"")*"/g, 'q');
  let best: Delimiter | null = null;
  let most = 1;
  for (const delimiter of delimiters) {
    const fields = outside.split(delimiter).length;
    if (fields > most) [best, most] = [delimiter, fields];
  }
  return best;
}

/** Whether a quoted field of the record is still open at its end. */
export function endsInQuotes(record: string): boolean {
  let quotes = 0;
  for (let at = record.indexOf('"'); at >= 0; at = record.indexOf('"', at + 1)) quotes += 1;
  return quotes % 2 === 1;
}

/** The fields of one complete record, with quotes removed. */
export function splitFields(record: string, delimiter: Delimiter): readonly string[] {
  if (!record.includes('"')) return record.split(delimiter);
  const fields: string[] = [];
  let field = '';
  let quoted = false;
  for (let at = 0; at < record.length; at++) {
    const c = record[at] ?? '';
    if (c === '"' && quoted && record[at + 1] === '"') {
      field += '"';
      at += 1;
    } else if (c === '"') quoted = !quoted;
    else if (c === delimiter && !quoted) {
      fields.push(field);
      field = '';
    } else field += c;
  }
  fields.push(field);
  return fields;
}
