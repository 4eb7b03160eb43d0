/** Refusals for people: code, capability, sender and round, in a form that no sender can shape. */
import { keyOfNode } from '../../federated/node-id.ts';

const mostCharacters = 32;

/** All but what moves nothing on a line: controls, text from right to left, and marks that combine, which scripts such as Cyrillic have too. */
const plain =
  /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\d._@-]|\p{M}/gu;

/** The name, cut to 32 characters, and the hash of a node's key: enough to tell nodes apart. Other texts are made harmless too. */
export function shortId(node: string): string {
  const key = keyOfNode(node);
  const characters = Array.from((key?.name ?? node).replace(plain, '\uFFFD'));
  const name =
    characters.length > mostCharacters ? `${characters.slice(0, mostCharacters - 1).join('')}…` : characters.join('');
  return key === null ? name : `${name}+${key.keyId}`;
}

/** What is shown of a refusal. The sender is null where the message names none, and for the node's own commands. */
export interface ShownRefusal {
  readonly capability: string;
  readonly code: string;
  readonly sender: string | null;
  readonly count: number;
}

/** `round.join`, of `experimental.fedlearn.round.join`. */
export const capabilityText = (capability: string): string =>
  capability.replace('experimental.fedlearn.', '').replace(plain, '\uFFFD');

/** ` by` who sent what was refused, as far as the message says; empty where it does not. */
export const senderText = (code: string, sender: string | null): string =>
  sender === null ? '' : ` by ${code === 'signature_invalid' ? 'somebody who claims to be ' : ''}${shortId(sender)}`;

/** One line: `round_closed: round.submit by ben+1a2b3c4d`. */
export const refusalText = ({ capability, code, sender, count }: ShownRefusal): string =>
  `${code.replace(plain, '\uFFFD')}: ${capabilityText(capability)}${senderText(code, sender)}${count > 1 ? ` (number ${count})` : ''}`;
