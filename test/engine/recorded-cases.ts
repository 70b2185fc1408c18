import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { EngineFile } from '@heddle/engine-port';

/** One picture that a recorded engine saved */
export interface RecordedImage {
  readonly filename: string;
  readonly mode: string;
  readonly width: number;
  readonly height: number;
  readonly sha256?: string;
  readonly pixels_zlib_b64?: string;
  readonly frames_sha256?: readonly string[];
}

export interface Expected {
  readonly status: 'success' | 'error' | 'refused';
  readonly outputs: Readonly<Record<string, { images?: RecordedImage[]; text?: string[] }>>;
  readonly error?: { node_id: string; node_type: string; exception_message: string };
}

export interface RecordedCase {
  readonly name: string;
  readonly inputs: readonly string[];
  readonly workflow: Readonly<Record<string, unknown>>;
  readonly max_abs_diff: number;
  readonly expect: Expected;
  readonly expect_0_3_64?: Expected;
  readonly decoder_sensitive?: boolean;
}

const RECORDED = new URL('../../libs/engine/builtin/recorded/', import.meta.url);

export const CASES: readonly RecordedCase[] = readFileSync(new URL('cases.jsonl', RECORDED), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as RecordedCase);

/** The graph as a worker passes it on: input files named by their content. */
export function asRun(recorded: RecordedCase): { workflow: Buffer; files: EngineFile[] } {
  let text = JSON.stringify(recorded.workflow);
  const files = recorded.inputs.map((name) => {
    const path = fileURLToPath(new URL(`inputs/${name}`, RECORDED));
    const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
    const file = {
      name: `heddle/${hash}${/\.[a-z0-9]+$/.exec(name)?.[0] ?? ''}`,
      sizeBytes: statSync(path).size,
      open: async () => createReadStream(path),
    };
    text = text.replaceAll(JSON.stringify(name), JSON.stringify(file.name));
    return file;
  });
  return { workflow: Buffer.from(text), files };
}
