/** From the root of the package: the definitions and lemmas that every statement and script may use. */
export const preludePath = 'templates/rocq/Pv.v';
