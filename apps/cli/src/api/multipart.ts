import { randomUUID } from 'node:crypto';

interface Multipart {
  readonly contentType: string;
  readonly contentLength: number;
  readonly body: AsyncIterable<Uint8Array>;
}

interface FilePart {
  readonly name: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** A form that streams its file as the last part; its length is known before the first byte is sent. */
export function multipart(fields: readonly (readonly [string, string])[], file: FilePart): Multipart {
  const boundary = `----heddle${randomUUID().replaceAll('-', '')}`;
  const head = Buffer.from(
    fields
      .map(([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
      .join('') +
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${quoted(file.name)}"\r\n` +
      `content-type: ${file.contentType}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  async function* body(): AsyncIterable<Uint8Array> {
    yield head;
    yield* file.chunks;
    yield tail;
  }
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    contentLength: head.length + file.sizeBytes + tail.length,
    body: body(),
  };
}

/** Quotes a file name for a header as browsers do. */
function quoted(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
