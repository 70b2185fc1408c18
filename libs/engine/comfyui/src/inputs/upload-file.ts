import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { EngineFile } from '@heddle/engine-port';
import type { EngineCalls } from '../calls/engine-calls.js';
import { EngineCallError } from '../calls/call-error.js';
import { textAt } from '../calls/json-shape.js';
import { InputRefused, splitName } from './file-names.js';

/**
 * Streams a file into the engine's input folder and returns its name there. The engine skips equal bytes under that
 * name; it does not overwrite other bytes but picks another name.
 * @throws InputRefused, EngineCallError
 */
export async function uploadFile(calls: EngineCalls, file: EngineFile): Promise<string> {
  const { subfolder, filename } = splitName(file.name);
  const boundary = `heddle-${randomUUID()}`;
  const head = Buffer.from(
    `${field(boundary, 'type', 'input')}${field(boundary, 'subfolder', subfolder)}--${boundary}\r\n` +
      `Content-Disposition: form-data; name="image"; filename="${filename}"\r\n` +
      'Content-Type: application/octet-stream\r\n\r\n',
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const source = await file.open();
  const answer = await calls.send('/upload/image', {
    contentType: `multipart/form-data; boundary=${boundary}`,
    sizeBytes: head.length + file.sizeBytes + tail.length,
    content: Readable.from(around(head, source, tail), { objectMode: false }),
  });
  if (answer.status >= 500) {
    throw new EngineCallError('broken', 'POST /upload/image', `status ${answer.status}`);
  }
  if (answer.status === 413) {
    throw new InputRefused(
      `an input file of ${file.sizeBytes} bytes is larger than the engine accepts (its option --max-upload-size); ` +
        'where the engine is on this machine, the setting of its input folder avoids the upload',
    );
  }
  const name = textAt(answer.json, 'name');
  if (answer.status !== 200 || name === null) {
    throw new InputRefused(`the engine refused an input file: status ${answer.status}`);
  }
  const folder = textAt(answer.json, 'subfolder') ?? subfolder;
  const placed = folder === '' ? name : `${folder}/${name}`;
  splitName(placed);
  return placed;
}

function field(boundary: string, name: string, value: string): string {
  return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
}

async function* around(head: Buffer, source: Readable, tail: Buffer): AsyncGenerator<Buffer> {
  yield head;
  for await (const chunk of source as AsyncIterable<Buffer>) yield chunk;
  yield tail;
}
