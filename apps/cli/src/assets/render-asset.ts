import type { WireAsset } from '../api/wire.js';
import { plainText } from '../terminal/plain-text.js';
import { byteText } from '../terminal/quantities.js';
import type { Terminal } from '../terminal/terminal.js';

function renderAsset(asset: WireAsset): string[] {
  const facts: [string, string | null][] = [
    ['asset', asset.id],
    ['path', asset.filePath],
    ['type', asset.contentType],
    ['size', asset.sizeBytes === null ? null : byteText(asset.sizeBytes)],
    ['hash', asset.hash],
    ['created', asset.createdAt],
    ['expires', asset.expiresAt ?? 'never'],
  ];
  return facts.flatMap(([name, value]) => (value === null ? [] : [`${name.padEnd(8)} ${plainText(value)}`]));
}

export function printAsset(asset: WireAsset, terminal: Terminal): void {
  terminal.printJson(asset.body);
  if (!terminal.json) for (const line of renderAsset(asset)) terminal.print(line);
}
