// A process that uploads and is killed at a failpoint. Arguments: the owner's database URL, the store's address, the
// account, the file's text or size, and `delete` to delete the record again, or `publish` to publish its event. Prints its
// answer if it lives that long.
import 'reflect-metadata';
import { Readable } from 'node:stream';
import { NestFactory } from '@nestjs/core';
import { AssetsModule } from '@heddle/assets';
import { ASSET_EVENTS_TOPIC, ASSETS_PORT, SELF_HOSTED_PRINCIPAL } from '@heddle/contracts-messages';
import { DirectoryBlobStore, S3BlobStore } from '@heddle/platform-blob-store';
import { connectDatabase } from '@heddle/platform-database';
import { MemoryMessageBus } from '@heddle/platform-message-bus';
import { jobsServiceFake } from '@heddle/testing-jobs';

const [databaseUrl, address, accountId, content, then] = process.argv.slice(2);
const database = await connectDatabase({ databaseUrl });
const { folder, s3 } = JSON.parse(address);
const store = s3 === undefined ? await DirectoryBlobStore.open(folder) : await S3BlobStore.open(s3);
const size = Number(content);
const bytes = Number.isInteger(size) ? 'x'.repeat(size) : content;
const pieces = bytes.length < 100_000 ? [bytes.slice(0, 5), bytes.slice(5)] : bytes.match(/.{1,65536}/g);
const settings = { blobGraceMs: 0, sweepIntervalMs: 5, relayIntervalMs: 5 };
const bus = then === 'publish' ? new MemoryMessageBus() : undefined;
if (bus !== undefined) {
  await bus.subscribe(ASSET_EVENTS_TOPIC, 'child', async (batch) => {
    console.log(JSON.stringify(batch.map((message) => message.id)));
  });
}
// The jobs service knows none of its jobs.
const imports = [jobsServiceFake()];
const module = AssetsModule.register({ database, store, imports, settings, bus });
const app = await NestFactory.createApplicationContext(module, { logger: ['error'] });
await app.init();
const assets = app.get(ASSETS_PORT);
const principal = { accountId, deploymentId: SELF_HOSTED_PRINCIPAL.deploymentId };
const part = (name) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`;
const body = Readable.from(
  [
    `${part('content_type')}text/plain\r\n${part('file_path')}crash.txt\r\n${part('file')}`,
    ...pieces,
    '\r\n--b--\r\n',
  ].map((text) => Buffer.from(text)),
);
const answer = await assets.upload(principal, {
  contentType: 'multipart/form-data; boundary=b',
  idempotencyKey: 'crash',
  body,
});
if (bus === undefined) console.log(JSON.stringify(answer));
if (then !== undefined) {
  if (then === 'delete') await assets.delete(principal, answer.value.asset.id);
  // The sweeps run until the failpoint ends this process.
  await new Promise((resolve) => setTimeout(resolve, 20_000));
}
await app.close();
await database.close();
