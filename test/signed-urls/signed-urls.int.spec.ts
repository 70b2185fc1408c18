import { createSecretKey, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DirectoryBlobStore, S3BlobStore, TargetSigner } from '@heddle/platform-blob-store';
import { describeOnS3 } from '@heddle/testing-servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALICE, BOB, send, startManaged, upload } from './managed-gateway.js';
import type { ManagedGateway, Reply } from './managed-gateway.js';

const as = (account: string) => ({ headers: { authorization: `Bearer ${account}` } });
const codeOf = ({ body }: Reply): unknown => (JSON.parse(body.toString()) as { error: { code: unknown } }).error.code;
const block = async ({ database }: ManagedGateway, hash: string): Promise<void> => {
  await database.owner.query(
    'insert into assets.verdict (hash, blocked, held, decided_at) values ($1, true, false, now())',
    [hash],
  );
};

/** What holds on every store. */
function describeRedirects(service: () => ManagedGateway): void {
  it('lead from the content route to the bytes, without a credential and with nothing to cache [CT08] [CT09] [CT12]', async () => {
    const { url } = service();
    const bytes = randomBytes(70_000);
    const asset = await upload(url, ALICE, bytes);
    for (const method of ['GET', 'HEAD']) {
      const answer = await send(url, `/api/v2/assets/${asset.id}/content`, { ...as(ALICE), method });
      expect([answer.status, answer.headers['cache-control'], answer.body.length]).toEqual([302, 'no-store', 0]);
      const followed = await fetch(answer.headers.location!);
      expect(followed.status).toBe(200);
      expect(followed.headers.get('content-type')).toBe('application/octet-stream');
      expect(followed.headers.get('content-disposition')).toBe(
        `attachment; filename="b _.png"; filename*=UTF-8''b%20%C3%BC.png`,
      );
      expect(Buffer.from(await followed.arrayBuffer()).equals(bytes)).toBe(true);
    }
    const part = await fetch(asset.url, { headers: { range: 'bytes=10-19' } });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(10, 20))).toBe(true);
    for (const stranger of [as(BOB), {}]) {
      const answer = await send(url, `/api/v2/assets/${asset.id}/content`, stranger);
      expect([answer.status, answer.headers.location]).toEqual(['headers' in stranger ? 404 : 401, undefined]);
    }
  });

  it('are fresh in each answer, and end with the asset where that is earlier [CT08]', async () => {
    const { url } = service();
    const { id, ...first } = await upload(url, ALICE, Buffer.from('fresh'));
    const read = async (asset: string) =>
      JSON.parse((await send(url, `/api/v2/assets/${asset}`, as(ALICE))).body.toString());
    const location = async () => (await send(url, `/api/v2/assets/${id}/content`, as(ALICE))).headers.location;
    const before = await location();
    const left = (asset: { url_expires_at: string }) => Date.parse(asset.url_expires_at) - Date.now();
    expect(left(first)).toBeGreaterThan(21_590_000);
    expect(left(first)).toBeLessThanOrEqual(21_600_000);
    await new Promise((done) => setTimeout(done, 1_100));
    const again = await read(id);
    expect(again.url).not.toBe(first.url);
    expect(await location()).not.toBe(before);
    expect(again.url_expires_at > first.url_expires_at).toBe(true);
    const brief = await upload(url, ALICE, Buffer.from('brief'), { expires_in: '60' });
    const { expires_at, url_expires_at } = await read(brief.id);
    expect(url_expires_at <= expires_at).toBe(true);
    expect(left(brief)).toBeGreaterThan(57_000);
  });

  it('outlive a delete of the asset', async () => {
    const { url } = service();
    const asset = await upload(url, ALICE, Buffer.from('deleted'));
    expect((await send(url, `/api/v2/assets/${asset.id}`, { ...as(ALICE), method: 'DELETE' })).status).toBe(204);
    expect((await send(url, `/api/v2/assets/${asset.id}/content`, as(ALICE))).status).toBe(404);
    expect(await (await fetch(asset.url)).text()).toBe('deleted');
  });

  it('are not given out for bytes that are blocked', async () => {
    const { url } = service();
    const asset = await upload(url, ALICE, Buffer.from('to be blocked'));
    await block(service(), asset.hash);
    const content = `/api/v2/assets/${asset.id}/content`;
    expect((await send(url, content, as(ALICE))).status).toBe(404);
    const read = JSON.parse((await send(url, `/api/v2/assets/${asset.id}`, as(ALICE))).body.toString());
    expect(read.url).toBe(`${url}${content}`);
  });
}

