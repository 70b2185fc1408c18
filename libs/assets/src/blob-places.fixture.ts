import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecretKey, randomBytes } from 'node:crypto';
import { DirectoryBlobStore, S3BlobStore, TargetSigner } from '@heddle/platform-blob-store';
import type { BlobStore } from '@heddle/platform-blob-store';
import { describeOnS3 } from '@heddle/testing-servers';
import type { RunningS3 } from '@heddle/local-servers';
import { Client } from 'minio';
import { describe } from 'vitest';

/** Where a service under test stores its blobs. */
export interface BlobPlace {
  readonly store: BlobStore;
  /** What a separate process needs to open the same place: an argument of `crashing-child.mjs`. */
  readonly address: string;
  /** Every object, including unfinished ones. */
  files(): Promise<string[]>;
  end(): Promise<void>;
}
export type OpenPlace = () => Promise<BlobPlace>;

/** Signs and verifies the URLs of a folder. */
export const FOLDER_SIGNER = new TargetSigner([{ id: 'fixture', secret: createSecretKey(randomBytes(32)) }]);

export async function openFolder(): Promise<BlobPlace> {
  const root = await mkdtemp(join(tmpdir(), 'heddle-assets-'));
  return {
    store: await DirectoryBlobStore.open(root, FOLDER_SIGNER),
    address: JSON.stringify({ folder: root }),
    files: async () => {
      const found = await readdir(root, { recursive: true, withFileTypes: true });
      return found.filter((entry) => entry.isFile()).map((entry) => entry.name);
    },
    end: () => rm(root, { recursive: true, force: true }),
  };
}

/** Opens a bucket of its own. */
export async function openBucketOf({ endpoint, accessKey, secretKey, region }: RunningS3): Promise<BlobPlace> {
  const bucket = `assets-${randomBytes(6).toString('hex')}`;
  const options = { endpoint, accessKey, secretKey, region, bucket };
  const { hostname, port } = new URL(endpoint);
  const client = new Client({ endPoint: hostname, port: Number(port), useSSL: false, accessKey, secretKey, region });
  return {
    store: await S3BlobStore.open(options),
    address: JSON.stringify({ s3: options }),
    files: async () => {
      const { objects } = await client.listObjectsV2Query(bucket, 'b/', '', '', 1_000, '');
      const { uploads } = await client.listIncompleteUploadsQuery(bucket, 'b/', '', '', '');
      return [...objects.map(({ name }) => name!.slice(2)), ...uploads.map(({ key }) => `${key.slice(2)}.unfinished`)];
    },
    end: () => Promise.resolve(),
  };
}

/** The same tests on a folder and on a real S3 server. */
export function describeOnEachStore(name: string, tests: (open: OpenPlace, kind: 'folder' | 's3') => void): void {
  describe(`${name}, in a folder`, () => tests(openFolder, 'folder'));
  describeOnS3(`${name}, in S3`, (server) => tests(() => openBucketOf(server()), 's3'));
}

/** A real store with some methods replaced. */
export function withFaults(store: BlobStore, faults: Partial<BlobStore>): BlobStore {
  return {
    write: (key, onTaken) => store.write(key, onTaken),
    writeFile: (key, file) => store.writeFile(key, file),
    read: (key, range) => store.read(key, range),
    signedUrl: (key, terms) => store.signedUrl(key, terms),
    stat: (key) => store.stat(key),
    delete: (key) => store.delete(key),
    deleteAll: (keys) => store.deleteAll(keys),
    list: () => store.list(),
    abortOrphans: (olderThanMs) => store.abortOrphans(olderThanMs),
    health: () => store.health(),
    ...faults,
  };
}
