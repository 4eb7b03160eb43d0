/** Bodies of requests, up to a cap. */

/** All of a body, or null where it is longer than `limit` bytes; no more than those are held while it is read. */
export async function readBody(request: Request, limit: number): Promise<Uint8Array | null> {
  const { headers } = request;
  const length = headers.get('content-length');
  // The parser of HTTP holds a body to the length that was announced. One in chunks announces none, and is counted.
  if (length !== null && !headers.has('transfer-encoding')) {
    // Told before anybody touches the body: only then is it drained, and the connection good for the next request.
    return Number(length) > limit ? null : new Uint8Array(await request.arrayBuffer());
  }
  const reader = request.body?.getReader();
  if (reader === undefined) return new Uint8Array(0);
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(parts);
    size += value.length;
    // Left unread, not cancelled: that would end the connection before the answer.
    if (size > limit) return null;
    parts.push(value);
  }
}