describe('signed URLs over a folder', () => {
  const [old, current] = ['old', 'current'].map((id) => ({ id, secret: createSecretKey(randomBytes(32)) }));
  const signer = new TargetSigner([old!, current!]);
  let folder: string;
  let service: ManagedGateway;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'heddle-signed-'));
    service = await startManaged({ store: await DirectoryBlobStore.open(folder, signer), signer });
  });
  afterAll(async () => {
    await service?.end();
    await rm(folder, { recursive: true, force: true });
  });

  describeRedirects(() => service);

  const targetOf = (url: string): string => url.slice(service.url.length);
  const signed = async (bytes = Buffer.from('signed'), fields = {}): Promise<string> =>
    targetOf((await upload(service.url, ALICE, bytes, fields)).url);

  it('have the head of content, a HEAD, and the contract’s answers to ranges [CT09]', async () => {
    const asset = await upload(service.url, ALICE, Buffer.from('0123456789'));
    const target = targetOf(asset.url);
    const { headers } = await send(service.url, target);
    expect(headers).toMatchObject({
      etag: `"${asset.hash}"`,
      'content-length': '10',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, no-cache',
    });
    const head = await send(service.url, target, { method: 'HEAD' });
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, '10', 0]);
    const far = await send(service.url, target, { headers: { range: 'bytes=10-' } });
    expect([far.status, codeOf(far), far.headers['content-range']]).toEqual([
      416,
      'range_not_satisfiable',
      'bytes */10',
    ]);
    const end = await send(service.url, target, { headers: { range: 'bytes=-3' } });
    expect([end.status, end.body.toString()]).toEqual([206, '789']);
  });

  it('name their life where clients look for it [CT11]', async () => {
    const asset = await upload(service.url, ALICE, Buffer.from('life'));
    const { searchParams } = new URL(asset.url);
    const date = searchParams.get('X-Goog-Date')!.replace(/(....)(..)(..T..)(..)(..Z)/, '$1-$2-$3:$4:$5');
    const end = new Date(Date.parse(date) + Number(searchParams.get('X-Goog-Expires')) * 1_000);
    expect(end.toISOString()).toBe(asset.url_expires_at);
  });

  it('ignore every credential that comes along, the right one too', async () => {
    const target = await signed();
    for (const authorization of [`Bearer ${ALICE}`, 'Bearer wrong', 'Basic x', '']) {
      const answer = await send(service.url, target, { headers: { authorization, cookie: 'a=b' } });
      expect([answer.status, answer.body.toString()]).toEqual([200, 'signed']);
    }
  });

  it('answer anything else with one refusal, before any look-up [CT10]', async () => {
    const target = await signed();
    const [path, query] = target.split('?') as [string, string];
    const parameters = query.split('&');
    const other = await signed(Buffer.from('another'));
    const forged = [
      path,
      `${path}?`,
      `${target}&a=1`,
      `${target}&`,
      `${target}%20`,
      `${target}&a=${'x'.repeat(5_000)}`,
      `${target}%zz`,
      `${path}/more?${query}`,
      `/api/v2/signed/`,
      `/api/v2/signed/../assets?${query}`,
      `/api/v2/signed/%zz?${query}`,
      `${other.split('?')[0]}?${query}`,
      `${path}?${other.split('?')[1]}`,
      `${path}?${parameters.toReversed().join('&')}`,
      target.replace('X-Goog-Expires=21600', 'X-Goog-Expires=604800'),
      target.replace('X-Goog-Expires=21600', `X-Goog-Expires=${'9'.repeat(100)}`),
      target.replace(/X-Goog-Date=\d+/, 'X-Goog-Date=20990101'),
      target.replace('key=current', 'key=old'),
      target.replace('key=current', 'key=nobody'),
      target.replace(/name=[^&]*/, 'name='),
      target.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      target.replace(/signature=.*/, `signature=${'A'.repeat(43)}`),
      ...parameters.map((one) => `${path}?${parameters.filter((each) => each !== one).join('&')}`),
      ...parameters.map((one) => `${target}&${one}`),
      ...parameters.map((one) => `${path}?${one}&${query}`),
    ];
    const before = service.statements();
    const answers = new Set<string>();
    for (const each of forged) {
      for (const authorization of ['', `Bearer ${ALICE}`]) {
        const answer = await send(service.url, each, { headers: authorization === '' ? {} : { authorization } });
        expect([each, answer.status, codeOf(answer)]).toEqual([each, 403, 'forbidden']);
        answers.add(answer.body.toString());
      }
      expect((await send(service.url, each, { method: 'HEAD' })).status).toBe(403);
      expect((await send(service.url, each, { method: 'POST', body: 'x' })).status).toBe(403);
    }
    expect(answers.size).toBe(1);
    // The router decodes paths: this one reaches the route.
    expect((await send(service.url, target.replace('/signed/', '/%73igned/'))).status).toBe(403);
    expect(service.statements()).toBe(before);
  });

  it('are for reading alone', async () => {
    const target = await signed();
    for (const method of ['POST', 'DELETE', 'PUT', 'PATCH']) {
      const answer = await send(service.url, target, { method });
      expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, HEAD']);
    }
  });

  it('end at their last second, and with a verdict on their bytes [CT11]', async () => {
    const asset = await upload(service.url, ALICE, Buffer.from('ends'));
    const key = /signed\/([^?]+)/.exec(asset.url)![1]! as never;
    const life = (agoS: number, seconds: number) => ({
      signedAt: new Date((Math.floor(Date.now() / 1_000) - agoS) * 1_000),
      seconds,
    });
    expect((await send(service.url, signer.sign(key, 'a', life(600, 660)))).status).toBe(200);
    const over = await send(service.url, signer.sign(key, 'a', life(600, 599)));
    expect([over.status, codeOf(over)]).toEqual([403, 'forbidden']);
    await block(service, asset.hash);
    const blocked = await send(service.url, targetOf(asset.url));
    expect([blocked.status, codeOf(blocked)]).toEqual([403, 'forbidden']);
    expect(blocked.body).toEqual(over.body);
  });

  it('stay good while their key is listed, and are refused afterwards', async () => {
    const asset = await upload(service.url, ALICE, Buffer.from('rotated'));
    const key = /signed\/([^?]+)/.exec(asset.url)![1]! as never;
    const life = { signedAt: new Date(), seconds: 60 };
    expect((await send(service.url, new TargetSigner([old!]).sign(key, 'a', life))).status).toBe(200);
    const retired = new TargetSigner([{ id: 'retired', secret: createSecretKey(randomBytes(32)) }]);
    expect((await send(service.url, retired.sign(key, 'a', life))).status).toBe(403);
  });

  it('lead to the set origin, or the one by which the client came, and never to another', async () => {
    const { id } = await upload(service.url, ALICE, Buffer.from('origin'));
    const location = async (headers: Record<string, string>): Promise<string> => {
      const all = { ...as(ALICE).headers, ...headers };
      return (await send(service.url, `/api/v2/assets/${id}/content`, { headers: all })).headers.location!;
    };
    expect(await location({ host: 'api.example:81' })).toMatch(/^http:\/\/api\.example:81\/api\/v2\/signed\//);
    expect(await location({ 'x-forwarded-host': 'evil.example' })).not.toContain('evil');
    const set = await startManaged({
      store: await DirectoryBlobStore.open(folder, signer),
      signer,
      gateway: { signedBaseUrl: 'https://bytes.example/', managedHosts: ['api.example'] },
    });
    try {
      const body = Buffer.from('set');
      const form = new FormData();
      for (const [name, value] of [
        ['content_type', 'a/b'],
        ['file_path', 'a'],
      ] as const)
        form.set(name, value);
      form.set('file', new Blob([body]));
      const wrapped = new Response(form);
      const answer = await send(set.url, '/api/v2/assets', {
        method: 'POST',
        headers: { ...as(ALICE).headers, host: 'api.example', 'content-type': wrapped.headers.get('content-type')! },
        body: await wrapped.text(),
      });
      const { url } = JSON.parse(answer.body.toString()) as { url: string };
      expect(url).toMatch(/^https:\/\/bytes\.example\/api\/v2\/signed\//);
      // The host of such a URL is of no matter: it need not be one of the API.
      const target = url.slice('https://bytes.example'.length);
      expect((await send(set.url, target, { headers: { host: 'bytes.example' } })).body.toString()).toBe('set');
    } finally {
      await set.end();
    }
  });
});

