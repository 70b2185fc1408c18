import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { JsonRecord } from '../api/wire.js';
import { failed } from '../failure.js';
import { textIn } from '../registry/registry-answers.js';
import type { RegistryClient } from '../registry/registry-client.js';
import { fullName } from '../registry/render-version.js';
import { percentText, progressBar } from '../terminal/progress-bar.js';
import { fit } from '../terminal/text-width.js';
import type { Terminal } from '../terminal/terminal.js';

/** Downloads the archive of a version into a new file; fails unless it has the size and the digest of the version. */
export async function downloadArchive(
  registry: RegistryClient,
  version: JsonRecord,
  path: string,
  terminal: Terminal,
): Promise<void> {
  const size = Number(version['size_bytes']);
  const name = fullName(version);
  const hash = createHash('sha256');
  const body = await registry.stream(textIn(version, 'downloadUrl'));
  const file = await open(path, 'wx', 0o600);
  let received = 0;
  try {
    for await (const chunk of body) {
      received += chunk.length;
      if (received > size) break;
      hash.update(chunk);
      await file.write(chunk);
      terminal.draw([`${fit('download', 8)} ${progressBar(received / size, 24)} ${percentText(received / size)}`]);
    }
  } catch (error) {
    throw registry.explain(error);
  } finally {
    terminal.erase();
    await file.close();
  }
  const digest = hash.digest('hex');
  if (received === size && digest === textIn(version, 'sha256')) return;
  throw failed(
    `the archive of ${name} has not the SHA-256 digest ${textIn(version, 'sha256')} and ${size} bytes`,
    'nothing was installed; the bytes were changed on their way or at rest: try again',
  );
}
