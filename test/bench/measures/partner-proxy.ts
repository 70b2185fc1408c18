import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSimulatedVendor } from '@heddle/partner-proxy-simulated-vendor';
import { pictureGraph } from '@heddle/testing-api';
import { startStandalone } from '@heddle/testing-standalone';
import { quantiles } from '../quantiles.ts';
import type { Sample } from '../rows.ts';

const KEY = 'a-key-of-the-bench';
const TURNS = 50;
const CALLBACKS = 5;
/** A simulated task takes so long. */
const TASK_MS = 1_000;
const IMAGE = 'https://images.example.com/a.png';
const VIDEO = {
  model: 'vendorq2-turbo',
  start_image: IMAGE,
  image_settings: [{ key_image: IMAGE }, { key_image: IMAGE }],
};

/** Rows V1 to V3: what the partner proxy adds to its vendor, both on this machine. */
export async function measurePartnerProxy(): Promise<Sample> {
  const imageWebhookSecret = `whsec_${Buffer.alloc(32).toString('base64')}`;
  const vendor = await startSimulatedVendor({ videoKey: KEY, imageKey: KEY, imageWebhookSecret });
  const receiver = await openReceiver();
  const heddle = await startStandalone({
    env: {
      HEDDLE_WORKERS: '0',
      HEDDLE_VIDEOVENDOR_URL: vendor.url,
      HEDDLE_VIDEOVENDOR_KEY: KEY,
      HEDDLE_CALLBACK_ALLOW: new URL(receiver.url).host,
    },
  });
  const proxy = `${heddle.url}/registry/proxy/videovendor`;
  try {
    const direct = { url: `${vendor.url}/ent/v2/multiframe`, headers: { authorization: `Token ${KEY}` } };
    const [proxied, answered]: [number[], number[]] = [[], []];
    // By turns: other work on the machine meets both.
    for (let turn = 0; turn < TURNS; turn += 1) {
      proxied.push(await millisOf(() => post(`${proxy}/multiframe`, VIDEO)));
      answered.push(await millisOf(() => post(direct.url, VIDEO, direct.headers)));
    }
    return {
      ...quantiles('proxy-create', proxied),
      ...quantiles('vendor-create', answered),
      ...(await readsOf(heddle.url, proxy)),
      ...quantiles('callback', await callbacksOf(proxy, receiver)),
    };
  } finally {
    await heddle.stop();
    await receiver.close();
    await vendor.close();
  }
}

/** Reads of a task that has ended, which needs no vendor, beside reads of a job. */
async function readsOf(api: string, proxy: string): Promise<Sample> {
  const { task_id: task } = await post<{ task_id: string }>(`${proxy}/multiframe`, VIDEO);
  const { id: job } = await post<{ id: string }>(`${api}/api/v2/jobs`, { workflow: pictureGraph() });
  const status = `${proxy}/tasks/${task}/creations`;
  while ((await get<{ state: string }>(status)).state !== 'success') await new Promise((done) => setTimeout(done, 500));
  const [statuses, jobs]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < TURNS; turn += 1) {
    statuses.push(await millisOf(() => get(status)));
    jobs.push(await millisOf(() => get(`${api}/api/v2/jobs/${job}`)));
  }
  return { ...quantiles('proxy-read', statuses), ...quantiles('job-read', jobs) };
}

/** From the end at the vendor, at the latest so long after the request, to the callback of the end. */
async function callbacksOf(proxy: string, receiver: Receiver): Promise<number[]> {
  const found: number[] = [];
  for (let turn = 0; turn < CALLBACKS; turn += 1) {
    const begun = performance.now();
    const { task_id: task } = await post<{ task_id: string }>(`${proxy}/multiframe`, {
      ...VIDEO,
      callback_url: receiver.url,
    });
    found.push((await receiver.endOf(task)) - begun - TASK_MS);
  }
  return found;
}

interface Receiver {
  readonly url: string;
  /** When the callback of a task's success came. */
  endOf(taskId: string): Promise<number>;
  close(): Promise<void>;
}

async function openReceiver(): Promise<Receiver> {
  const ends = new Map<string, (at: number) => void>();
  const came = new Map<string, number>();
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      response.end();
      const { id, state } = JSON.parse(body) as { id: string; state: string };
      if (state !== 'success') return;
      came.set(id, performance.now());
      ends.get(id)?.(performance.now());
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    endOf: async (id) => came.get(id) ?? (await new Promise((resolve) => ends.set(id, resolve))),
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function millisOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

async function get<T>(url: string): Promise<T> {
  return await okOf<T>(await fetch(url));
}

async function post<T>(url: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<T> {
  return await okOf<T>(await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }));
}

async function okOf<T>(answer: Response): Promise<T> {
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}
