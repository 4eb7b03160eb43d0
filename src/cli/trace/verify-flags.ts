import type { AnchorFlags } from './anchor-flags.ts';
import { requirementNames, type Requirement } from '../../trace/verify/requirement.ts';
import type { SamplingFlags } from './sampling-flags.ts';

/** Levels as one types them. */
export const levelNames = ['exact', 'float-band', 'engine-band'] as const;
type LevelName = (typeof levelNames)[number];

/** The flags of `pv trace verify`. */
export type VerifyFlags = AnchorFlags &
  Partial<SamplingFlags> & {
    readonly model: string;
    readonly tokenizer?: string;
    readonly iteration?: number;
    readonly all: boolean;
    readonly sample?: number;
    readonly challenge?: number;
    readonly level?: LevelName;
    readonly incomplete: boolean;
    readonly require?: readonly Requirement[];
    readonly prompt?: string;
    readonly json: boolean;
  };

/** `tokens,root`: names of requirements, separated by commas. */
export function requirementsOf(text: string): readonly Requirement[] {
  return text.split(',').map((part) => {
    const found = requirementNames.find((name) => name === part.trim());
    if (found === undefined) throw new RangeError(`'${part.trim()}' is not one of ${requirementNames.join(', ')}`);
    return found;
  });
}
