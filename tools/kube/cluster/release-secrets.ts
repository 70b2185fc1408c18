// The Secrets of the release: those that `heddle cluster-secrets` prints, and those that its page leaves to the operator.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CertificateAuthority } from '../control-plane/certificates.ts';
import type { KubePlaces } from '../kube-places.ts';
import type { PodServers } from '../servers/start-servers.ts';
import { heddleJson } from './heddle-command.ts';
import { NAMESPACE, PLATFORM_RELEASE, SECRETS } from './heddle-values.ts';

export type ReleaseSurface = 'managed' | 'self-hosted';

export interface SecretManifest {
  readonly metadata: { readonly name: string };
  readonly stringData: Readonly<Record<string, string>>;
}

/** What a launcher or a spec uses of the Secrets. */
export interface ReleaseKeys {
  readonly apiKey: string;
  /** On the self-hosted surface. */
  readonly staticToken: string;
  readonly adminToken: string;
  /** File of the key that signs service tokens. */
  readonly signingKey: string;
}

export interface ReleaseSecrets {
  readonly manifests: readonly SecretManifest[];
  readonly keys: ReleaseKeys;
}

/** `surface`: whose deployment the workers of the platform serve. */
export async function releaseSecrets(
  { ownerUrl, s3 }: PodServers,
  places: KubePlaces,
  surface: ReleaseSurface,
): Promise<ReleaseSecrets> {
  const signingKey = join(places.certificates, 'service-tokens.pem');
  if (!existsSync(signingKey)) {
    const [pair] = await heddleJson(['service-token', '--new-key']);
    writeFileSync(signingKey, String(pair?.['private_key']), { mode: 0o600 });
  }
  const ownerFile = join(places.configs, 'owner-url');
  writeFileSync(ownerFile, ownerUrl, { mode: 0o600 });
  const files = ['--owner-url-file', ownerFile, '--signing-key', signingKey];
  const place = ['--namespace', NAMESPACE, '--release', PLATFORM_RELEASE, '--deployment', surface];
  const printed = await heddleJson(['cluster-secrets', ...files, ...place]);
  const manifests = [
    ...(printed as unknown as SecretManifest[]),
    secretManifest(SECRETS.s3, { 'access-key': s3.accessKey, 'secret-key': s3.secretKey }),
    secretManifest(SECRETS.calls, await callsCertificate(places)),
  ];
  const auth = manifests.find(({ metadata }) => metadata.name.endsWith('-auth'))?.stringData ?? {};
  const keys = {
    apiKey: auth['bootstrap-key'] ?? '',
    staticToken: auth['static-token'] ?? '',
    adminToken: auth['admin-token'] ?? '',
    signingKey,
  };
  return { manifests, keys };
}

export function secretManifest(name: string, stringData: Readonly<Record<string, string>>): SecretManifest {
  const metadata = { name, namespace: NAMESPACE };
  return { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', stringData } as SecretManifest;
}

const CALLED = ['gateway', 'validation', 'assets', 'jobs', 'logs', 'registry', 'worker'];

/** One certificate for every component, as the page about installing asks for. */
async function callsCertificate({ certificates }: KubePlaces): Promise<Record<string, string>> {
  const authority = new CertificateAuthority(certificates);
  const names = CALLED.flatMap((component) => {
    const name = `${PLATFORM_RELEASE}-${component}`;
    return [name, `${name}.${NAMESPACE}`, `${name}.${NAMESPACE}.svc`].map((one) => `DNS:${one}`);
  });
  const { certificate, key } = await authority.issue('calls', { commonName: 'heddle-calls', names });
  const text = (file: string): string => readFileSync(file, 'utf8');
  return { 'tls.crt': text(certificate), 'tls.key': text(key), 'ca.crt': text(authority.certificate) };
}
