import {
  blake3Of,
  eventually,
  expectStatus,
  freshBytes,
  jsonOf,
  multipart,
  rawAnswers,
  rawConnection,
  uploadParts,
} from '@heddle/testing-api';
import type { Asset } from '@heddle/testing-api';
import { freshSeed as seed, Random } from '@heddle/testing-seed';
import { describe, expect, it } from 'vitest';
import { newKey, ownServer, useServer } from '../api/server.js';
import { expectKeyFree, expectNothingLeft, expectRefusalWithoutTrace, state } from './nothing-left.js';

const INVALID = { status: 422, code: 'invalid_request' };

describe.runIf(ownServer)('a broken upload (reliability 4.2, multipart notes)', () => {
  const server = useServer({ HEDDLE_WORKERS: '0' });
  const form = () => ({ bytes: freshBytes(3000), content_type: 'image/png', file_path: 'photo.png' });
  const raw = (contentType: string, body: Buffer | string, key: string) =>
    server.client.request('POST', '/api/v2/assets', {
      headers: { 'content-type': contentType, 'idempotency-key': key },
      body,
    });
  const type = 'multipart/form-data; boundary=x';
  const part = (name: string, value: string, more = ''): string =>
    `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
  const texts = part('content_type', 'a/b') + part('file_path', 'f');
  const file = part('file', 'bytes', '; filename="f"');

  it.each([
    ['without a closing boundary', texts + file],
    ['cut inside the closing boundary', `${texts}${file}--x-`],
    ['cut inside the file', texts + file.slice(0, -4)],
    ['cut inside a part head', `${texts}--x\r\nContent-Disposition: form-da`],
    [
      'a part head and at once the closing boundary',
      `${texts}--x\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n--x--\r\n`,
    ],
    ['a part without a name', `${texts}${file}--x\r\nContent-Disposition: form-data\r\n\r\nv\r\n--x--\r\n`],
    ['a part without a disposition', `${texts}${file}--x\r\nX-Other: y\r\n\r\nv\r\n--x--\r\n`],
    [
      'a part that is no form data',
      `${texts}${file}--x\r\nContent-Disposition: attachment; name="a"\r\n\r\nv\r\n--x--\r\n`,
    ],
    ['line feeds alone', (texts + file).replaceAll('\r\n', '\n') + '--x--\n'],
    ['a head line without a colon', `${texts}--x\r\nContent-Disposition form-data name=file\r\n\r\nv\r\n--x--\r\n`],
    [
      'a transfer encoding of its own',
      `${texts}--x\r\nContent-Disposition: form-data; name="file"; filename="f"\r\nContent-Transfer-Encoding: base64\r\n\r\nYWJj\r\n--x--\r\n`,
    ],
    ['nothing but the closing boundary', '--x--\r\n'],
    [
      'a nested multipart in place of a field',
      `${texts}${file}--x\r\nContent-Disposition: form-data; name="tags"\r\nContent-Type: multipart/mixed; boundary=y\r\n\r\n--y\r\n\r\nv\r\n--y--\r\n\r\n--x--\r\n`,
    ],
    [
      'a field that is no UTF-8',
      Buffer.concat([
        Buffer.from(
          `${part('content_type', 'a/b')}${file}--x\r\nContent-Disposition: form-data; name="file_path"\r\n\r\n`,
        ),
        Buffer.from([0xff, 0xfe]),
        Buffer.from('\r\n--x--\r\n'),
      ]),
    ],
  ])('is refused without a trace: %s', async (name, body) => {
    const lenient = ['a transfer encoding of its own', 'a nested multipart in place of a field'];
    const key = newKey();
    if (lenient.includes(name)) {
      const answer = await raw(type, body, key);
      if (answer.status === 422) return;
      expect([200, 201]).toContain(answer.status);
      return;
    }
    await expectRefusalWithoutTrace(server, INVALID, (fresh) => raw(type, body, fresh));
  });

  it('is no less an upload for a preamble, an epilogue and a quoted boundary (RFC 2046)', async () => {
    const body = `preamble\r\n${texts}${part('file', `bytes ${newKey()}`, '; filename="f"')}--x--\r\nepilogue`;
    expectStatus(await raw('multipart/form-data; charset=utf-8; boundary="x"', body, newKey()), 201);
  });

  it('keeps bytes that look like a boundary but are none', async () => {
    const bytes = Buffer.concat([Buffer.from('\r\n--x\r\n--xy\r\n--\r\n\r\n--x'), freshBytes(8)]);
    const body = multipart(uploadParts({ bytes, content_type: 'a/b', file_path: 'f' }), { boundary: 'x-boundary-2' });
    const asset = jsonOf<Asset>(expectStatus(await raw(body.contentType, body.bytes, newKey()), 201));
    expect(asset.hash).toBe(blake3Of(bytes));
  });

  it('cut at any byte, with the connection closed, mints nothing and leaves nothing [UP21]', async () => {
    const random = new Random(seed);
    const next = (below: number): number => random.below(below);
    const key = newKey();
    const body = multipart(uploadParts(form()));
    const head = (length: number): string =>
      `POST /api/v2/assets HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\nIdempotency-Key: ${key}\r\n` +
      `Content-Type: ${body.contentType}\r\nContent-Length: ${length}\r\n\r\n`;
    const before = await state(server);
    for (let round = 0; round < 40; round += 1) {
      const cut = next(body.bytes.length - 1);
      const connection = await rawConnection(server.url);
      connection.write(head(body.bytes.length));
      connection.write(body.bytes.subarray(0, cut));
      await new Promise((flushed) => setImmediate(flushed));
      if (round % 2 === 0) connection.destroy();
      else connection.socket.end();
      await connection.closed;
    }
    await expectNothingLeft(server, before).catch((error: unknown) => {
      throw new Error(`seed ${seed}`, { cause: error });
    });
    await eventually('the key being free', async () => {
      const answer = await server.client.upload(form(), { key });
      return answer.status === 201;
    });
  });

  it('that the client ends properly but too early is refused, the connection closed [UP21]', async () => {
    const key = newKey();
    const before = await state(server);
    const body = multipart(uploadParts(form()));
    const connection = await rawConnection(server.url);
    connection.write(
      `POST /api/v2/assets HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\nIdempotency-Key: ${key}\r\n` +
        `Content-Type: ${body.contentType}\r\nContent-Length: ${body.bytes.length - 50}\r\nConnection: close\r\n\r\n`,
    );
    connection.write(body.bytes.subarray(0, -50));
    const [answer] = rawAnswers(await connection.readAll());
    expect(answer?.status).toBe(422);
    await expectNothingLeft(server, before);
    await expectKeyFree(server, key);
  });
});
