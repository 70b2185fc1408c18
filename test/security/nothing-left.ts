import { expectStatus, textGraph } from '@heddle/testing-api';
import type { Answer } from '@heddle/testing-api';
import { expect } from 'vitest';
import { expectRefusal } from '../api/expectations.js';
import { newKey } from '../api/server.js';
import type { TestServer } from '../api/server.js';

/**
 * Sends a request that must be refused, with its own key. Checks that the refusal leaves nothing behind: no file, no job, no
 * claimed key, and a server that answers the next request.
 */
export async function expectRefusalWithoutTrace(
  server: TestServer,
  refusal: { readonly status: number; readonly code: string },
  ask: (key: string) => Promise<Answer>,
): Promise<Answer> {
  const key = newKey();
  const before = await state(server);
  const answer = await ask(key);
  expectRefusal(answer, refusal.status, refusal.code);
  await expectNothingLeft(server, before);
  await expectKeyFree(server, key);
  return answer;
}

export interface State {
  readonly files: readonly string[];
  readonly newestJob: string | undefined;
}

export async function state(server: TestServer): Promise<State> {
  const files = (await server.process.storedFiles()).map((file) => file.path);
  return { files, newestJob: (await server.client.jobPage('?limit=1')).jobs[0]?.id };
}

/** Expects no new file and no job. Files may vanish, because duplicate bytes are removed later. */
export async function expectNothingLeft(server: TestServer, before: State): Promise<void> {
  const added = async (): Promise<object> => {
    const now = await state(server);
    return { files: now.files.filter((file) => !before.files.includes(file)), newestJob: now.newestJob };
  };
  const message = 'something was left behind';
  await expect.poll(added, { timeout: 30_000, message }).toEqual({ files: [], newestJob: before.newestJob });
}

/** Expects that the key is free for an upload and a submission, and that the next requests work. */
export async function expectKeyFree(server: TestServer, key: string): Promise<void> {
  const form = { bytes: Buffer.from('the next request'), content_type: 'text/plain', file_path: 'next.txt' };
  expectStatus(await server.client.upload(form, { key }), 200, 201);
  expectStatus(await server.client.submit(textGraph(), { key }), 201);
}
