/** A value or the reason there is none; for failures that the caller must handle. */
export type Result<T, E> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E };

/** A success with its value. */
export const ok = <T>(value: T): Result<T, never> => ({ ok: true, value });
/** A failure with its reason. */
export const err = <E>(error: E): Result<never, E> => ({ ok: false, error });
