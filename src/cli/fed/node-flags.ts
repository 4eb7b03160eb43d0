/** Flags of every command about a node of one's own. */
export type NodeFlags = Readonly<{ config: string; nats?: string; json: boolean }>;

/** Their definitions. */
export const nodeFlags = {
  config: {
    kind: 'parsed',
    parse: String,
    placeholder: 'file',
    default: 'node.yaml',
    brief: 'The node’s settings: key, roster, base model, data, limits',
  },
  nats: {
    kind: 'parsed',
    parse: String,
    placeholder: 'url',
    brief: 'The NATS server, instead of that of the settings',
    optional: true,
  },
  json: { kind: 'boolean', brief: 'Print the answer as JSON', default: false, withNegated: false },
} as const;
