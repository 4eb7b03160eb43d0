import type { Term } from '../../../math/term/term.ts';
import type { Definition } from './scope.ts';
import type { Value } from './value.ts';

/** A place where names can be introduced: the body of a binder, a branch of a choice, a separate expression. */
export interface Frame {
  /**
   * `binder`: evaluated once per index. `guard`: evaluated only when a condition holds, so that nothing that could
   * fail without the condition may leave. `sealed`: nothing leaves.
   */
  readonly kind: 'binder' | 'guard' | 'sealed';
  /** Binders of this place and the names introduced in it. */
  readonly bound: Set<string>;
  readonly lets: { readonly name: string; readonly value: Term }[];
  readonly names: Map<string, string>;
  readonly definitions: Map<Definition, Value>;
}
