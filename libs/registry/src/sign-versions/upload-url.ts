import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RegistrySettings } from '../settings.js';
import { VersionSigner } from './version-signer.js';

/** What an upload URL permits: the bytes of a version, until an instant. */
export interface UploadPermit {
  readonly versionId: string;
  /** Number of the URL: a later publish of the version makes it void. */
  readonly upload: number;
}

const FORM =
  /^\/uploads\/([0-9a-f-]{36})\?upload=(\d{1,9})&expires=(\d{1,12})&key=([\w.-]{1,64})&signature=([\w-]{43})$/;

/** Signs and verifies upload URLs: HMAC-SHA-256 over path and every parameter. */
@Injectable()
export class UploadUrls {
  constructor(
    private readonly signer: VersionSigner,
    private readonly settings: RegistrySettings,
  ) {}

  /** Path and query below the registry's address. */
  target({ versionId, upload }: UploadPermit, now = Date.now()): string {
    const expires = Math.ceil((now + this.settings.uploadMs) / 1_000);
    const { id, key } = this.signer.uploadKeys.at(-1)!;
    const text = `/uploads/${versionId}?upload=${upload}&expires=${expires}&key=${id}`;
    return `${text}&signature=${mac(key, text)}`;
  }

  /** Null for a target that is changed or expired. */
  verify(target: string, nowMs: number): UploadPermit | null {
    const [, versionId, upload, expires, keyId, signature] = FORM.exec(target) ?? [];
    const known = this.signer.uploadKeys.find(({ id }) => id === keyId);
    if (versionId === undefined || known === undefined) return null;
    const expected = mac(known.key, target.slice(0, target.indexOf('&signature=')));
    const isRight = timingSafeEqual(Buffer.from(expected), Buffer.from(signature!));
    return isRight && Number(expires) * 1_000 > nowMs ? { versionId, upload: Number(upload) } : null;
  }
}

function mac(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}
