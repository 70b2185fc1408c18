import { createPrivateKey, createPublicKey, hkdfSync, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { VersionSignature } from '@heddle/contracts-registry';
import type { FileKey } from '@heddle/platform-settings';

/** What stands before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const UPLOADS = 'heddle registry uploads';

interface SigningKey {
  readonly keyid: string;
  readonly privateKey: KeyObject;
  readonly publicPem: string;
}

/** A key as `/keys` shows it. */
export interface PublicKeyWire {
  readonly keyid: string;
  readonly public_key: string;
  readonly since: string;
  readonly until: string;
}

/** Signs versions with the newest key of a file; the others stay known, so that older signatures can be checked. */
export class VersionSigner {
  readonly #keys: readonly SigningKey[];
  /** For upload URLs, which every replica must know: derived from the newest key. */
  readonly uploadKeys: readonly { readonly id: string; readonly key: Buffer }[];

  /** `keys`: 32 bytes each. */
  constructor(keys: readonly FileKey[]) {
    this.#keys = keys.map(({ id, secret }) => {
      const der = Buffer.concat([PKCS8, secret.export()]);
      const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
      const publicPem = createPublicKey(privateKey).export({ format: 'pem', type: 'spki' }).toString();
      return { keyid: id, privateKey, publicPem };
    });
    this.uploadKeys = keys.map(({ id, secret }) => ({
      id,
      key: Buffer.from(hkdfSync('sha256', secret.export(), '', UPLOADS, 32)),
    }));
  }

  /** Ed25519 over `<node_id>@<version>:<sha256>`, base64. */
  sign(nodeId: string, version: string, sha256: string): VersionSignature {
    const { keyid, privateKey } = this.#keys.at(-1)!;
    return { keyid, sig: sign(null, Buffer.from(`${nodeId}@${version}:${sha256}`), privateKey).toString('base64') };
  }

  /** The signature, if readers can still check it: its key may have left the file. */
  valid(signature: VersionSignature | null): VersionSignature | null {
    return this.#keys.some(({ keyid }) => keyid === signature?.keyid) ? signature : null;
  }

  /** Keys have no dates in their file: "" where none is known. */
  publicKeys(): readonly PublicKeyWire[] {
    return this.#keys.map(({ keyid, publicPem }) => ({ keyid, public_key: publicPem, since: '', until: '' }));
  }
}
