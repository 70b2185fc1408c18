import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { send } from '@heddle/testing-api';
import type { Answer, Sent } from '@heddle/testing-api';
import { startStandalone } from '@heddle/testing-standalone';
import type { Standalone, StandaloneOptions } from '@heddle/testing-standalone';

const keyBody = `hdl_${'a'.repeat(16)}_${'S'.repeat(43)}`;
/** A well-formed key, for HEDDLE_BOOTSTRAP_KEY. */
export const KEY_FOR_TESTS = `${keyBody}_${crc32(keyBody).toString(16).padStart(8, '0')}`;

/** Below it are the hosts of deployments; no name service knows it. */
export const DEPLOYMENT_HOST = 'run.test';

/** A standalone that serves managed, with deployments beside it, and what an operator has of it. */
export interface KeyedHeddle extends Standalone {
  /** A call of the admin API; throws for a refusal. */
  admin(method: string, path: string, body?: object): Promise<unknown>;
  /** A new key of an account, which is made if needed. */
  keyOf(account: string, more?: object): Promise<string>;
  /** One request with a key, at the host of the managed surface or of a deployment. */
  ask(key: string | null, sent: Sent & { readonly host?: string }): Promise<Answer>;
}

/** `kept`: data directory and port of one before. */
export async function startKeyed(
  env: Readonly<Record<string, string>> = {},
  kept: Pick<StandaloneOptions, 'dataDir' | 'port'> = {},
): Promise<KeyedHeddle> {
  const standalone = await startStandalone({
    ...kept,
    env: { HEDDLE_SURFACE: 'managed', HEDDLE_DEPLOYMENT_HOST: DEPLOYMENT_HOST, HEDDLE_TEST_NODES: '1', ...env },
  });
  const admin = adminOf(standalone.dataDir);
  return {
    ...standalone,
    admin,
    keyOf: async (account, more = {}) => ((await admin('POST', 'keys', { account, ...more })) as { key: string }).key,
    ask: async (key, { host, ...sent }) =>
      await send(standalone.url, {
        ...sent,
        headers: {
          ...(host === undefined ? {} : { host }),
          ...(key === null ? {} : { authorization: `Bearer ${key}` }),
          ...sent.headers,
        },
      }),
  };
}

/** A call of the admin API of a standalone with this data directory; throws for a refusal. */
export function adminOf(dataDir: string): KeyedHeddle['admin'] {
  const note = JSON.parse(readFileSync(join(dataDir, 'admin.json'), 'utf8')) as Record<string, string>;
  return async (method, path, body) => {
    const answer = await fetch(`${note['url']}/admin/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${note['token']}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} -> ${answer.status}: ${text}`);
    // Some calls answer without a body.
    return text === '' ? null : JSON.parse(text);
  };
}
