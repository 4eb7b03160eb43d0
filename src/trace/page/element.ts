/** Creates elements without markup: content of untrusted files is always text. */
import { visible } from '../../base/text.ts';

export type Attributes = Readonly<Record<string, string | number | boolean>>;
export type Child = Node | string;

/** Control characters and bidirectional controls in texts are made visible. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  return filled(document.createElement(name), attributes, children);
}

export function svgElement<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[K] {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

function filled<E extends Element>(made: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) made.setAttribute(name, value === true ? '' : String(value));
  }
  made.append(...children.map((child) => (typeof child === 'string' ? visible(child) : child)));
  return made;
}
