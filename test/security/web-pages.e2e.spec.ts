import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { blake3Of, freshPicture, jsonOf, pictureGraph, textGraph } from '@heddle/testing-api';
import type { JobPage } from '@heddle/testing-api';
import type { Page, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownServer, useServer } from '../api/server.js';
import { chromiumHere, findChromium, NO_CHROMIUM, openBrowser } from './chromium.js';
import type { Browser } from './chromium.js';
import * as inPage from './inside-page.js';

const skips = chromiumHere() === null && process.env['ALLOW_SKIP'] === '1';
if (skips) console.error(`skipped: ${NO_CHROMIUM}`);

describe.runIf(ownServer && !skips)('web pages of other origins in a real Chromium', () => {
  const server = useServer({ HEDDLE_WORKERS: '0' });
  const pages = useBrowser();
  const api = (path: string): string => `${server.url}/api/v2${path}`;
  const count = async (): Promise<number> => jsonOf<JobPage>(await server.client.jobs('?limit=100')).jobs.length;
  const submission = (): string => JSON.stringify({ workflow: textGraph() });

  it.each(['evil.example', 'localhost', '127.0.0.1'])(
    'a page at %s reads nothing by fetch: no job, no asset, no document, no health',
    async (host) => {
      const page = await pages.at(host);
      const asset = await server.client.uploaded();
      const targets = [
        api('/jobs'),
        api('/openapi.json'),
        asset.url,
        api(`/assets/${asset.id}`),
        ...['/metrics', '/readyz', '/livez'].map((path) => `${server.process.opsUrl}${path}`),
      ];
      expect(await page.evaluate(inPage.readAll, targets)).toEqual(targets.map(() => 'TypeError'));
    },
  );

  it.each(['evil.example', 'localhost'])('a page at %s changes nothing by fetch or by beacon', async (host) => {
    const page = await pages.at(host);
    const job = await server.client.submitted(textGraph());
    const asset = await server.client.uploaded();
    const before = await count();
    const statuses = pages.statusesOf(page, server.url);
    const sent = await page.evaluate(inPage.tryToChange, {
      jobs: api('/jobs'),
      cancel: job.urls.cancel,
      asset: api(`/assets/${asset.id}`),
      body: submission(),
    });
    // A no-cors request shows its page nothing of the answer; every other request fails.
    expect(sent).toEqual(['opaque', 'TypeError', 'TypeError', 'opaque', 'TypeError']);
    const refused = (): number => statuses.filter((status) => status === 403).length;
    await expect.poll(refused).toBeGreaterThanOrEqual(3);
    expect(statuses.filter((status) => status < 400)).toEqual([]);
    expect(await count()).toBe(before);
    expect((await server.client.jobNow(job.id)).status).toBe('queued');
    expect((await server.client.asset(asset.id)).status).toBe(200);
  });

  it('a form that a page sends uploads nothing and submits nothing', async () => {
    const bytes = freshPicture();
    const before = await count();
    const upload = await pages.at('evil.example');
    const refusedUpload = await answerOf(upload, api('/assets'), () =>
      upload.evaluate(inPage.sendForm, {
        action: api('/assets'),
        enctype: 'multipart/form-data',
        fields: { content_type: 'image/png', file_path: 'a.png' },
        picture: [...bytes],
      }),
    );
    expect(refusedUpload.status()).toBe(403);
    expect((await server.client.headByHash(blake3Of(bytes))).status).toBe(404);
    // The text/plain trick: the `=` between name and value is inside a JSON string.
    const submit = await pages.at('localhost');
    const text = submission();
    const refused = await answerOf(submit, api('/jobs'), () =>
      submit.evaluate(inPage.sendForm, {
        action: api('/jobs'),
        enctype: 'text/plain',
        fields: { [`${text.slice(0, -1)},"more":"`]: '"}' },
        picture: undefined,
      }),
    );
    expect(refused.status()).toBe(403);
    expect(await count()).toBe(before);
  });

  it('a page hears nothing of a job by EventSource', async () => {
    const job = await server.client.submitted(textGraph());
    const page = await pages.at('evil.example');
    expect(await page.evaluate(inPage.listen, { url: job.urls.events, forMs: 20_000 })).toEqual(['error']);
  });

  it('a page shows nothing in frames, pictures and scripts, not even to its user', async () => {
    const picture = freshPicture(40, 30);
    const asset = await server.client.uploaded({ bytes: picture, content_type: 'image/png', file_path: 'a.png' });
    const page = await pages.at('evil.example');
    const statuses = pages.statusesOf(page, server.url);
    const seen = await page.evaluate(inPage.embed, { jobs: api('/jobs'), content: asset.url });
    expect(seen).toEqual({ loaded: ['error', 'error'], width: 0, inside: 'unreadable' });
    await expect.poll(() => statuses.length).toBeGreaterThanOrEqual(1);
    expect(statuses.every((status) => status === 403)).toBe(true);
  });

  it('a page whose name was turned to this machine (DNS rebinding) gets nothing, from the ops port neither', async () => {
    const before = await count();
    for (const origin of [server.url, server.process.opsUrl]) {
      const url = `http://rebound.example:${new URL(origin).port}`;
      const page = await pages.open();
      // The document is the refusal, so its requests have the server's own origin.
      const document = await page.goto(`${url}/livez`);
      expect(document!.status()).toBe(403);
      const answers = await page.evaluate(inPage.askOwnOrigin, { body: submission() });
      expect(answers).toEqual([403, 403, 403, 403]);
    }
    expect(await count()).toBe(before);
  });
});

