import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AllowedTargets } from '@heddle/platform-outbound';
import { ManagedRegistry } from '../managed-registry.fixture.js';
import { ChallengeFinder } from './challenge-finder.js';

const [ANN, BOB] = ['key-ann', 'key-bob'];
const HOST = 'forge.example';

describe('a claim', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-claim-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  /** What the forge answers, by path; a path that is missing is 404. */
  const files = new Map<string, { readonly status: number; readonly body: string; readonly location?: string }>();
  const asked: string[] = [];
  let forge: Server;
  let origin: string;
  let registry: ManagedRegistry;

  beforeAll(async () => {
    const subject = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`];
    const made = ['-days', '2', '-nodes', '-newkey', 'rsa:2048', '-keyout', key, '-out', cert];
    execFileSync('openssl', ['req', '-x509', ...subject, ...made], { stdio: 'ignore' });
    forge = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, ({ url = '', headers }, response) => {
      asked.push(`${headers.host} ${url}`);
      const { status, body, location } = files.get(url) ?? { status: 404, body: '' };
      response.writeHead(status, location === undefined ? {} : { location }).end(body);
    });
    await new Promise<void>((done) => forge.listen(0, '127.0.0.1', done));
    origin = `https://${HOST}:${(forge.address() as AddressInfo).port}`;
    registry = await ManagedRegistry.open({ forges: [HOST] });
    const allowed = AllowedTargets.parse([new URL(origin).host])!;
    Object.assign(registry.app.get(ChallengeFinder), {
      rules: { schemes: ['https:'], allowed, ownHosts: [] },
      network: { resolve: () => Promise.resolve(['127.0.0.1']), ca: readFileSync(cert, 'utf8') },
    });
    const token = await registry.publisher('acme', ANN);
    await registry.publisher('heirs', BOB);
    for (const node of ['pack-a', 'pack-b']) {
      await registry.active('acme', node, '1.0.0', token, { repository: `${origin}/acme/${node}` });
      await registry.admin.release(node);
    }
  });
  afterAll(async () => {
    await registry.close();
    forge.close();
    rmSync(folder, { recursive: true });
  });

  const claim = (node: string, publisher = 'heirs', bearer = BOB) =>
    registry.call('POST', `/publishers/${publisher}/nodes/${node}/claim-my-node`, bearer);

  it('succeeds once the repository holds the challenge of this publisher', async () => {
    const file = '/acme/pack-a/raw/HEAD/.heddle-claim';
    const first = await claim('pack-a');
    const { challenge } = first.body;
    const other = (await claim('pack-a', 'acme', ANN)).body.challenge;
    expect(other).not.toBe(challenge);
    expect(asked).toEqual([]);
    // The file is not there yet: the challenge is shown again.
    expect(await claim('pack-a')).toEqual(first);
    files.set(file, { status: 200, body: `${other}\n` });
    expect(await claim('pack-a')).toEqual(first);
    files.set(file, { status: 302, body: '', location: `${origin}/elsewhere` });
    files.set('/elsewhere', { status: 200, body: challenge });
    expect((await claim('pack-a')).body.error).toBe('vendor_unavailable');
    expect(asked.some((path) => path.includes('elsewhere'))).toBe(false);
    files.set(file, { status: 200, body: `${challenge}\n` });
    expect(await claim('pack-a')).toMatchObject({ status: 204, body: '' });
    expect((await registry.call('GET', '/nodes/pack-a')).body.publisher.id).toBe('heirs');
    expect((await claim('pack-a')).body.error).toBe('already_set');
  });

  it('succeeds with a file of the origin too', async () => {
    const { challenge } = (await claim('pack-b')).body;
    files.set('/.well-known/heddle-claim', { status: 200, body: challenge });
    expect((await claim('pack-b')).status).toBe(204);
  });

  it('calls no address inside of a network, whatever the name of the forge resolves to', async () => {
    const { network } = registry.app.get(ChallengeFinder);
    const finder = Object.assign(new ChallengeFinder(), { network });
    asked.length = 0;
    expect(await finder.find([new URL(`${origin}/elsewhere`)], 'x')).toBe('unread');
    expect(asked).toEqual([]);
  });
});
