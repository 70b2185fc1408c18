// Credentials of a release that end soon, or have ended.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { heddleJson } from '../../tools/kube/cluster/heddle-command.ts';
import { SECRETS } from '../../tools/kube/cluster/heddle-values.ts';
import { toolOutput } from '../../tools/kube/run-tool.ts';
import { IN, type NodeKube } from './real-kube.fixture.ts';

/** The shortest that `heddle service-token` makes. */
export const TOKEN_LIFE_MS = 60_000;
const IDENTITY = 'heddle-identity';
const TOKEN = 'worker-token';

const AUTHORITY = `
[ca]
default_ca = own
[own]
database = index.txt
new_certs_dir = .
serial = serial
default_md = sha256
policy = names
unique_subject = no
copy_extensions = copy
[names]
commonName = supplied
`;

/** Gives the workers of the shared pool a token that ends after a minute; returns what gives them the one they had. */
export async function giveShortToken(kube: NodeKube): Promise<() => Promise<void>> {
  const before = await valueOf(kube, IDENTITY, TOKEN);
  const words = ['service-token', 'worker', '--key', kube.keys.signingKey, '--deployment', 'managed', '--minutes', '1'];
  const [made] = await heddleJson(words);
  await put(kube, IDENTITY, { [TOKEN]: `${String(made?.['token'])}\n` });
  return async () => await put(kube, IDENTITY, { [TOKEN]: before });
}

/** Gives every component a certificate that ends at an instant; returns what gives them the one they had. */
export async function giveCertificateUntil(kube: NodeKube, end: Date): Promise<() => Promise<void>> {
  const before = {
    'tls.crt': await valueOf(kube, SECRETS.calls, 'tls.crt'),
    'tls.key': await valueOf(kube, SECRETS.calls, 'tls.key'),
  };
  await put(kube, SECRETS.calls, await certificateUntil(kube, end));
  return async () => await put(kube, SECRETS.calls, before);
}

async function certificateUntil({ places }: NodeKube, end: Date): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-authority-'));
  const file = (name: string): string => join(folder, name);
  const own = (name: string): string => join(places.certificates, name);
  try {
    const config = AUTHORITY.replaceAll(' = index.txt', ` = ${file('index.txt')}`)
      .replace(' = .\n', ` = ${folder}\n`)
      .replace(' = serial\n', ` = ${file('serial')}\n`);
    for (const [name, text] of Object.entries({ 'index.txt': '', serial: '01\n', 'ca.cnf': config }))
      await writeFile(file(name), text);
    const text = await toolOutput('openssl', ['x509', '-in', own('calls.crt'), '-noout', '-ext', 'subjectAltName']);
    const names = text.split('\n').slice(1).join('').replaceAll(' ', '');
    const request = ['-new', '-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
    const asked = ['-subj', '/CN=heddle-calls', '-addext', `subjectAltName=${names}`];
    await toolOutput('openssl', ['req', ...request, ...asked, '-keyout', file('tls.key'), '-out', file('request')]);
    await toolOutput('openssl', [
      ...['ca', '-batch', '-notext', '-config', file('ca.cnf'), '-cert', own('ca.crt'), '-keyfile', own('ca.key')],
      ...['-startdate', utcOf(new Date(Date.now() - 3_600_000)), '-enddate', utcOf(end)],
      ...['-in', file('request'), '-out', file('tls.crt')],
    ]);
    const read = async (name: string): Promise<string> => await readFile(file(name), 'utf8');
    return { 'tls.crt': await read('tls.crt'), 'tls.key': await read('tls.key') };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** As openssl reads an instant: YYYYMMDDHHMMSSZ. */
const utcOf = (instant: Date): string => `${instant.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`;

async function valueOf({ kubectl }: NodeKube, secret: string, key: string): Promise<string> {
  const text = await kubectl.run('get', 'secret', secret, ...IN, '-o', 'json');
  const { data } = JSON.parse(text) as { readonly data: Readonly<Record<string, string>> };
  return Buffer.from(data[key] ?? '', 'base64').toString();
}

async function put({ kubectl }: NodeKube, secret: string, stringData: Record<string, string>): Promise<void> {
  await kubectl.run('patch', 'secret', secret, ...IN, '--type', 'merge', '--patch', JSON.stringify({ stringData }));
}
