/** Functions of a module, written with names for their variables. */
import type { Code, Local, ValueType, WasmFunction } from './encode.ts';

type Declarations = Readonly<Record<string, ValueType>>;
type Variables<D> = { readonly [Name in keyof D]: Local };

interface FunctionText<P extends Declarations, L extends Declarations> {
  /** In the order of the call. */
  readonly parameters: P;
  /** They begin as zeros. */
  readonly locals: L;
  readonly body: (variables: Variables<P & L>) => readonly Code[];
}

/** A function whose variables have names; parameters come first. */
export function wasmFunction<P extends Declarations, L extends Declarations>(
  name: string,
  { parameters, locals, body }: FunctionText<P, L>,
): WasmFunction {
  const declared = { ...parameters, ...locals };
  const variables = Object.fromEntries(Object.entries(declared).map(([key, type], index) => [key, { index, type }]));
  return {
    name,
    parameters: Object.values(parameters),
    locals: Object.values(locals),
    body: body(variables as Variables<P & L>).flat(),
  };
}
