import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readKeyFile } from '@heddle/platform-settings';
import { API_KEY } from '@heddle/platform-credentials';
import { newServiceKeyPair, TokenVerifier } from '@heddle/platform-service-calls';
import { freshDatabase } from '@heddle/testing-database';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { heddleInProcess as run } from '../heddle-in-process.fixture.js';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly stringData: Readonly<Record<string, string>>;
}

const folder = mkdtempSync(join(tmpdir(), 'heddle-cluster-secrets-'));
const { privateKey, publicKey } = newServiceKeyPair();
const key = join(folder, 'signing-key.pem');
const owner = join(folder, 'owner-url');
writeFileSync(key, privateKey);
writeFileSync(owner, 'postgres://heddle:canary@db:5432/heddle\n');

/** The words, and the files that they do not name. */
const withFiles = (...words: string[]): string[] => [
  ...Object.entries({ '--owner-url-file': owner, '--signing-key': key })
    .filter(([option]) => !words.includes(option))
    .flat(),
  ...words,
];

async function secrets(...words: string[]): Promise<Readonly<Record<string, Manifest>>> {
  const { code, out, err } = await run(['cluster-secrets', ...withFiles(...words), '--json']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const manifests = out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Manifest]));
  return Object.fromEntries(manifests.map((one) => [one.metadata.name, one]));
}

describe('heddle cluster-secrets', () => {
  afterAll(() => rmSync(folder, { recursive: true }));

  it('prints three Secrets of the release', async () => {
    const all = await secrets('--release', 'eu', '--namespace', 'jobs');
    expect(Object.keys(all)).toEqual(['eu-heddle-database', 'eu-heddle-identity', 'eu-heddle-auth']);
    for (const { kind, metadata } of Object.values(all)) expect([kind, metadata.namespace]).toEqual(['Secret', 'jobs']);
    const { 'heddle-database': unnamed } = await secrets();
    expect(unnamed!.metadata.namespace).toBeUndefined();
  });

  it('has the URLs of the roles as heddle migrate sets them', async () => {
    const db = await freshDatabase();
    try {
      writeFileSync(join(folder, 'real-url'), db.ownerUrl);
      await run(['migrate'], { HEDDLE_DATABASE_URL: db.ownerUrl });
      const { 'heddle-database': printed } = await secrets('--owner-url-file', join(folder, 'real-url'));
      const { 'owner-url': ownerUrl, ...urls } = printed!.stringData;
      expect(ownerUrl).toBe(db.ownerUrl);
      expect(Object.keys(urls)).toEqual(
        ['jobs', 'assets', 'logs', 'accounts', 'deployments', 'registry'].map((service) => `${service}-url`),
      );
      for (const connectionString of Object.values(urls)) {
        const client = new pg.Client({ connectionString });
        await client.connect();
        await client.end();
      }
    } finally {
      await db.drop();
    }
  });

  it('has the public key and a token of each service for those that it calls', async () => {
    const { 'heddle-identity': printed } = await secrets('--deployment', 'managed', '--days', '90');
    const { 'public-key': shown, ...tokens } = printed!.stringData;
    expect(shown).toBe(publicKey);
    expect(Object.keys(tokens).sort()).toEqual(
      ['assets', 'gateway', 'jobs', 'logs', 'registry', 'validation', 'worker'].map((service) => `${service}-token`),
    );
    const verifier = new TokenVerifier({ publicKeys: [publicKey], audience: 'logs' });
    const worker = tokens['worker-token']!.trim().split('\n');
    const opened = await Promise.all(worker.map((token) => verifier.verify(`Bearer ${token}`)));
    expect(opened.filter(({ ok }) => ok)).toMatchObject([
      { identity: { service: 'worker', deploymentId: '00000000-0000-7000-8000-000000000003' } },
    ]);
    const { exp } = JSON.parse(Buffer.from(worker[0]!.split('.')[1]!, 'base64url').toString()) as { exp: number };
    expect(Math.round((exp * 1_000 - Date.now()) / 86_400_000)).toBe(90);
  });

  it('has keys of every form that services take, the same ones at each run', async () => {
    const [{ 'heddle-auth': first }, { 'heddle-auth': second }] = [await secrets(), await secrets()];
    expect(second).toEqual(first);
    const auth = first!.stringData;
    expect(API_KEY.idIn(auth['bootstrap-key']!)).not.toBeNull();
    for (const name of ['credential-keys', 'signed-url-keys', 'registry-signing-keys']) {
      writeFileSync(join(folder, name), auth[name]!);
      expect(await readKeyFile(join(folder, name), { min: 32, max: 32 })).toHaveLength(1);
    }
    for (const name of ['static-token', 'admin-token', 'key-pepper']) expect(auth[name]).toMatch(/^[\w-]{43}$/);
    expect(new Set(Object.values(auth)).size).toBe(7);
  });

  it('prints YAML without --json', async () => {
    const { out } = await run(['cluster-secrets', ...withFiles()]);
    const [nothing, database, identity] = out.split('---\n');
    expect(nothing).toBe('');
    expect(database).toMatch(
      /^apiVersion: "v1"\nkind: "Secret"\nmetadata:\n {2}name: "heddle-database"\n {2}labels:\n {4}app\.kubernetes\.io\/part-of: "heddle"\ntype: "Opaque"\nstringData:\n {2}owner-url: "postgres:/,
    );
    expect(identity).toContain('public-key: "-----BEGIN PUBLIC KEY-----\\n');
  });

  it.each([
    [['--release', 'No!'], '--release must be a name'],
    [['--days', '0'], '--days must be a whole number'],
    [['--signing-key', owner], `--signing-key ${owner} holds no private Ed25519 key`],
    [['--owner-url-file', key], `--owner-url-file ${key} holds no URL of an owner with a password`],
    [['--owner-url-file', join(folder, 'none')], 'does not exist'],
  ])('%j is wrong usage, without the text of a file', async (words, message) => {
    const { code, out, err } = await run(['cluster-secrets', ...withFiles(...words)]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
    expect(err).not.toContain('canary');
  });
});
