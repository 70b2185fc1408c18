import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { heddleInProcess } from '../heddle-in-process.fixture.js';
import { hostileServer, sendJson } from '../hostile-server.fixture.js';
import type { HostileServer } from '../hostile-server.fixture.js';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const KEYS = { keys: [{ keyid: 'k1', public_key: publicKey.export({ format: 'pem', type: 'spki' }) }] };

interface Lies {
  readonly bytes?: Buffer;
  readonly version?: object;
  readonly signed?: string;
}

async function zipOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), path);
  zip.end();
  return await buffer(zip.outputStream);
}

describe('heddle registry install from a registry that lies', () => {
  let folder: string;
  let server: HostileServer | null = null;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'heddle-install-'));
  });
  afterEach(async () => {
    await server?.close();
    await rm(folder, { recursive: true });
  });

  const install = async (zip: Buffer, lies: Lies, ...more: string[]) => {
    const sha256 = createHash('sha256').update(zip).digest('hex');
    const signed = lies.signed ?? `pack@1.0.0:${sha256}`;
    const version = {
      ...{ node_id: 'pack', version: '1.0.0', status: 'NodeVersionStatusActive', sha256, size_bytes: zip.length },
      downloadUrl: 'http://elsewhere.example/archive',
      signature: { keyid: 'k1', sig: sign(null, Buffer.from(signed), privateKey).toString('base64') },
      ...lies.version,
    };
    server = await hostileServer(({ url }, response) => {
      if (url === '/keys') return sendJson(response, 200, KEYS);
      if (url === '/archive') return void response.end(lies.bytes ?? zip);
      return sendJson(response, 200, version);
    });
    const words = ['registry', 'install', 'pack', '--into', join(folder, 'nodes'), '--json', ...more];
    return await heddleInProcess(words, { HEDDLE_REGISTRY_URL: server.url });
  };

  it('takes what is signed, from the address that the user gave', async () => {
    const zip = await zipOf({ 'a.py': 'A = 1' });
    const { code, out } = await install(zip, {});
    expect([code, JSON.parse(out)]).toEqual([
      0,
      expect.objectContaining({ node_id: 'pack', version: '1.0.0', files: 1, path: join(folder, 'nodes/pack') }),
    ]);
    expect(await readFile(join(folder, 'nodes/pack/a.py'), 'utf8')).toBe('A = 1');
    expect(await readdir(join(folder, 'nodes'))).toEqual(['pack']);
  });

  it.each([
    ['pack', 'no active version of pack'],
    ['pack@2.0.0', 'no version pack@2.0.0'],
  ])('says of %s which is not there where its versions are listed', async (name, text) => {
    server = await hostileServer(({ url }, response) =>
      url === '/nodes/pack'
        ? sendJson(response, 200, { id: 'pack' })
        : sendJson(response, 404, { error: 'not_found', message: 'No.' }),
    );
    // The folder is in the way, but what was asked for does not exist: that is said first.
    await mkdir(join(folder, 'nodes/pack/old'), { recursive: true });
    const words = ['registry', 'install', name, '--into', join(folder, 'nodes'), '--json'];
    const { code, out } = await heddleInProcess(words, { HEDDLE_REGISTRY_URL: server.url });
    expect([code, out]).toEqual([1, expect.stringContaining(text)]);
    expect(out).toContain('heddle registry versions pack lists');
  });

  it.each(['my-nods', 'my-nods@1.0.0'])('says of %s that there is no such node, and how to find one', async (name) => {
    server = await hostileServer((_, response) => sendJson(response, 404, { error: 'not_found', message: 'No.' }));
    const words = ['registry', 'install', name, '--into', join(folder, 'nodes')];
    const { code, err } = await heddleInProcess(words, { HEDDLE_REGISTRY_URL: server.url });
    expect([code, err]).toEqual([1, expect.stringContaining('no node my-nods here')]);
    expect(err).toContain('heddle registry search');
    expect(err).not.toContain('registry versions');
  });

  it('asks for a download once, and only for what it will keep', async () => {
    await install(await zipOf({ 'a.py': 'A = 1' }), {});
    const asked = server!.seen.filter(({ url }) => url.endsWith('/install'));
    expect(asked.map(({ headers }) => headers['x-install-dry-run'])).toEqual(['1', undefined]);
  });

  it.each<[string, Lies, string]>([
    ['other bytes of the same length', { bytes: Buffer.alloc(116) }, 'digest'],
    ['more bytes', { bytes: Buffer.alloc(100_000) }, 'digest'],
    ['a signature of another version', { signed: 'pack@0.9.0:00' }, 'the signature of pack@1.0.0 is wrong'],
    ['a signature that is none', { version: { signature: { keyid: 'k1', sig: 'AAAA' } } }, 'is wrong'],
    ['a key that is not listed', { version: { signature: { keyid: 'k2', sig: '' } } }, 'does not list'],
    ['no signature', { version: { signature: {} } }, 'does not list'],
    ['an id that leads out of the folder', { version: { node_id: '../pack' } }, 'answered another version'],
    ['another version', { version: { version: '../2' } }, 'answered another version'],
  ])('installs nothing of %s', async (_, lies, text) => {
    const { code, out } = await install(await zipOf({ 'a.py': 'A = 1' }), lies);
    expect([code, out]).toEqual([1, expect.stringContaining(text)]);
    expect(await readdir(join(folder, 'nodes')).catch(() => [])).toEqual([]);
    expect(await readdir(folder)).not.toContain('pack');
  });

  it('takes the place of a package that is there by --overwrite alone, and leaves it where it fails', async () => {
    const old = join(folder, 'nodes/pack');
    await mkdir(old, { recursive: true });
    await writeFile(join(old, 'old.py'), '');
    const zip = await zipOf({ 'a.py': 'A = 1' });
    const left = async (lies: Lies, ...more: string[]): Promise<unknown[]> => {
      const { code } = await install(zip, lies, ...more);
      await server?.close();
      return [code, await readdir(join(folder, 'nodes')), await readdir(old)];
    };
    expect(await left({})).toEqual([2, ['pack'], ['old.py']]);
    expect(await left({ bytes: Buffer.alloc(116) }, '--overwrite')).toEqual([1, ['pack'], ['old.py']]);
    expect(await left({ version: { signature: {} } }, '--overwrite')).toEqual([1, ['pack'], ['old.py']]);
    expect(await left({}, '--overwrite')).toEqual([0, ['pack'], ['a.py']]);
    await rm(join(folder, 'nodes'), { recursive: true });
    expect(await left({}, '--overwrite')).toEqual([0, ['pack'], ['a.py']]);
  });

  it('installs nothing of a signed archive that leads out of its folder', async () => {
    const zip = await zipOf({ 'a.py': 'A = 1', 'x/b.py': '' });
    const evil = Buffer.from(zip.toString('latin1').replaceAll('x/b.py', '../b.p'), 'latin1');
    const { code, out } = await install(evil, {});
    expect([code, out]).toEqual([1, expect.stringContaining('..')]);
    expect(await readdir(join(folder, 'nodes'))).toEqual([]);
  });
});
