import { createReadStream } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, isCut } from '../api/api-error.js';
import type { RegistryClient } from '../registry/registry-client.js';
import { percentText, progressBar } from '../terminal/progress-bar.js';
import { fit } from '../terminal/text-width.js';
import type { Terminal } from '../terminal/terminal.js';
import type { PackedPackage } from './pack-package.js';

const ATTEMPTS = 3;
/** The registry judges the archive before it answers. */
const ANSWER_TIMEOUT_MS = 300_000;

/** Uploads a zip to its URL, with a bar on a terminal. A cut upload starts anew: the URL stays good. */
export async function uploadPackage(
  registry: RegistryClient,
  url: string,
  packed: PackedPackage,
  terminal: Terminal,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await put(registry, url, packed, terminal);
      return terminal.erase();
    } catch (error) {
      // The bytes of the cut attempt had all arrived, only its answer had not.
      if (attempt > 1 && error instanceof ApiError && error.code === 'already_uploaded') return;
      if (!isCut(error) || attempt === ATTEMPTS) throw error;
      await delay(500 * attempt);
    }
  }
}

async function put(
  registry: RegistryClient,
  url: string,
  { path, sizeBytes }: PackedPackage,
  terminal: Terminal,
): Promise<void> {
  const headers = { 'content-type': 'application/zip', 'content-length': String(sizeBytes) };
  const body = watched(path, (sent) => {
    const share = sent / sizeBytes;
    terminal.draw([`${fit('upload', 8)} ${progressBar(share, 24)} ${percentText(share)}`]);
  });
  await registry.send('PUT', url, { headers, body, headersTimeoutMs: ANSWER_TIMEOUT_MS });
}

async function* watched(path: string, onSent: (sent: number) => void): AsyncIterable<Uint8Array> {
  let sent = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>) {
    yield chunk;
    sent += chunk.length;
    onSent(sent);
  }
}
