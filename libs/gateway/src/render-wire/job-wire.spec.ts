import { openApiDocument } from '@heddle/contracts-api-v2';
import { MANAGED_DEPLOYMENT_ID, SELF_HOSTED_PRINCIPAL } from '@heddle/contracts-messages';
import type { AssetId, AssetView, DeploymentId, JobId, JobView } from '@heddle/contracts-messages';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { renderAsset, renderMinted } from './asset-wire.js';
import { renderJob, renderJobPage } from './job-wire.js';
import { renderLog } from './log-wire.js';

const AT = '2026-01-01T00:00:00.000Z';
const HASH = `blake3:${'a'.repeat(64)}`;
const context = {
  base: 'http://127.0.0.1:8189',
  urlExpiry: 'null' as const,
  signedBase: 'http://h',
  outputsEndWithJob: false,
};
const job: JobView = {
  id: '01900000-0000-7000-8000-00000000000a' as JobId,
  ...SELF_HOSTED_PRINCIPAL,
  status: 'failed',
  version: 9,
  fence: 1,
  createdAt: AT,
  updatedAt: AT,
  startedAt: AT,
  completedAt: AT,
  expiresAt: AT,
  queuePosition: null,
  progress: {
    value: 0.5,
    nodesDone: 1,
    nodesTotal: 2,
    currentNode: '1',
    currentNodeClass: 'Any',
    step: 1,
    steps: 2,
    message: null,
  },
  outputs: [
    {
      nodeId: '1',
      key: '1/0/0',
      name: 'ä".png',
      type: 'image',
      contentType: 'image/png',
      sizeBytes: 3,
      assetId: '01900000-0000-7000-8000-0000000000b0' as AssetId,
      hash: HASH,
    },
  ],
  error: { code: 'timeout', message: 'm', nodeId: null, classType: null, traceback: null },
  queueMs: 1,
  executionMs: null,
  metadata: { a: 'b' },
};
const asset: AssetView = {
  id: '01900000-0000-7000-8000-0000000000b0' as AssetId,
  accountId: job.accountId,
  hash: HASH,
  sizeBytes: 3,
  contentType: 'image/png',
  filePath: 'a/b.png',
  tags: ['x'],
  createdAt: AT,
  expiresAt: null,
  signedUrl: null,
  jobId: null,
};

interface Schema {
  readonly properties: object;
}

describe('what clients read', () => {
  const ajv = new Ajv2020({
    strict: false,
    formats: { uuid: true, uri: /^https?:\/\//, 'date-time': true, binary: true },
  });
  const document = openApiDocument({ uploadBytes: 1 }) as { components: { schemas: Record<string, Schema> } };
  ajv.addSchema({ ...document, $id: 'v2' });
  const expectSchema = (name: string, text: string): void => {
    const validate = ajv.getSchema(`v2#/components/schemas/${name}`);
    const body = JSON.parse(text) as object;
    expect(validate?.(body), JSON.stringify(validate?.errors)).toBe(true);
    expect(Object.keys(document.components.schemas[name]!.properties)).toEqual(
      expect.arrayContaining(Object.keys(body)),
    );
  };

  it('follows the schemas of the contract, every key present', () => {
    expectSchema('Job', renderJob(job, context));
    expectSchema('Job', renderJob({ ...job, progress: null, error: null, startedAt: null, outputs: [] }, context));
    expectSchema('JobList', renderJobPage({ jobs: [job], nextCursor: 'c' }, context));
    expectSchema('Asset', renderAsset(asset, context));
    expectSchema('MintedAsset', renderMinted({ asset, created: true }, true, context));
  });

  it('has nothing of the inside: no account, no version, no key of an output', () => {
    const text = renderJob(job, context);
    for (const inside of [job.accountId, 'version', 'fence', '1/0/0', 'updated']) expect(text).not.toContain(inside);
  });

  it('links to the log of every job of a dedicated deployment, and of no other', () => {
    const dedicated = { ...job, deploymentId: '01900000-0000-7000-8000-0000000000d0' as DeploymentId };
    const managed = { ...job, deploymentId: MANAGED_DEPLOYMENT_ID };
    expectSchema('Job', renderJob(dedicated, context));
    const page = renderJobPage({ jobs: [dedicated, managed, job], nextCursor: null }, context);
    expectSchema('JobList', page);
    const { jobs } = JSON.parse(page) as { jobs: { urls: { self: string; logs?: string } }[] };
    expect(jobs.map(({ urls }) => urls.logs)).toEqual([`${jobs[0]!.urls.self}/logs`, undefined, undefined]);
    expectSchema('JobLog', renderLog({ text: '\u0000', truncated: true, complete: true, capturedAt: AT }));
  });

  it('links absolutely, by the address that the client used, and offers no logs', () => {
    const { urls, outputs } = JSON.parse(
      renderJob(job, { ...context, base: 'https://h/base', urlExpiry: 'timestamp' }),
    ) as {
      urls: Record<string, string>;
      outputs: { url: string; url_expires_at: string }[];
    };
    expect(Object.keys(urls)).toEqual(['self', 'events', 'cancel', 'workflow']);
    for (const url of Object.values(urls)) expect(url).toMatch(new RegExp(`^https://h/base/api/v2/jobs/${job.id}`));
    expect(outputs[0]).toMatchObject({
      url: `https://h/base/api/v2/assets/${job.outputs[0]!.assetId}/content`,
      url_expires_at: expect.stringMatching(/^\d{4}-.*T.*Z$/) as string,
    });
  });

  it('on surfaces with signed URLs leads assets there, and ends links of outputs with their job', () => {
    const there = { ...context, signedBase: 'https://bytes.example', outputsEndWithJob: true };
    const urls = (text: string) => {
      const { url, url_expires_at } = JSON.parse(text) as Record<string, unknown>;
      return [url, url_expires_at];
    };
    const end = '2026-01-01T06:00:00.000Z';
    const of = (url: string): AssetView => ({ ...asset, signedUrl: { url, expiresAt: end } });
    expect(urls(renderAsset(of('/api/v2/signed/x?a=b'), there))).toEqual([
      'https://bytes.example/api/v2/signed/x?a=b',
      end,
    ]);
    expect(urls(renderAsset(of('http://s3:9000/b/x?a=b'), there))).toEqual(['http://s3:9000/b/x?a=b', end]);
    expect(urls(renderAsset(asset, there))).toEqual([`${context.base}/api/v2/assets/${asset.id}/content`, null]);
    const { outputs } = JSON.parse(renderJob({ ...job, expiresAt: end }, there)) as { outputs: object[] };
    expect(outputs[0]).toMatchObject({
      url: `${context.base}/api/v2/assets/${job.outputs[0]!.assetId}/content`,
      url_expires_at: end,
    });
  });

  it('gives an item of the list as the job without outputs, progress and error, with two more times', () => {
    const {
      outputs: _,
      progress: __,
      error: ___,
      ...rest
    } = JSON.parse(renderJob(job, context)) as Record<string, unknown>;
    const page = JSON.parse(renderJobPage({ jobs: [job], nextCursor: null }, context)) as { jobs: object[] };
    expect(page).toEqual({
      jobs: [{ ...rest, create_time: AT, update_time: AT }],
      next_cursor: null,
      truncated: false,
    });
  });
});
