import { readFileSync, writeFileSync } from 'node:fs';
import { stringify } from 'yaml';
import type { CertificateFiles } from './certificates.ts';

export interface KubeconfigPlan {
  readonly server: string;
  readonly authority: string;
  readonly client: CertificateFiles;
}

const NAME = 'heddle';

/** With the certificates inside, so that the file works wherever it is copied. */
export function writeKubeconfig(file: string, { server, authority, client }: KubeconfigPlan): string {
  const inline = (path: string): string => readFileSync(path).toString('base64');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': NAME,
    clusters: [{ name: NAME, cluster: { server, 'certificate-authority-data': inline(authority) } }],
    users: [
      {
        name: NAME,
        user: { 'client-certificate-data': inline(client.certificate), 'client-key-data': inline(client.key) },
      },
    ],
    contexts: [{ name: NAME, context: { cluster: NAME, user: NAME } }],
  };
  writeFileSync(file, stringify(config), { mode: 0o600 });
  return file;
}