describe.runIf(ownServer && !skips)('web pages of listed origins in a real Chromium', () => {
  const pages = useBrowser();
  const settings: Record<string, string> = {};
  // The setting contains the port of the page server, which is known only when it listens.
  beforeAll(() => {
    settings['HEDDLE_CORS_ORIGINS'] = `http://app.example:${pages.port}`;
  });
  const server = useServer(settings);

  it('submit, watch the stream and read outputs with ranges', async () => {
    const page = await pages.at('app.example');
    const job: unknown = await page.evaluate(inPage.submit, {
      url: `${server.url}/api/v2/jobs`,
      body: JSON.stringify({ workflow: pictureGraph() }),
      key: crypto.randomUUID(),
    });
    const { id, urls } = job as { id: string; urls: { events: string; self: string } };
    const events = await page.evaluate(inPage.listen, { url: urls.events, forMs: 40_000 });
    expect(events).toContain('status succeeded');
    const { outputs } = await server.client.ended(id);
    const read: unknown = await page.evaluate(inPage.readPart, outputs[0]!.url);
    expect(read).toEqual([206, 'PNG', true]);
  });

  it('are the only ones: another page reads and changes nothing', async () => {
    const page = await pages.at('evil.example');
    const targets = [`${server.url}/api/v2/jobs`, `${server.url}/api/v2/openapi.json`];
    expect(await page.evaluate(inPage.readAll, targets)).toEqual(['TypeError', 'TypeError']);
  });

  it('read nothing from the ops port, which no list opens', async () => {
    const page = await pages.at('app.example');
    const targets = [`${server.process.opsUrl}/metrics`, `${server.process.opsUrl}/readyz`];
    expect(await page.evaluate(inPage.readAll, targets)).toEqual(['TypeError', 'TypeError']);
  });
});

interface Pages {
  readonly port: number;
  /** Opens a page of the given host: an empty document of a foreign origin. */
  at(host: string): Promise<Page>;
  open(): Promise<Page>;
  /** Statuses of a server's answers to a page from now on, as the browser reports them. */
  statusesOf(page: Page, origin: string): number[];
}

function useBrowser(): Pages {
  let browser: Browser;
  let elsewhere: Server;
  const port = (): number => (elsewhere.address() as AddressInfo).port;
  beforeAll(async () => {
    elsewhere = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<body>elsewhere'));
    await new Promise<void>((done) => elsewhere.listen(0, '127.0.0.1', done));
    const program = await findChromium();
    if (program === null) throw new Error(NO_CHROMIUM);
    browser = await openBrowser(program);
  }, 600_000);
  afterAll(async () => {
    await browser?.close();
    elsewhere?.closeAllConnections();
    elsewhere?.close();
  });
  const open = (): Promise<Page> => browser.context.newPage();
  return {
    get port() {
      return port();
    },
    open,
    at: async (host) => {
      const page = await open();
      await page.goto(`http://${host}:${port()}/`);
      return page;
    },
    statusesOf: (page, origin) => {
      const statuses: number[] = [];
      page.on('response', (response) => {
        if (response.url().startsWith(origin)) statuses.push(response.status());
      });
      return statuses;
    },
  };
}

async function answerOf(page: Page, url: string, act: () => Promise<unknown>): Promise<Response> {
  const [answer] = await Promise.all([page.waitForResponse((response) => response.url() === url), act()]);
  return answer;
}
