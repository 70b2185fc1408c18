import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expectStatus, send, textOf } from '@heddle/testing-api';
import type { Answer } from '@heddle/testing-api';
import { newId, nodePackage, refusalOf } from '@heddle/testing-registry';
import type { RegistryPublisher } from '@heddle/testing-registry';
import { pack } from 'tar-stream';
import type { Header } from 'tar-stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { useRegistry } from './registry-server.js';
import { surface } from './surface.js';

/** A gzipped tar with these entries, as they are. */
async function tarGz(
  ...entries: readonly (Partial<Header> & { readonly name: string; readonly data?: string })[]
): Promise<Buffer> {
  const tar = pack();
  for (const { data = '', ...headers } of entries) tar.entry(headers, data);
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  return gzipSync(Buffer.concat(chunks));
}

const SOURCE = { name: '__init__.py', data: 'NODE_CLASS_MAPPINGS = {}\n' };

/** A zip whose one entry has other content than its checksum says. */
async function withWrongChecksum(): Promise<Buffer> {
  const bytes = await nodePackage([], { 'data.txt': 'x' });
  const wrong = Buffer.from(bytes);
  // The checksum is in the directory and in the header before or the descriptor behind the content.
  const directory = wrong.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1'));
  const crc = wrong.subarray(directory + 16, directory + 20);
  for (let at = wrong.indexOf(crc); at !== -1; at = wrong.indexOf(crc, at + 4)) wrong[at]! ^= 0xff;
  return wrong;
}

