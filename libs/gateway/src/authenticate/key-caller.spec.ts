import { SCOPES } from '@heddle/contracts-api-v2';
import { MANAGED_DEPLOYMENT_ID, SURFACES } from '@heddle/contracts-messages';
import { FailedCredentials } from '@heddle/platform-http/failed-credentials';
import type {
  AccountId,
  Answer,
  DeploymentDirectory,
  DirectoryEntry,
  KeyCheck,
  KeyHolder,
} from '@heddle/contracts-messages';
import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { SurfaceHosts } from '../resolve-surface/surface-hosts.js';
import type { Admission } from './admission.js';
import { KeyCaller } from './key-caller.js';

const OWNER = 'the owner' as AccountId;
const holder = (changes: Partial<KeyHolder> = {}): KeyHolder => ({
  accountId: OWNER,
  accountName: 'owner',
  keyId: 'k',
  scopes: new Set(SCOPES),
  suspended: false,
  limits: { queueDepth: null, running: null, streams: null, storageBytes: null, readRate: null, readBurst: null },
  ...changes,
});
const HOLDERS: Readonly<Record<string, KeyHolder>> = {
  right: holder(),
  other: holder({ accountId: 'another' as AccountId }),
  reader: holder({ scopes: new Set(['jobs:read'] as const) }),
  suspended: holder({ suspended: true }),
};
const keys: KeyCheck = {
  check: (key) => HOLDERS[key] ?? null,
  isWellFormed: (key) => key !== 'noise',
  follow: () => () => undefined,
};
const alpha = { deploymentId: 'alpha', accountId: OWNER } as DirectoryEntry;
const directory: DeploymentDirectory = { find: (label) => (label === 'alpha' ? alpha : null), byId: () => null };
const hosts = new SurfaceHosts({ surface: 'managed', deploymentHost: 'run.example', managedHosts: [] }, directory);

async function answerTo(
  key: string,
  host = 'api.example',
  failures = new FailedCredentials(60),
): Promise<Answer<Admission>> {
  const caller = new KeyCaller(keys, failures, hosts, { trustForwarded: false });
  const request = { headers: { host, authorization: `Bearer ${key}` }, ip: '10.0.0.1' } as FastifyRequest;
  return await caller.of(request, 'jobs:write');
}
const codeOf = (answer: Answer<unknown>): string => (answer.ok ? 'in' : answer.rejection.code);

describe('the caller behind a key', () => {
  it('has the account of its key, and the deployment of the host', async () => {
    const managed = await answerTo('right');
    expect(managed).toMatchObject({ value: { principal: { accountId: OWNER, deploymentId: MANAGED_DEPLOYMENT_ID } } });
    expect(await answerTo('right', 'alpha.run.example')).toMatchObject({
      value: { principal: { deploymentId: 'alpha' } },
    });
    expect(SURFACES.managed.credential).toBe('keys');
  });

  it('is nobody without a key that is known, on every host', async () => {
    for (const key of ['wrong', 'noise', '']) {
      for (const host of ['api.example', 'gamma.run.example'])
        expect(codeOf(await answerTo(key, host))).toBe('unauthorized');
    }
  });

  it('may do what its key and its account allow, which is told before the host is looked at', async () => {
    expect(codeOf(await answerTo('reader', 'gamma.run.example'))).toBe('forbidden');
    expect(codeOf(await answerTo('suspended', 'gamma.run.example'))).toBe('forbidden');
  });

  it('gets one answer for an unknown host, a deployment that is gone, and one of another account', async () => {
    const answers = await Promise.all([
      answerTo('right', 'run.example'),
      answerTo('right', 'gamma.run.example'),
      answerTo('other', 'alpha.run.example'),
    ]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(codeOf(answers[0]!)).toBe('not_found');
  });

  it('waits after too many keys that could have been right, but is never refused with a right one', async () => {
    const failures = new FailedCredentials(2);
    for (let i = 0; i < 9; i++) expect(codeOf(await answerTo('noise', 'api.example', failures))).toBe('unauthorized');
    for (const code of ['unauthorized', 'unauthorized', 'rate_limited']) {
      expect(codeOf(await answerTo('wrong', 'api.example', failures))).toBe(code);
    }
    expect(codeOf(await answerTo('right', 'api.example', failures))).toBe('in');
  });
});
