import { buffer } from 'node:stream/consumers';
import { pause } from '../http-load.ts';
import { ZipFile } from 'yazl';

/** A registry as its clients and its operator reach it */
export interface RegistryTarget {
  readonly url: string;
  readonly opsUrl: string;
}

/** A publisher of the registry, with a token of it */
export interface BenchPublisher {
  readonly id: string;
  readonly token: string;
}

type Json = Readonly<Record<string, unknown>>;

export async function createPublisher({ url }: RegistryTarget, id: string): Promise<BenchPublisher> {
  await call(`${url}/registry/publishers`, 'POST', { id, name: id });
  const { token } = await call(`${url}/registry/publishers/${id}/tokens`, 'POST', { name: 'bench' });
  return { id, token: String(token) };
}

/** Publishes a version and uploads its archive. Resolves with the status once the version is not pending any more. */
export async function publishPackage(
  target: RegistryTarget,
  publisher: BenchPublisher,
  { node, version, archive }: { readonly node: Json; readonly version: Json; readonly archive: Buffer },
): Promise<string> {
  await putArchive(await openUpload(target, publisher, { node, version }), archive);
  return await inspected(target, String(node['id']), String(version['version']));
}

/** The status of a version once it is not pending any more */
export async function inspected({ url }: RegistryTarget, node_id: string, version: string): Promise<string> {
  const asked = { node_versions: [{ node_id, version }] };
  for (;;) {
    const answer = await call(`${url}/registry/bulk/nodes/versions`, 'POST', asked);
    const { status } = (answer as { node_versions: { node_version: Json }[] }).node_versions[0]!.node_version;
    if (status !== 'NodeVersionStatusPending') return String(status);
    await pause(20);
  }
}

/** The upload URL of a new version */
export async function openUpload(
  { url }: Pick<RegistryTarget, 'url'>,
  { id, token }: BenchPublisher,
  { node, version }: { readonly node: Json; readonly version: Json },
): Promise<string> {
  const body = { personal_access_token: token, node, node_version: version };
  const path = `${url}/registry/publishers/${id}/nodes/${String(node['id'])}/versions`;
  return String((await call(path, 'POST', body))['signedUrl']);
}

export async function putArchive(signedUrl: string, archive: Buffer): Promise<void> {
  const { status } = await fetch(signedUrl, { method: 'PUT', body: new Uint8Array(archive) });
  if (status !== 200) throw new Error(`the upload answered ${status}`);
}

export async function call(url: string, method: string, body?: Json, token?: string): Promise<Json> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${text}`);
  return JSON.parse(text) as Json;
}

/** Buffers are stored as they are. */
export async function zipOf(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, data] of Object.entries(files)) {
    zip.addBuffer(Buffer.from(data as string), name, { compress: typeof data === 'string' });
  }
  zip.end();
  return await buffer(zip.outputStream);
}
