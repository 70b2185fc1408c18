import { createPublicKey, verify } from 'node:crypto';
import type { JsonRecord } from '../api/wire.js';
import { failed } from '../failure.js';
import { recordIn, recordsIn, textIn } from '../registry/registry-answers.js';
import type { RegistryClient } from '../registry/registry-client.js';
import { fullName } from '../registry/render-version.js';

/** Fails unless the registry has signed `<node_id>@<version>:<sha256>` with one of its keys (Ed25519). */
export async function verifySignature(registry: RegistryClient, version: JsonRecord): Promise<void> {
  const signature = recordIn(version['signature'] ?? {});
  const name = fullName(version);
  const keyid = textIn(signature, 'keyid');
  const keys = recordsIn(recordIn(await registry.call('GET', '/keys'))['keys']);
  const key = keys.find((one) => textIn(one, 'keyid') === keyid);
  if (key === undefined)
    throw failed(
      `${name} is signed with the key "${keyid}", which the registry does not list`,
      'nothing was installed',
    );
  const signed = Buffer.from(`${name}:${textIn(version, 'sha256')}`);
  if (isSigned(signed, textIn(key, 'public_key'), textIn(signature, 'sig'))) return;
  throw failed(
    `the signature of ${name} is wrong: the version is not what the registry has signed`,
    'nothing was installed; tell the operator of the registry',
  );
}

function isSigned(signed: Uint8Array, publicKey: string, signature: string): boolean {
  try {
    return verify(null, signed, createPublicKey(publicKey), Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}
