/** HTTP/2 frames that no client sends, built by hand. */
export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
export const SETTINGS = frame(4, 0, 0, Buffer.alloc(0));

/** HEADERS of a gRPC call on stream 1, without HPACK indices or Huffman coding. */
export function callHead(path: string, authorization: string): Buffer {
  const fields = {
    ':method': 'POST',
    ':scheme': 'http',
    ':path': path,
    ':authority': '127.0.0.1',
    'content-type': 'application/grpc',
    te: 'trailers',
    authorization,
  };
  const END_HEADERS = 4;
  return frame(1, END_HEADERS, 1, Buffer.concat(Object.entries(fields).flat().flatMap(literal)));
}

/** A DATA frame of stream 1. */
export function data(bytes: Buffer): Buffer {
  return frame(0, 0, 1, bytes);
}

export function frame(
  type: number,
  flags: number,
  stream: number,
  payload: Buffer,
  announced = payload.length,
): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(announced, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** A string literal (RFC 7541, 5.2). A name starts a literal field without indexing (6.2.2). */
function literal(text: string, at: number): Buffer[] {
  const length = text.length < 127 ? [text.length] : [127, ...rest(text.length - 127)];
  return [Buffer.from(at % 2 === 0 ? [0, ...length] : length), Buffer.from(text)];
}

function rest(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...rest(Math.floor(value / 128))];
}
