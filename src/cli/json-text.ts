/** A verdict as JSON for programs, which a person may see in a terminal: no text of a stranger's file may control it. */
export const jsonText = (verdict: object): string => JSON.stringify(verdict, null, 2).replace(steering, escaped);

/**
 * Characters that JSON does not escape but a terminal may obey: DEL, control characters from U+0080, and those that change the
 * text direction.
 */
const steering = /[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/g;
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
