// Row U4: uploads through the assets service to S3 beside a bare pipe with BLAKE3 to the same server. By hand:
// node libs/assets/test-kit/measure-s3-upload.mjs [MiB] [rounds] [at once]
import { fork } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ASSETS_MIGRATIONS } from '@heddle/assets';
import { startS3Server } from '@heddle/platform-local-servers';
import { S3BlobStore } from '@heddle/platform-blob-store';
import { freshDatabase } from '@heddle/testing-database';

const MIB = 1024 * 1024;
const [mebibytes, rounds] = [Number(process.argv[2] ?? 100), Number(process.argv[3] ?? 5)];
const together = process.argv[4] === undefined ? [1, 4] : [Number(process.argv[4])];
const chunk = randomBytes(MIB);
const here = (name) => fileURLToPath(new URL(name, import.meta.url));

const folder = await mkdtemp(join(tmpdir(), 'heddle-u4-'));
const server = await startS3Server({ cacheDir: here('../../../.cache/s3'), dataDir: folder });
const { endpoint, accessKey, secretKey, region } = server;
const options = { endpoint, accessKey, secretKey, region, bucket: 'uploads' };
await S3BlobStore.open(options);
const database = await freshDatabase({ migrations: [ASSETS_MIGRATIONS] });
const floor = await start('floor');
const service = await start(database.ownerUrl);
try {
  for (const parallel of together) {
    const ratios = [];
    for (let round = 0; round <= rounds; round += 1) {
      const bare = await load(floor, parallel, (port) => send(port, {}, [], []));
      const ours = await load(service, parallel, sendForm);
      // The first round warms both sides.
      if (round === 0) continue;
      ratios.push(ours.rate / bare.rate);
      const show = ({ rate, cpu, peak }) =>
        `${rate.toFixed(0)} MiB/s, ${cpu.toFixed(0)} ms CPU/100 MiB, peak ${peak} MiB`;
      console.log(`x${parallel} floor ${show(bare)} | service ${show(ours)} | ratio ${ratios.at(-1).toFixed(2)}`);
    }
    ratios.sort((a, b) => a - b);
    console.log(`x${parallel}: median ratio ${ratios[Math.floor(ratios.length / 2)].toFixed(2)}`);
  }
} finally {
  floor.child.kill();
  service.child.kill();
  await server.kill();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);

async function start(how) {
  const child = fork(here('./s3-upload-server.mjs'), [JSON.stringify(options), how]);
  const port = await new Promise((done) => child.once('message', done));
  return { child, port };
}

async function load({ child, port }, parallel, upload) {
  writeFileSync(`/proc/${child.pid}/clear_refs`, '5');
  const before = cpuMs(child.pid);
  const began = performance.now();
  await Promise.all(Array.from({ length: parallel }, () => upload(port)));
  const seconds = (performance.now() - began) / 1000;
  const amount = parallel * mebibytes;
  const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1];
  return { rate: amount / seconds, cpu: ((cpuMs(child.pid) - before) / amount) * 100, peak: Math.round(peak / 1024) };
}

function cpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function sendForm(port) {
  const boundary = `u4${randomUUID()}`;
  const part = (name, value) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}`;
  const head = `${part('content_type', 'a/b')}\r\n${part('file_path', 'u4.bin')}\r\n${part('file', '')}`;
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  return send(port, headers, [Buffer.from(head)], [Buffer.from(`\r\n--${boundary}--\r\n`)]);
}

/** Each body begins with bytes of its own, so that nothing is a repetition. */
function send(port, headers, before, after) {
  const pieces = [...before, randomBytes(16), ...Array.from({ length: mebibytes }, () => chunk), ...after];
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return new Promise((done, fail) => {
    const to = { port, host: '127.0.0.1', method: 'POST', headers: { ...headers, 'content-length': length } };
    const sent = request(to, (answer) => {
      answer.resume().once('end', () => (answer.statusCode === 201 ? done() : fail(new Error(`${answer.statusCode}`))));
    });
    sent.once('error', fail);
    void (async () => {
      for (const piece of pieces) if (!sent.write(piece)) await new Promise((drained) => sent.once('drain', drained));
      sent.end();
    })();
  });
}
