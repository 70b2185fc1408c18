// Floor of the S3 upload rows: receive, BLAKE3, one PUT of known length; no multipart, no framework. argv: the store as JSON.
import { createServer, request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { randomUUID } from 'node:crypto';
import { Blake3Hasher } from '@napi-rs/blake-hash';
import { Client } from 'minio';

const { endpoint, accessKey, secretKey, bucket } = JSON.parse(process.argv[2] ?? '{}') as Record<string, string>;
const url = new URL(endpoint ?? '');
const client = new Client({
  endPoint: url.hostname,
  port: Number(url.port),
  useSSL: false,
  accessKey: accessKey ?? '',
  secretKey: secretKey ?? '',
});

createServer((incoming, answer) => {
  store(incoming).then(
    (status) => answer.writeHead(status === 200 ? 201 : 502, { 'content-length': 0 }).end(),
    (error: unknown) => answer.writeHead(500).end(String(error)),
  );
}).listen(0, '127.0.0.1', function (this: import('node:net').Server) {
  process.send?.((this.address() as import('node:net').AddressInfo).port);
});

async function store(incoming: IncomingMessage): Promise<number> {
  const hasher = new Blake3Hasher();
  const target = await client.presignedPutObject(bucket ?? '', `floor/${randomUUID()}`, 600);
  const headers = { 'content-length': incoming.headers['content-length'] };
  const status = await new Promise<number>((done, fail) => {
    const put = httpRequest(target, { method: 'PUT', headers }, (answer) => {
      answer.resume().once('end', () => done(answer.statusCode ?? 0));
    });
    put.once('error', fail);
    put.on('drain', () => incoming.resume());
    incoming.on('data', (chunk: Buffer) => {
      hasher.update(chunk);
      if (!put.write(chunk)) incoming.pause();
    });
    incoming.once('end', () => put.end());
  });
  hasher.digest('hex');
  return status;
}
