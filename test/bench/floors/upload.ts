// Floor of the upload rows: receive, BLAKE3, write, fsync; no multipart, no framework. argv: folder.
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Blake3Hasher } from '@napi-rs/blake-hash';

const [folder] = process.argv.slice(2);
let next = 0;

createServer(async (request, response) => {
  const hasher = new Blake3Hasher();
  const path = join(folder ?? '.', `floor-${(next += 1)}`);
  const hash = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hasher.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(request, hash, createWriteStream(path, { highWaterMark: 1 << 20 }));
  const file = await open(path, 'r+');
  await file.sync();
  await file.close();
  const answer = hasher.digest('hex');
  response.writeHead(201, { 'content-length': answer.length }).end(answer);
}).listen(0, '127.0.0.1', function (this: import('node:net').Server) {
  process.send?.((this.address() as import('node:net').AddressInfo).port);
});
