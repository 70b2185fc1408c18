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
      expect(await page.evaluate(READ_ALL, targets)).toEqual(targets.map(() => 'TypeError'));
    },
  );

  it.each(['evil.example', 'localhost'])('a page at %s changes nothing by fetch or by beacon', async (host) => {
    const page = await pages.at(host);
    const job = await server.client.submitted(textGraph());
    const asset = await server.client.uploaded();
    const before = await count();
    const statuses = pages.statusesOf(page, server.url);
    const sent = await page.evaluate(
      async ({ jobs, cancel, asset: path, body }) => {
        const tries: RequestInit[] = [
          { method: 'POST', mode: 'no-cors', body },
          { method: 'POST', mode: 'cors', body, headers: { 'content-type': 'text/plain' } },
          { method: 'POST', mode: 'cors', body, headers: { 'content-type': 'application/json' } },
        ];
        const told: string[] = [];
        const tell = (answer: globalThis.Response): number => told.push(answer.type);
        for (const init of tries) await fetch(jobs, init).then(tell, (error: Error) => told.push(error.name));
        await fetch(cancel, { method: 'POST', mode: 'no-cors' }).then(tell, (error: Error) => told.push(error.name));
        await fetch(path, { method: 'DELETE' }).then(tell, (error: Error) => told.push(error.name));
        navigator.sendBeacon(jobs, body);
        navigator.sendBeacon(cancel);
        return told;
      },
      { jobs: api('/jobs'), cancel: job.urls.cancel, asset: api(`/assets/${asset.id}`), body: submission() },
    );
    // A request without CORS tells its page nothing of the answer; every other one fails.
    expect(sent).toEqual(['opaque', 'TypeError', 'TypeError', 'opaque', 'TypeError']);
    await expect.poll(() => statuses.filter((status) => status === 403).length).toBeGreaterThanOrEqual(3);
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
      upload.evaluate(SEND_FORM, { action: api('/assets'), picture: [...bytes] }),
    );
    expect(refusedUpload.status()).toBe(403);
    expect((await server.client.headByHash(blake3Of(bytes))).status).toBe(404);
    // The trick with text/plain: the `=` between name and value falls into a string of the JSON.
    const submit = await pages.at('localhost');
    const text = submission();
    const refused = await answerOf(submit, api('/jobs'), () =>
      submit.evaluate(
        ({ action, name }) => {
          const form = document.createElement('form');
          Object.assign(form, { method: 'post', action, enctype: 'text/plain' });
          const field = document.createElement('input');
          Object.assign(field, { name, value: '"}' });
          form.append(field);
          document.body.append(form);
          form.submit();
        },
        { action: api('/jobs'), name: `${text.slice(0, -1)},"more":"` },
      ),
    );
    expect(refused.status()).toBe(403);
    expect(await count()).toBe(before);
  });

  it('a page hears nothing of a job by EventSource', async () => {
    const job = await server.client.submitted(textGraph());
    const page = await pages.at('evil.example');
    expect(await page.evaluate(LISTEN, { url: job.urls.events, forMs: 1_000 })).toEqual(['error']);
  });

  it('a page shows nothing in frames, pictures and scripts, not even to its user', async () => {
    const picture = freshPicture(40, 30);
    const asset = await server.client.uploaded({ bytes: picture, content_type: 'image/png', file_path: 'a.png' });
    const page = await pages.at('evil.example');
    const statuses = pages.statusesOf(page, server.url);
    const seen = await page.evaluate(
      async ({ jobs, content }) => {
        const ended = (element: HTMLElement): Promise<string> =>
          new Promise((done) => {
            element.addEventListener('load', () => done('load'));
            element.addEventListener('error', () => done('error'));
            document.body.append(element);
          });
        const image = Object.assign(document.createElement('img'), { src: content });
        const script = Object.assign(document.createElement('script'), { src: jobs });
        const frame = Object.assign(document.createElement('iframe'), { src: jobs });
        const loaded = [await ended(image), await ended(script)];
        await ended(frame);
        let inside = 'unreadable';
        try {
          inside = frame.contentDocument?.body.innerText ?? inside;
        } catch {
          // As it should be.
        }
        return { loaded, width: image.naturalWidth, inside };
      },
      { jobs: api('/jobs'), content: asset.url },
    );
    expect(seen).toEqual({ loaded: ['error', 'error'], width: 0, inside: 'unreadable' });
    expect(statuses.every((status) => status === 403)).toBe(true);
    expect(statuses.length).toBeGreaterThanOrEqual(1);
  });

  it('a page whose name was turned to this machine (DNS rebinding) gets nothing, from the ops port neither', async () => {
    const before = await count();
    for (const origin of [server.url, server.process.opsUrl]) {
      const url = `http://rebound.example:${new URL(origin).port}`;
      const page = await pages.open();
      // The document is the refusal itself, so what it asks for is of its own origin to the browser.
      const document = await page.goto(`${url}/livez`);
      expect(document!.status()).toBe(403);
      const answers = await page.evaluate(
        async ({ body }) => {
          const status = async (path: string, init: RequestInit = {}): Promise<number> =>
            (await fetch(path, init)).status;
          return [
            await status('/api/v2/jobs'),
            await status('/api/v2/jobs', { method: 'POST', body }),
            await status('/metrics'),
            await status('/readyz'),
          ];
        },
        { body: submission() },
      );
      expect(answers).toEqual([403, 403, 403, 403]);
    }
    expect(await count()).toBe(before);
  });
});

