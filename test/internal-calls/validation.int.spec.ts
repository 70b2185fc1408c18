import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { RemoteValidation, serveValidation } from '@heddle/internal-api';
import { VALIDATION_PORT } from '@heddle/contracts-messages';
import type { SubmissionVerdict, ValidationPort } from '@heddle/contracts-messages';
import type { CallServer, ServiceClient } from '@heddle/platform-service-calls';
import { CatalogueHolder, ValidationModule } from '@heddle/validation';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientOf, listening } from './call-servers.js';
import { until } from './jobs-under-test.js';

const objectInfo = gunzipSync(
  readFileSync(new URL('../../libs/workflow/graph/recorded/object_info-0.33.0.json.gz', import.meta.url)),
);
type Checked = Extract<SubmissionVerdict, { kind: 'checked' }>;

describe('the validation service over the wire', () => {
  let local: ValidationPort;
  let server: CallServer;
  let client: ServiceClient;
  let remote: ValidationPort;
  const calls: string[] = [];
  const closing: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const context = await NestFactory.createApplicationContext(ValidationModule.register(), { logger: false });
    context.get(CatalogueHolder).replace(objectInfo);
    local = context.get<ValidationPort>(VALIDATION_PORT);
    server = await listening((routes) => serveValidation(routes, { validation: local }), {
      observe: ({ path }) => void calls.push(path),
    });
    client = clientOf('validation', [server.url]);
    remote = new RemoteValidation(client);
    closing.push(
      () => client.close(),
      () => server.close(0),
      () => context.close(),
    );
  });
  afterAll(async () => {
    for (const close of closing) await close();
  });

  const body = (images: readonly unknown[], more: object = {}): Buffer => {
    const nodes = images.flatMap((image, at) => [
      [`${at}`, { class_type: 'LoadImage', inputs: { image } }],
      [`save${at}`, { class_type: 'SaveImage', inputs: { images: [`${at}`, 0], filename_prefix: 'é' } }],
    ]);
    return Buffer.from(JSON.stringify({ workflow: Object.fromEntries(nodes) as object, ...more }));
  };
  async function both(bytes: Buffer): Promise<readonly [SubmissionVerdict, SubmissionVerdict]> {
    return [await local.validate(bytes), await remote.validate(bytes)];
  }
  const plain = (verdict: SubmissionVerdict): unknown => JSON.parse(JSON.stringify(verdict));

  it('judges as the service itself does', async () => {
    const bodies = [
      Buffer.from(''),
      Buffer.from('[1'),
      Buffer.from('{"workflow":{"nodes":[],"links":[]}}'),
      body(['grad8x6.png']),
      body(['me/own.png', 'b.png']),
      body([{ __type: 'core/ASSET', info: { id: '01939aaa-0000-7000-8000-000000000001' } }], { metadata: { a: 'é' } }),
      body([{ __type: 'core/ASSET', info: {} }]),
    ];
    for (const bytes of bodies) {
      const [here, there] = await both(bytes);
      expect(plain(there)).toEqual(plain(here));
      if (here.kind === 'checked' && there.kind === 'checked') {
        expect(Buffer.from(there.workflow).equals(Buffer.from(here.workflow))).toBe(true);
      }
    }
  });

  it('finishes a verdict for whichever names assets answer, and asks again only for some of them', async () => {
    const [here, there] = (await both(body(['me/own.png', 'me/b.png']))) as [Checked, Checked];
    const sets = [[], ['me/own.png'], ['me/b.png'], ['me/own.png', 'me/b.png'], ['other'], ['other', 'me/b.png']];
    // A call is seen when it is over, which may be after its answer.
    const finished = (): number => calls.filter((path) => path === '/internal/v1/validation/finish').length;
    const before = finished();
    expect(there.names).toHaveLength(2);
    for (const names of sets) {
      expect(await there.finish(new Set(names))).toEqual(await here.finish(new Set(names)));
    }
    await until(() => Promise.resolve(finished() - before >= 3), 'the third question');
    expect(finished() - before).toBe(3);
  });

  it('hands credentials on, wrapped', async () => {
    const bytes = body(['grad8x6.png'], { extra_data: { api_key_partner_org: 'canary-2' } });
    const there = (await remote.validate(bytes)) as Checked;
    expect(there.credentials?.apiKey?.reveal()).toBe('canary-2');
    expect(there.credentials).not.toHaveProperty('authToken');
    expect(JSON.stringify(there)).not.toContain('canary-2');
  });
});
