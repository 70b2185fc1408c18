import { rawAnswers, rawConnection, textGraph } from '@heddle/testing-api';
import type { RawConnection } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { ownServer, useServer } from '../api/server.js';
import { expectNothingLeft, state } from './nothing-left.js';

/** Time-out of the slowest client. Other requests must not wait for it. */
const UPLOAD_TIMEOUT_S = 5;
const SETTINGS = {
  HEDDLE_WORKERS: '0',
  HEDDLE_HEADERS_TIMEOUT_S: '1',
  HEDDLE_BODY_TIMEOUT_S: '2',
  HEDDLE_UPLOAD_TIMEOUT_S: String(UPLOAD_TIMEOUT_S),
};

describe.runIf(ownServer)('clients that never finish (reliability 4.2, headersTimeout, requestTimeout)', () => {
  const server = useServer(SETTINGS);

  /** Writes single bytes until the server closes; resolves with the server's answer. */
  const drip = async (head: string, text: string): Promise<{ said: string; afterMs: number }> => {
    const connection: RawConnection = await rawConnection(server.url);
    const started = performance.now();
    connection.write(head.replace('HOST', new URL(server.url).host));
    let at = 0;
    const timer = setInterval(() => connection.write(text[at++ % text.length] ?? ' '), 100);
    try {
      return {
        said: await connection.read((text) => /\r\n\r\n\{.*\}$/s.test(text), 20_000),
        afterMs: performance.now() - started,
      };
    } finally {
      clearInterval(timer);
      connection.destroy();
    }
  };

  it('answers 408 or closes, leaves nothing behind, and serves the others meanwhile (decisions, Error codes: 408)', async () => {
    const before = await state(server);
    const slow = Promise.all([
      drip('GET /api/v2/jobs HTTP/1.1\r\nHost: HOST\r\nX-Slow: ', 'a'),
      drip('POST /api/v2/jobs HTTP/1.1\r\nHost: HOST\r\nContent-Length: 5000\r\n\r\n', ' '),
      drip('POST /api/v2/assets/from-hash HTTP/1.1\r\nHost: HOST\r\nContent-Length: 5000\r\n\r\n', ' '),
      drip(
        'POST /api/v2/assets HTTP/1.1\r\nHost: HOST\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 50000\r\n\r\n' +
          '--x\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n',
        'b',
      ),
    ]);
    await server.client.job('x');
    expect((await server.client.jobs()).tookMs).toBeLessThan(UPLOAD_TIMEOUT_S * 1000);
    for (const { said, afterMs } of await slow) {
      expect(afterMs).toBeLessThan(15_000);
      const [answer] = rawAnswers(said);
      if (answer !== undefined) expect(answer.status).toBe(408);
    }
    const bodies = (await slow).slice(1).map(({ said }) => rawAnswers(said)[0]);
    for (const answer of bodies) {
      expect(answer?.status).toBe(408);
      expect(answer?.headers.get('connection')).toBe('close');
      expect(JSON.parse(answer?.body ?? '')).toMatchObject({ error: { code: 'request_timeout' } });
    }
    await expectNothingLeft(server, before);
    await server.client.submitted(textGraph());
  });
});