describe.runIf(ownServer && !skips)('web pages of listed origins in a real Chromium', () => {
  const pages = useBrowser();
  const settings: Record<string, string> = {};
  // The list is a setting, and the port of the page's server is known only when it listens.
  beforeAll(() => {
    settings['HEDDLE_CORS_ORIGINS'] = `http://app.example:${pages.port}`;
  });
  const server = useServer(settings);

  it('submit, watch the stream and read outputs with ranges', async () => {
    const page = await pages.at('app.example');
    const job = await page.evaluate(
      async ({ url, body }) => {
        const headers = {
          'content-type': 'application/json',
          'idempotency-key': crypto.randomUUID?.() ?? 'key-of-page',
        };
        return (await fetch(url, { method: 'POST', headers, body })).json();
      },
      { url: `${server.url}/api/v2/jobs`, body: JSON.stringify({ workflow: pictureGraph() }) },
    );
    const { id, urls } = job as { id: string; urls: { events: string; self: string } };
    const events = await page.evaluate(LISTEN, { url: urls.events, forMs: 15_000 });
    expect(events).toContain('status succeeded');
    const { outputs } = await server.client.ended(id);
    const read = await page.evaluate(async (url) => {
      const answer = await fetch(url, { headers: { range: 'bytes=1-3' } });
      return [answer.status, await answer.text(), answer.headers.get('content-range') !== null];
    }, outputs[0]!.url);
    expect(read).toEqual([206, 'PNG', true]);
  });

  it('are the only ones: another page reads and changes nothing', async () => {
    const page = await pages.at('evil.example');
    const targets = [`${server.url}/api/v2/jobs`, `${server.url}/api/v2/openapi.json`];
    expect(await page.evaluate(READ_ALL, targets)).toEqual(['TypeError', 'TypeError']);
  });

  it('read nothing from the ops port, which no list opens', async () => {
    const page = await pages.at('app.example');
    const targets = [`${server.process.opsUrl}/metrics`, `${server.process.opsUrl}/readyz`];
    expect(await page.evaluate(READ_ALL, targets)).toEqual(['TypeError', 'TypeError']);
  });
});

interface Pages {
  readonly port: number;
  /** A page of the given host, which shows an empty document of another origin than Heddle's. */
  at(host: string): Promise<Page>;
  open(): Promise<Page>;
  /** Statuses that a server gave to a page from now on, told by the browser and not by the page. */
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

/** What becomes of reading each address from inside the page: its status, or the name of the error. */
const READ_ALL = async (targets: string[]): Promise<(string | number)[]> => {
  const read = (url: string): Promise<string | number> =>
    fetch(url).then(
      ({ status }) => status,
      (error: Error) => error.name,
    );
  return Promise.all(targets.map(read));
};

/** What an EventSource of the page hears until its job ends, it fails, or time is up. */
const LISTEN = ({ url, forMs }: { url: string; forMs: number }): Promise<string[]> =>
  new Promise((done) => {
    const heard: string[] = [];
    const source = new EventSource(url);
    const stop = (): void => {
      source.close();
      done(heard);
    };
    setTimeout(stop, forMs);
    source.addEventListener('status', (event) => {
      const { status } = JSON.parse((event as MessageEvent<string>).data) as { status: string };
      heard.push(`status ${status}`);
      if (status === 'succeeded') stop();
    });
    source.addEventListener('error', () => {
      heard.push('error');
      stop();
    });
  });

const SEND_FORM = ({ action, picture }: { action: string; picture: number[] }): void => {
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action, enctype: 'multipart/form-data' });
  const field = (name: string, value: string): HTMLInputElement =>
    Object.assign(document.createElement('input'), { name, value });
  const file = Object.assign(document.createElement('input'), { type: 'file', name: 'file' });
  const files = new DataTransfer();
  files.items.add(new File([new Uint8Array(picture)], 'a.png', { type: 'image/png' }));
  file.files = files.files;
  form.append(file, field('content_type', 'image/png'), field('file_path', 'a.png'));
  document.body.append(form);
  form.submit();
};

async function answerOf(page: Page, url: string, act: () => Promise<unknown>): Promise<Response> {
  const [answer] = await Promise.all([page.waitForResponse((response) => response.url() === url), act()]);
  return answer;
}