describeOnS3('signed URLs over S3', (server) => {
  let service: ManagedGateway;
  let publicEndpoint: string;
  beforeAll(async () => {
    const { endpoint, accessKey, secretKey, region } = server();
    publicEndpoint = endpoint.replace('127.0.0.1', 'localhost');
    const store = await S3BlobStore.open({ endpoint, publicEndpoint, accessKey, secretKey, region, bucket: 'signed' });
    service = await startManaged({ store, signer: null });
  });
  afterAll(async () => {
    await service?.end();
  });

  describeRedirects(() => service);

  it('are the store’s own, at its public endpoint; the gateway has none', async () => {
    const asset = await upload(service.url, ALICE, Buffer.from('of the store'));
    expect(asset.url.startsWith(`${publicEndpoint}/signed/b/`)).toBe(true);
    const { searchParams } = new URL(asset.url);
    const seconds = Number(searchParams.get('X-Amz-Expires'));
    const date = searchParams.get('X-Amz-Date')!.replace(/(....)(..)(..T..)(..)(..Z)/, '$1-$2-$3:$4:$5');
    expect(new Date(Date.parse(date) + seconds * 1_000).toISOString()).toBe(asset.url_expires_at);
    const signer = new TargetSigner([{ id: 'a', secret: createSecretKey(randomBytes(32)) }]);
    const key = /\/b\/([^?]+)/.exec(asset.url)![1]! as never;
    const own = await send(service.url, signer.sign(key, 'a', { signedAt: new Date(), seconds: 60 }));
    expect([own.status, codeOf(own)]).toEqual([403, 'forbidden']);
  });
});
