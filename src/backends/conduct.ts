/** What the process of plain functions noted of them, besides their results. */

/** How the functions of a process behaved; '' where there is nothing to say. */
export interface Conduct {
  /** Names of built-in functions, as `Math.exp, JSON.parse`. */
  readonly replaced: string;
  /** How a result changed after it was returned. */
  readonly changed: string;
  /** How an input changed after the call that it was given to. */
  readonly changedInput: string;
  /** What a result was, instead of a plain array or number. */
  readonly disguised: string;
}
