import { join } from 'node:path';
import type { ApiClient } from '../api/api-client.js';
import type { WireJob } from '../api/wire.js';
import { plainText } from '../terminal/plain-text.js';
import { byteText } from '../terminal/quantities.js';
import { renderTable } from '../terminal/table.js';
import type { Terminal } from '../terminal/terminal.js';
import { downloadContent } from './download-content.js';
import type { Download } from './download-content.js';
import { safeName } from './safe-name.js';

interface DownloadTarget {
  readonly folder: string;
  readonly overwrite: boolean;
}

/** Downloads every output of a job into a folder and prints a table; with null it only lists them. */
export async function downloadOutputs(
  client: ApiClient,
  job: WireJob,
  target: DownloadTarget | null,
  terminal: Terminal,
): Promise<void> {
  const rows: string[][] = [];
  for (const output of job.outputs) {
    const download = target === null ? null : await fetchOne(client, output, { ...target, jobId: job.id });
    if (download !== null)
      terminal.printJson({ event: 'downloaded', node_id: output.nodeId, id: output.id, ...wire(download) });
    const size = download?.sizeBytes ?? output.sizeBytes;
    rows.push([
      plainText(output.nodeId),
      plainText(output.type),
      size === null ? '' : byteText(size),
      plainText((output.hash ?? download?.hash ?? '').replace(/^blake3:/, '').slice(0, 12)),
      download === null ? plainText(output.id) : download.path + (download.written ? '' : ' (was there)'),
    ]);
  }
  if (terminal.json || rows.length === 0) return;
  const columns = [
    { title: 'NODE' },
    { title: 'TYPE' },
    { title: 'SIZE', align: 'right' as const },
    { title: 'BLAKE3' },
    { title: target === null ? 'ASSET' : 'FILE', whole: true },
  ];
  for (const line of renderTable(columns, rows, terminal.width)) terminal.print(line);
}

async function fetchOne(
  client: ApiClient,
  output: WireJob['outputs'][number],
  { folder, overwrite, jobId }: DownloadTarget & { readonly jobId: string },
): Promise<Download> {
  const name = safeName(output.name, `node-${safeName(output.nodeId, 'output')}`);
  const whenFull = `heddle watch ${jobId} --out DIR fetches the rest`;
  return downloadContent(client, output, { path: join(folder, name), overwrite, whenFull });
}

function wire(download: Download): object {
  return { path: download.path, size_bytes: download.sizeBytes, hash: download.hash, written: download.written };
}
