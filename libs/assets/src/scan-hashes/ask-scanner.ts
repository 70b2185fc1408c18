import { request as overHttp } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as overHttps } from 'node:https';
import type { Readable } from 'node:stream';
import type { ScanVerdict } from '../moderate-hash/verdict-writer.js';

const MAX_ANSWER_BYTES = 64 * 1024;
const VERDICTS: readonly string[] = ['clean', 'blocked', 'held'] satisfies ScanVerdict[];

interface ScannedBytes {
  readonly hash: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly body: Readable;
}

/** Streams the bytes to the scanner. Anything but a verdict is an error: the scan must be repeated. */
export async function askScanner(url: URL, bytes: ScannedBytes, signal: AbortSignal): Promise<ScanVerdict> {
  const { hash, contentType, sizeBytes, body } = bytes;
  const headers = {
    'x-heddle-hash': hash,
    'content-type': contentType,
    'content-length': String(sizeBytes),
    // Each scan has a connection of its own. `close` would let a server that answers early cut off its answer.
    connection: 'keep-alive',
  };
  const options = { method: 'POST', headers, signal, agent: false };
  const request = url.protocol === 'https:' ? overHttps(url, options) : overHttp(url, options);
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve);
      // Also after an answer that came before the end of the bytes, when the scanner may hang up.
      request.on('error', reject);
      body.once('error', reject);
      body.pipe(request);
    });
    return await verdictIn(answer);
  } finally {
    body.destroy();
    request.destroy();
  }
}

async function verdictIn(answer: IncomingMessage): Promise<ScanVerdict> {
  if (answer.statusCode !== 200) throw new Error(`the scanner answered with status ${answer.statusCode}`);
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_ANSWER_BYTES) throw new Error(`the scanner answered with more than ${MAX_ANSWER_BYTES} bytes`);
    parts.push(part);
  }
  const verdict = verdictOf(Buffer.concat(parts).toString());
  if (verdict === null) throw new Error('the scanner answered without a verdict: clean, blocked or held');
  return verdict;
}

function verdictOf(text: string): ScanVerdict | null {
  try {
    const answer = JSON.parse(text) as { readonly verdict?: unknown } | null;
    const verdict = answer?.verdict;
    return typeof verdict === 'string' && VERDICTS.includes(verdict) ? (verdict as ScanVerdict) : null;
  } catch {
    return null;
  }
}
