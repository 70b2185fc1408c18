import { readFile } from 'node:fs/promises';
import { BuiltinEngine } from '@heddle/engine-builtin';
import { CollectedBytes } from '@heddle/platform-http/collected-bytes';
import { CatalogueHolder } from '@heddle/validation';
import type { Catalogue } from '@heddle/workflow-graph';
import { request } from 'undici';
import { failed, unreachable, wrongUsage } from '../failure.js';
import { unreadableText } from '../file-error.js';

const MAX_BYTES = 128 * 1024 * 1024;
const TIMEOUT_MS = 30_000;

/** The node classes to check against: a recorded `/object_info`, a running engine, or the built-in engine's. */
export async function readCatalogue(source: string | null): Promise<Catalogue> {
  const description = source === null ? Buffer.from(await new BuiltinEngine().objectInfo()) : await describedBy(source);
  try {
    return new CatalogueHolder().replace(description).catalogue;
  } catch (error) {
    if (error instanceof SyntaxError)
      throw failed(
        `${source ?? 'the built-in engine'} contains no valid catalogue: ${error.message}`,
        'a catalogue is what an engine answers at /object_info',
      );
    throw error;
  }
}

async function describedBy(source: string): Promise<Buffer> {
  if (/^https?:\/\//.test(source)) return fetchDescription(source);
  return readFile(source).catch((error: NodeJS.ErrnoException) => {
    throw wrongUsage(unreadableText(source, error));
  });
}

async function fetchDescription(source: string): Promise<Buffer> {
  if (!URL.canParse(source)) throw wrongUsage(`"${source}" is not a URL`);
  const base = new URL(source);
  const url = base.pathname.endsWith('/object_info') ? base.href : `${base.href.replace(/\/+$/, '')}/object_info`;
  try {
    const answer = await request(url, { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
    if (answer.statusCode !== 200)
      throw failed(`${url} answered with the status ${answer.statusCode} instead of a catalogue`);
    const collected = new CollectedBytes(MAX_BYTES);
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      if (collected.size + chunk.length > MAX_BYTES) throw failed(`${url} sends more bytes than any catalogue has`);
      collected.add(chunk);
    }
    return collected.bytes();
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (typeof code !== 'string') throw error;
    throw unreachable(
      `the engine at ${base.origin} cannot be reached (${code})`,
      'start it, or give --catalogue a recorded file',
    );
  }
}
