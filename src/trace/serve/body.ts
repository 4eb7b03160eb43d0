/** Bodies of requests, up to a cap. */

/** A body, or why it was refused: it exceeds the limit, or the server holds too many bytes of others. */
export type Body = { readonly bytes: Uint8Array } | 'too large' | 'busy';

/** All of a body of at most `limit` bytes; `hold` counts bytes as they arrive, and returns false if they are too many. */
export async function readBody(request: Request, limit: number, hold: (bytes: number) => boolean): Promise<Body> {
  const { headers } = request;
  const length = headers.get('content-length');
  // Refused before the body is touched: only then is it drained, and the connection stays usable for the next request.
  if (length !== null && !headers.has('transfer-encoding') && Number(length) > limit) return 'too large';
  const reader = request.body?.getReader();
  if (reader === undefined) return { bytes: new Uint8Array(0) };
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { bytes: Buffer.concat(parts) };
    size += value.length;
    // Left unread, not cancelled: that would end the connection before the answer.
    if (size > limit) return 'too large';
    if (!hold(value.length)) return 'busy';
    parts.push(value);
  }
}
