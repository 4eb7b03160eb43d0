import type { AnchorFlags } from './anchor-flags.ts';
import type { SamplingFlags } from './sampling-flags.ts';

/** Levels as one types them. */
export const levelNames = ['exact', 'float-band', 'engine-band'] as const;
type LevelName = (typeof levelNames)[number];

/** What `pv trace verify` is told. */
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
    readonly prompt?: string;
    readonly json: boolean;
  };
