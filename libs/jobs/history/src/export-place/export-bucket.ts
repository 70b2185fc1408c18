import { createReadStream } from 'node:fs';
import { mkdir, open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { ObjectChangedError } from '@heddle/platform-blob-store';
import type { S3Objects } from '@heddle/platform-blob-store';
import type { BucketLock } from './bucket-lock.js';
import { ExportFolder } from './export-folder.js';
import type { ExportPlace, FileTrouble } from './export-place.js';
import { digestOf } from './file-on-disk.js';
import { ExportError, MANIFEST_FILE, MAX_MANIFEST_BYTES, manifestText, parseManifest } from './manifest.js';
import type { ExportFile, ExportManifest } from './manifest.js';

/** An export below a prefix of a bucket. Files are read and written in a folder of this machine. */
export class ExportBucket implements ExportPlace {
  readonly #local: ExportFolder;
  /** Of the manifest that was read or published last; null: there was none. */
  #etag: string | null = null;
  #lock: BucketLock | null = null;

  constructor(
    private readonly objects: S3Objects,
    readonly name: string,
    /** Empty; the caller removes it. */
    folder: string,
  ) {
    this.#local = new ExportFolder(folder);
  }

  localPath(file: string): string {
    return this.#local.localPath(file);
  }

  async manifest(): Promise<ExportManifest | null> {
    const path = `${this.name}/${MANIFEST_FILE}`;
    const found = await this.objects.read(MANIFEST_FILE);
    this.#etag = found?.etag ?? null;
    if (found === null) return null;
    if (!(found.sizeBytes <= MAX_MANIFEST_BYTES))
      throw new ExportError('manifest_mismatch', `${path} has more than ${MAX_MANIFEST_BYTES} bytes`);
    return parseManifest(await text(found.body), path);
  }

  async fetch(file: ExportFile, signal?: AbortSignal): Promise<FileTrouble | null> {
    const found = await this.objects.read(file.path, signal ?? null);
    if (found === null) return 'missing';
    await mkdir(dirname(this.localPath(file.path)), { recursive: true });
    const local = await open(this.localPath(file.path), 'w');
    try {
      for await (const chunk of found.body) await local.write(chunk);
    } finally {
      await local.close();
    }
    return await this.#local.fetch(file);
  }

  async files(): Promise<readonly string[]> {
    const paths: string[] = [];
    for await (const path of this.objects.list('events/')) paths.push(path);
    return paths;
  }

  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    // Readers need no lock and not its packages.
    const { BucketLock } = await import('./bucket-lock.js');
    const lock = await BucketLock.take(this.objects, this.name);
    this.#lock = lock;
    try {
      await this.objects.abortUploads('events/');
      return await work();
    } finally {
      this.#lock = null;
      await lock.release();
    }
  }

  async add(
    file: string,
    write: (localPath: string) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<Pick<ExportFile, 'bytes' | 'sha256'>> {
    const local = this.localPath(file);
    await mkdir(dirname(local), { recursive: true });
    try {
      await write(local);
      await this.#renewed();
      await this.#unlessChanged(() => this.objects.write(file, createReadStream(local), signal ?? null));
      return { bytes: (await stat(local)).size, sha256: await digestOf(local) };
    } finally {
      await rm(local, { force: true });
    }
  }

  async remove(file: string): Promise<void> {
    await this.#renewed();
    await this.objects.remove(file);
  }

  async publish(manifest: ExportManifest): Promise<void> {
    await this.#renewed();
    const bytes = Buffer.from(manifestText(manifest));
    await this.#unlessChanged(async () => {
      this.#etag = await this.objects.put(MANIFEST_FILE, bytes, this.#etag);
    });
  }

  /** Nobody else writes to the place within the lease that begins here. */
  async #renewed(): Promise<void> {
    if (this.#lock === null) throw new Error(`${this.name} is written to without its lock`);
    await this.#lock.renew();
  }

  async #unlessChanged(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ObjectChangedError)) throw error;
      throw new ExportError(
        'export_busy',
        `another export wrote ${this.name}/${error.objectName} meanwhile: run this one again`,
      );
    }
  }
}
