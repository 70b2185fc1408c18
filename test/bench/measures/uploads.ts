import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStandalone } from '@heddle/testing-standalone';
import { startFloor } from '../floor-server.ts';
import { cpuUs, resetPeak, rssMib } from '../process-cpu.ts';
import type { Sample } from '../rows.ts';

export const SIZE = 100 * 1024 * 1024;
const CHUNK = 1 << 20;

/** Rows U1 to U3: 100 MiB uploads, one and four at a time, compared with receive + hash + write + fsync. */
export async function measureUploads(): Promise<Sample> {
  const bytes = randomBytes(SIZE);
  const sample: Record<string, number> = {};
  for (const parallel of [1, 4]) {
    const folder = await mkdtemp(join(tmpdir(), 'heddle-bench-'));
    const floor = await startFloor('upload.ts', [folder]);
    try {
      record(
        sample,
        `upload-floor${parallel}`,
        await load([floor.pid], parallel, bytes, (body) => send(floor.port, '/', {}, [body])),
      );
    } finally {
      await floor.stop();
      await rm(folder, { recursive: true });
    }
    // A new service, so that its peak is not the peak of an earlier measurement.
    const product = await startStandalone({ env: { HEDDLE_WORKERS: '0', HEDDLE_LOG_LEVEL: 'warn' } });
    try {
      const upload = (body: Buffer): Promise<void> => sendMultipart(product.port, body);
      record(sample, `upload${parallel}`, await load([product.pid], parallel, bytes, upload));
    } finally {
      await product.stop();
    }
  }
  return sample;
}

export interface Uploaded {
  readonly rate: number;
  readonly cpu: number;
  readonly peak: number;
}

export function record(sample: Record<string, number>, name: string, { rate, cpu, peak }: Uploaded): void {
  Object.assign(sample, { [`${name}.rate`]: rate, [`${name}.cpu`]: cpu, [`${name}.peak`]: peak });
}

/** Measures all processes except the sender. */
export async function load(
  pids: readonly number[],
  parallel: number,
  bytes: Buffer,
  upload: (body: Buffer) => Promise<void>,
): Promise<Uploaded> {
  const perWorker = parallel === 1 ? 3 : 1;
  await upload(fresh(bytes));
  await Promise.all(pids.map((pid) => resetPeak(pid)));
  const cpuBefore = sum(pids, cpuUs);
  const began = performance.now();
  // Bodies differ only in their first bytes: no deduplication, and no copies inside the timing.
  const bodies = parallel === 1 ? [bytes] : Array.from({ length: parallel }, () => fresh(Buffer.from(bytes)));
  const copied = performance.now() - began;
  await Promise.all(
    bodies.map(async (body) => {
      for (let turn = 0; turn < perWorker; turn += 1) await upload(fresh(body));
    }),
  );
  const seconds = (performance.now() - began - copied) / 1000;
  const megabytes = (parallel * perWorker * SIZE) / 1e6;
  const cpuMs = (sum(pids, cpuUs) - cpuBefore) / 1000;
  return { rate: megabytes / seconds, cpu: (cpuMs / megabytes) * 100, peak: sum(pids, (pid) => rssMib(pid, 'VmHWM')) };
}

function sum(pids: readonly number[], of: (pid: number) => number): number {
  return pids.reduce((total, pid) => total + of(pid), 0);
}

function fresh(body: Buffer): Buffer {
  randomBytes(16).copy(body);
  return body;
}

/** Uploads a new asset by multipart, as clients do. */
export function sendMultipart(port: number, body: Buffer): Promise<void> {
  const boundary = `bench${randomUUID()}`;
  const part = (name: string, value: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const head = Buffer.from(
    `${part('content_type', 'application/octet-stream')}${part('file_path', 'bench.bin')}--${boundary}\r\n` +
      `Content-Disposition: form-data; name="file"; filename="bench.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  return send(port, '/api/v2/assets', headers, [head, body, tail]);
}

export function send(
  port: number,
  path: string,
  headers: Record<string, string>,
  pieces: readonly Buffer[],
  { method, status } = { method: 'POST', status: 201 },
): Promise<void> {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return new Promise((resolve, reject) => {
    const sent = request(
      { port, host: '127.0.0.1', path, method, headers: { ...headers, 'content-length': length } },
      (response) => {
        response
          .resume()
          .on('end', () =>
            response.statusCode === status ? resolve() : reject(new Error(`upload answered ${response.statusCode}`)),
          );
      },
    );
    sent.on('error', reject);
    void (async () => {
      for (const piece of pieces) {
        for (let at = 0; at < piece.length; at += CHUNK) {
          if (!sent.write(piece.subarray(at, at + CHUNK))) await new Promise((drained) => sent.once('drain', drained));
        }
      }
      sent.end();
    })();
  });
}