describe('PUT of the signed URL', () => {
  const registry = useRegistry();
  let acme: RegistryPublisher;
  beforeAll(async () => {
    acme = await registry.publisher();
  });
  const opened = async (more: object = {}): Promise<string> =>
    (await acme.published(newId('upload'), '1.0.0', { node_version: more })).signedUrl;

  it('takes the first complete bytes, without a credential and beside any; other bytes are 409', async () => {
    const [node, bytes] = [newId('once'), await nodePackage(['First'])];
    const { signedUrl } = await acme.published(node, '1.0.0');
    const first = await registry.anyone.as('wrong').follow('PUT', signedUrl, { body: bytes });
    expect([first.status, first.bytes.length]).toEqual([200, 0]);
    expect(refusalOf(await acme.upload(signedUrl, await nodePackage(['Second'])))).toBe('409 already_uploaded');
    const { downloadUrl } = await acme.inspected(node, '1.0.0');
    expect((await registry.anyone.follow('GET', downloadUrl)).bytes.equals(bytes)).toBe(true);
  });

  it('is 403 for a URL of which one character was changed, and for one without its signature', async () => {
    const signedUrl = await opened();
    const bytes = await nodePackage();
    const last = signedUrl.at(-1) === 'A' ? 'B' : 'A';
    const expires = /expires=(\d+)/.exec(signedUrl)![1]!;
    for (const url of [
      `${signedUrl.slice(0, -1)}${last}`,
      signedUrl.replace(`expires=${expires}`, `expires=${Number(expires) + 1}`),
      signedUrl.split('?')[0]!,
      `${signedUrl}&more=1`,
    ]) {
      expect(refusalOf(await acme.upload(url, bytes))).toBe('403 invalid_signature');
    }
    expect(refusalOf(await acme.upload(signedUrl, bytes))).toBe('200');
  });

  it('of which the bytes are cut short has not happened: the URL stays good', async () => {
    const [signedUrl, bytes] = [await opened(), await nodePackage()];
    const { origin, pathname, search } = new URL(signedUrl);
    const cut = new AbortController();
    const body = Readable.from(
      (async function* () {
        yield bytes.subarray(0, 50);
        // Long enough for the server to have read them.
        await new Promise((done) => setTimeout(done, 100));
        cut.abort();
      })(),
    );
    const headers = { 'content-length': bytes.length };
    const sent = send(origin, { method: 'PUT', target: pathname + search, headers, body, signal: cut.signal });
    await expect(sent).rejects.toThrow();
    expect(refusalOf(await acme.upload(signedUrl, bytes))).toBe('200');
  });

  it('must bring the digest that publish named', async () => {
    const signedUrl = await opened({ sha256: 'ab'.repeat(32) });
    expect(refusalOf(await acme.upload(signedUrl, await nodePackage()))).toBe('400 invalid_archive');
  });

  const bomb = Buffer.alloc(4 * 1024 ** 2);
  const REFUSED: readonly (readonly [what: string, bytes: () => Promise<Buffer> | Buffer, named: string])[] = [
    ['text', () => Buffer.from('no archive'), ''],
    ['nothing', () => Buffer.alloc(0), ''],
    ['half a zip', async () => (await nodePackage()).subarray(0, 60), ''],
    ['an archive without a file', async () => await tarGz({ name: 'folder/', type: 'directory' }), ''],
    ['a path that leaves the folder', async () => await tarGz(SOURCE, { name: '../evil.py', data: 'x' }), '../evil.py'],
    ['an absolute path', async () => await tarGz(SOURCE, { name: '/etc/evil.py', data: 'x' }), '/etc/evil.py'],
    ['a backslash', async () => await tarGz(SOURCE, { name: 'a\\evil.py', data: 'x' }), 'evil.py'],
    ['a link', async () => await tarGz(SOURCE, { name: 'link', type: 'symlink', linkname: '/etc/passwd' }), 'link'],
    ['one name twice', async () => await tarGz(SOURCE, { name: '__INIT__.py', data: 'x' }), '__INIT__.py'],
    ['bytes that unpack to 200 times', async () => await nodePackage([], { 'bomb.bin': bomb }), 'bomb.bin'],
    ['a folder deeper than 32', async () => await tarGz({ name: `${'d/'.repeat(33)}x.py`, data: 'x' }), 'd/d/d'],
  ];
  it.each(REFUSED)('is 400 for %s, names the entry, and the version stays open', async (_, bytes, named) => {
    const [node, right] = [newId('refused'), await nodePackage()];
    const { signedUrl } = await acme.published(node, '1.0.0');
    const refused: Answer = await acme.upload(signedUrl, await bytes());
    expect(refusalOf(refused)).toBe('400 invalid_archive');
    expect(JSON.parse(textOf(refused)).message).toContain(named);
    expect(refusalOf(await acme.upload(signedUrl, right))).toBe('200');
  });

  it('takes a gzipped tar, and answers it as one', async () => {
    const [node, bytes] = [newId('tar'), await tarGz(SOURCE)];
    const { downloadUrl } = await acme.released(node, '1.0.0', bytes);
    const answer = expectStatus(await registry.anyone.follow('GET', downloadUrl), 200);
    expect(answer.headers['content-type']).toBe('application/gzip');
    expect(answer.bytes.equals(bytes)).toBe(true);
  });

  it('of bytes that only unpacking shows to be wrong, or with a blocking finding, ends flagged with a reason', async () => {
    const code = 'import base64\nexec(base64.b64decode("cHJpbnQoMSk="))\n';
    for (const bytes of [await withWrongChecksum(), await nodePackage(['Bad'], { 'run.py': code })]) {
      const node = newId('flagged');
      expect(await acme.released(node, '1.0.0', bytes)).toMatchObject({ status: 'NodeVersionStatusFlagged' });
      const path = `/nodes/${node}/versions/1.0.0`;
      const { status_reason: reason } = await registry.anyone.json<{ status_reason: string }>(
        `${path}?include_status_reason=true`,
      );
      // On self-hosted everybody is the account, and so a member.
      const shown = surface.credential === 'keys' ? '' : reason;
      expect(await registry.anyone.json(path)).toMatchObject({ status_reason: shown });
      expect(JSON.parse(reason)).toEqual([expect.objectContaining({ scanner: 'heddle', severity: 'block' })]);
      expect(refusalOf(await registry.anyone.get(`/nodes/${node}/install`))).toBe('404 not_found');
    }
  });

  it('of a package whose import would do something lists its classes, and does nothing', async () => {
    const [node, trace] = [newId('inert'), join(tmpdir(), newId('heddle-trace'))];
    const source = `import os\nos.makedirs("${trace}")\nclass Inert:\n    RETURN_TYPES = ("INT",)\n`;
    const mapping = 'NODE_CLASS_MAPPINGS = {"Inert": Inert}\n';
    await acme.released(node, '1.0.0', await nodePackage([], { '__init__.py': source + mapping }));
    const page = await registry.anyone.json(`/nodes/${node}/versions/1.0.0/wf-nodes`);
    expect(page).toMatchObject({ wf_nodes: [{ wf_node_name: 'Inert', return_types: '["INT"]' }] });
    expect(existsSync(trace)).toBe(false);
  });
});
