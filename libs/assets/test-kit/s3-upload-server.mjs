// A process that takes uploads over HTTP into S3: argv holds the store's options as JSON and the owner's database URL, or
// `floor` for the least that any server would do: receive, BLAKE3, one PUT of known length. Tells its port to its parent.
import 'reflect-metadata';
import { createServer, request as httpRequest } from 'node:http';
import { randomUUID } from 'node:crypto';
import { Blake3Hasher } from '@napi-rs/blake-hash';
import { Client } from 'minio';

const [s3, database] = process.argv.slice(2);
const options = JSON.parse(s3);
const take = database === 'floor' ? floor() : await service();

const server = createServer((incoming, answer) => {
  take(incoming).then(
    (status) => answer.writeHead(status).end(),
    (error) => answer.writeHead(500).end(String(error)),
  );
});
server.listen(0, '127.0.0.1', () => process.send(server.address().port));

function floor() {
  const url = new URL(options.endpoint);
  const { accessKey, secretKey, region, bucket } = options;
  const at = { endPoint: url.hostname, port: Number(url.port), useSSL: false };
  const client = new Client({ ...at, accessKey, secretKey, region });
  return async (incoming) => {
    const hasher = new Blake3Hasher();
    const target = await client.presignedPutObject(bucket, `floor/${randomUUID()}`, 600);
    const headers = { 'content-length': incoming.headers['content-length'] };
    const status = await new Promise((done, fail) => {
      const put = httpRequest(target, { method: 'PUT', headers }, (answer) => {
        answer.resume().once('end', () => done(answer.statusCode));
      });
      put.once('error', fail);
      put.on('drain', () => incoming.resume());
      incoming.on('data', (chunk) => {
        hasher.update(chunk);
        if (!put.write(chunk)) incoming.pause();
      });
      incoming.once('end', () => put.end());
    });
    hasher.digest('hex');
    return status === 200 ? 201 : 500;
  };
}

async function service() {
  const { NestFactory } = await import('@nestjs/core');
  const { AssetsModule } = await import('@heddle/assets');
  const { ASSETS_PORT } = await import('@heddle/contracts-messages');
  const { S3BlobStore } = await import('@heddle/platform-blob-store');
  const { connectDatabase } = await import('@heddle/platform-database');
  const store = await S3BlobStore.open(options);
  const settings = { uploadBytes: 4 * 2 ** 30 };
  const module = AssetsModule.register({ database: await connectDatabase({ databaseUrl: database }), store, settings });
  const app = await NestFactory.createApplicationContext(module, { logger: ['error'] });
  const assets = app.get(ASSETS_PORT);
  const principal = { accountId: randomUUID(), deploymentId: randomUUID() };
  return async (incoming) => {
    const contentType = incoming.headers['content-type'];
    const answer = await assets.upload(principal, { contentType, idempotencyKey: null, body: incoming });
    return answer.ok ? 201 : 500;
  };
}
