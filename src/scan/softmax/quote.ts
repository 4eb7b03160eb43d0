import type { ts } from 'ts-morph';

const longest = 60;

/** An expression as it is quoted. */
export const shortened = (node: ts.Expression): string => {
  const text = node.getText().replace(/\s+/gu, ' ');
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
};
