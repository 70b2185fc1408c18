import { checkAnswer, codeOf, rawAnswers, rawConnection, textGraph } from '@heddle/testing-api';
import type { RawAnswer } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { ownServer, useServer } from '../api/server.js';

describe.runIf(ownServer)(
  'requests that no HTTP client sends (reliability 4.1, HTTP chain; decisions, Error codes)',
  () => {
    const server = useServer({ HEDDLE_WORKERS: '0' });
    const host = (): string => new URL(server.url).host;
    const ask = async (text: string, withinMs?: number): Promise<RawAnswer[]> => {
      const connection = await rawConnection(server.url);
      connection.write(text.replaceAll('HOST', host()));
      connection.socket.end();
      return rawAnswers(await connection.readAll(withinMs));
    };
    /** Refusals of the parser also have an envelope and a request id. */
    const expectRaw = (answer: RawAnswer | undefined, status: number, code: string): void => {
      expect(answer?.status).toBe(status);
      const whole = {
        method: 'GET',
        target: '(raw)',
        status: answer?.status ?? 0,
        headers: Object.fromEntries(answer?.headers ?? []),
        rawHeaders: [],
        bytes: Buffer.from(answer?.body ?? ''),
        tookMs: 0,
      };
      checkAnswer(whole, { linkOrigin: server.url, signedUrls: false });
      expect(codeOf(whole)).toBe(code);
    };

    it.each([
      ['no HTTP at all', 'hello\r\n\r\n'],
      ['a method with a space', 'GE T /api/v2/jobs HTTP/1.1\r\nHost: HOST\r\n\r\n'],
      ['a header without a colon', 'GET /api/v2/jobs HTTP/1.1\r\nHost: HOST\r\nBroken\r\n\r\n'],
      ['a space before the colon', 'GET /api/v2/jobs HTTP/1.1\r\nHost: HOST\r\nX-A : b\r\n\r\n'],
      ['a folded header', 'GET /api/v2/jobs HTTP/1.1\r\nHost: HOST\r\nX-A: b\r\n c\r\n\r\n'],
      ['a NUL in a header', 'GET /api/v2/jobs HTTP/1.1\r\nHost: HOST\r\nX-A: b\u0000c\r\n\r\n'],
      ['a Content-Length that is no number', 'POST /api/v2/jobs HTTP/1.1\r\nHost: HOST\r\nContent-Length: x\r\n\r\n'],
      ['a negative Content-Length', 'POST /api/v2/jobs HTTP/1.1\r\nHost: HOST\r\nContent-Length: -1\r\n\r\n'],
      [
        'two different Content-Lengths',
        'POST /api/v2/jobs HTTP/1.1\r\nHost: HOST\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
      ],
      [
        'Content-Length beside Transfer-Encoding',
        'POST /api/v2/jobs HTTP/1.1\r\nHost: HOST\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      ],
      [
        'Transfer-Encoding beside Content-Length',
        'POST /api/v2/jobs HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n',
      ],
      [
        'a transfer encoding that does not end in chunked',
        'POST /api/v2/jobs HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n',
      ],
      [
        'a hidden transfer encoding',
        'POST /api/v2/jobs HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
      ],
      [
        'a chunk size that is no number',
        'POST /api/v2/jobs HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n',
      ],
      ['no Host', 'GET /api/v2/jobs HTTP/1.1\r\n\r\n'],
    ])('answers 400 bad_request to %s, once, and closes', async (_, text) => {
      const answers = await ask(text);
      expect(answers).toHaveLength(1);
      expectRaw(answers[0], 400, 'bad_request');
    });

    it('answers 400 or 403 to an empty Host', async () => {
      const [answer] = await ask('GET /api/v2/jobs HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n');
      expect([400, 403]).toContain(answer?.status);
    });

    it('answers 400 or 403 to two Host headers', async () => {
      const answers = await ask('GET /api/v2/jobs HTTP/1.1\r\nHost: HOST\r\nHost: evil.example\r\n\r\n');
      expect(answers).toHaveLength(1);
      expect([400, 403]).toContain(answers[0]?.status);
    });

    it.each([
      'POST /api/v2/jobs HTTP/1.1\r\nHost: HOST\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/v2/jobs HTTP/1.1\r\nHost: HOST\r\n\r\n',
      'POST /api/v2/jobs HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: HOST\r\n\r\n',
      'POST /api/v2/jobs HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding : chunked\r\nContent-Length: 40\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: HOST\r\n\r\n',
      'GET /api/v2/jobs HTTP/1.1\r\nHost: HOST\r\nContent-Length: 0\r\nContent-Length: 36\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: HOST\r\n\r\n',
      'POST /api/v2/jobs HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding:\u000bchunked\r\nContent-Length: 44\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: HOST\r\n\r\n',
    ])('never reads a smuggled request: shape %#', async (text) => {
      const answers = await ask(text);
      expect(answers).toHaveLength(1);
      expect(answers[0]?.status).toBe(400);
    });

    it('reads two requests on one connection as two', async () => {
      const get = 'GET /api/v2/jobs HTTP/1.1\r\nHost: HOST\r\n\r\n';
      const answers = await ask(get + get.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
      expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
    });

    it.each(['GET', 'POST'])(
      'drops the body of a %s that was refused and stays in step with the client',
      async (method) => {
        const first = `${method} /api/v2/nope HTTP/1.1\r\nHost: HOST\r\nContent-Length: 10\r\n\r\n0123456789`;
        const second = 'GET /api/v2/jobs HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n';
        const answers = await ask(first + second);
        expect(answers[0]?.status).toBe(404);
        expect(answers.slice(1).every((answer) => answer.status === 200)).toBe(true);
      },
    );

    it.each([
      ['heads of more than 16 KiB', `X-A: ${'a'.repeat(17_000)}\r\n`],
      ['heads of 160 KiB', `X-A: ${'a'.repeat(160_000)}\r\n`],
      ['65 header lines', 'X-A: b\r\n'.repeat(64)],
      ['1,000 header lines', 'X-A: b\r\n'.repeat(1000)],
      ['5,000 header lines', 'A:b\r\n'.repeat(5000)],
    ])('answers 431 headers_too_large to %s', async (_, headers) => {
      const answers = await ask(`GET /api/v2/jobs HTTP/1.1\r\nHost: HOST\r\n${headers}\r\n`);
      expectRaw(answers[0], 431, 'headers_too_large');
    });

    it('takes 60 header lines', async () => {
      const answers = await ask(
        `GET /api/v2/jobs HTTP/1.1\r\nHost: HOST\r\n${'X-A: b\r\n'.repeat(58)}Connection: close\r\n\r\n`,
      );
      expect(answers[0]?.status).toBe(200);
    });

    it.each([4097, 10_000])('answers 414 uri_too_long to a target of %i bytes', async (length) => {
      const target = `/api/v2/jobs?x=${'y'.repeat(length)}`.slice(0, length);
      const answers = await ask(`GET ${target} HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n`);
      expectRaw(answers[0], 414, 'uri_too_long');
    });

    it('takes a target of 4,000 bytes', async () => {
      const answers = await ask(
        `GET /api/v2/jobs?later=${'y'.repeat(3900)} HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n`,
      );
      expect(answers[0]?.status).toBe(200);
    });

    it.each(['CONNECT HOST', 'GET http://evil.example/api/v2/jobs', 'OPTIONS *', 'GET *', 'PRI *', 'FOO /api/v2/jobs'])(
      'refuses the odd request line %s and goes on',
      async (line) => {
        const answers = await ask(`${line} HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n`).catch(() => []);
        for (const answer of answers) {
          const refused = answer.status >= 400 && answer.status < 500;
          expect(refused || (line.startsWith('OPTIONS') && answer.status === 204), `${line}: ${answer.status}`).toBe(
            true,
          );
        }
        await server.client.submitted(textGraph());
      },
    );

    it('refuses an upgrade to another protocol: the request is answered as it stands', async () => {
      const answers = await ask(
        'GET /api/v2/jobs HTTP/1.1\r\nHost: HOST\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n\r\n',
      );
      expect(answers.map((answer) => answer.status)).not.toContain(101);
    });

    it('serves HTTP/1.0 and closes', async () => {
      const answers = await ask('GET /api/v2/jobs HTTP/1.0\r\nHost: HOST\r\n\r\n');
      expect(answers[0]?.status).toBe(200);
    });

    it('closes after HTTP/1.0 with chunks, so that what comes behind is no request of its own', async () => {
      const answers = await ask(
        'GET /api/v2/jobs HTTP/1.0\r\nHost: HOST\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n' +
          'GET /api/v2/jobs HTTP/1.0\r\nHost: HOST\r\n\r\n',
      );
      expect(answers).toHaveLength(1);
      expect(answers[0]?.headers.get('connection')).toBe('close');
    });

    it('answers Expect: 100-continue for a body that it would read', async () => {
      const body = JSON.stringify({ workflow: textGraph() });
      const connection = await rawConnection(server.url);
      connection.write(
        `POST /api/v2/jobs HTTP/1.1\r\nHost: ${host()}\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`,
      );
      await connection.read((text) => text.includes('100 Continue'));
      connection.write(body);
      expect(await connection.readAll()).toContain('201 Created');
    });
  },
);
