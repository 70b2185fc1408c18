// Keys and certificates of the cluster, by openssl. They live a year: the cluster is for development.
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toolOutput } from '../run-tool.ts';

const DAYS = '365';
const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

export interface Subject {
  readonly commonName: string;
  readonly organization?: string;
  /** e.g. `DNS:localhost` or `IP:127.0.0.1`; none: a client. */
  readonly names?: readonly string[];
}

/** A certificate authority in a folder. What it has made before, it does not make again. */
export class CertificateAuthority {
  readonly certificate: string;
  readonly key: string;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.certificate = join(folder, 'ca.crt');
    this.key = join(folder, 'ca.key');
  }

  async create(commonName: string): Promise<void> {
    if (existsSync(this.certificate)) return;
    const usage = ['-addext', 'keyUsage=critical,keyCertSign,cRLSign,digitalSignature'];
    await openssl(['-subj', `/CN=${commonName}`, ...usage, ...outputs(this)]);
  }

  async issue(file: string, subject: Subject): Promise<CertificateFiles> {
    const made = { certificate: join(this.#folder, `${file}.crt`), key: join(this.#folder, `${file}.key`) };
    if (existsSync(made.certificate)) return made;
    const { commonName, organization, names = [] } = subject;
    const name = `${organization === undefined ? '' : `/O=${organization}`}/CN=${commonName}`;
    const usage = names.length === 0 ? 'clientAuth' : 'serverAuth,clientAuth';
    const extensions = ['basicConstraints=critical,CA:FALSE', `extendedKeyUsage=${usage}`];
    if (names.length > 0) extensions.push(`subjectAltName=${names.join(',')}`);
    const added = extensions.flatMap((extension) => ['-addext', extension]);
    await openssl(['-CA', this.certificate, '-CAkey', this.key, '-subj', name, ...added, ...outputs(made)]);
    return made;
  }
}

/** Signs tokens of service accounts. */
export function serviceAccountKeys(folder: string): CertificateFiles {
  const files = { certificate: join(folder, 'service-accounts.pub'), key: join(folder, 'service-accounts.key') };
  if (!existsSync(files.key)) {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    writeFileSync(files.key, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  }
  const publicKey = createPublicKey(readFileSync(files.key));
  writeFileSync(files.certificate, publicKey.export({ type: 'spki', format: 'pem' }));
  return files;
}

const outputs = ({ certificate, key }: CertificateFiles): string[] => ['-keyout', key, '-out', certificate];

async function openssl(args: readonly string[]): Promise<void> {
  await toolOutput('openssl', ['req', '-x509', '-sha256', '-days', DAYS, ...KEY, ...args]);
}
