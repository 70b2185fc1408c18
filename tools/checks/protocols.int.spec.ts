import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { generateProtocols, protocols } from './protocols.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const KEPT = ['libs/contracts/proto', 'libs/internal-api/src/generated'];
const PROTO = 'libs/contracts/proto/heddle/worker/v1/worker.proto';

describe('the check of the worker protocol', { timeout: 60_000 }, () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'heddle-protocol-check-'));
    for (const path of KEPT) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      cpSync(join(ROOT, path), join(root, path), { recursive: true });
    }
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const edit = (from: string, to: string, proto = PROTO): void => {
    const text = readFileSync(join(root, proto), 'utf8');
    if (!text.includes(from)) throw new Error(`${proto} does not hold ${from}`);
    writeFileSync(join(root, proto), text.replace(from, to));
  };

  it('refuses a change that a landed worker cannot read, and does not write it', () => {
    edit('uint64 received = 2;', 'string received = 2;');
    expect(protocols(root).join('\n')).toContain('Slots');
    expect(generateProtocols(root).join('\n')).toContain('Slots');
  });

  it('refuses names that buf does not want', () => {
    edit('uint32 free = 1;', 'uint32 freeSlots = 1;');
    expect(protocols(root).join('\n')).toContain('lower_snake_case');
  });

  it('refuses that a call which landed callers repeat becomes one that may be sent once', () => {
    edit('{ option idempotency_level = IDEMPOTENT; }', ';', 'libs/contracts/proto/heddle/logs/v1/logs.proto');
    expect(protocols(root).join('\n')).toContain('idempotency_level');
  });

  it('makes the list of repeatable calls of the protos', () => {
    const list = join(root, 'libs/internal-api/src/generated/repeatable-calls.ts');
    writeFileSync(list, readFileSync(list, 'utf8').replace(/^.*JobsService\/Submit'.*\n/m, ''));
    expect(protocols(root)).toEqual([expect.stringContaining('repeatable-calls.ts is not made of')]);
  });

  it('wants the code and the image to be made of the protocol', () => {
    edit('uint64 received = 2;', 'uint64 received = 2;\n  bool paused = 3;');
    expect(protocols(root)).toHaveLength(2);
    expect(generateProtocols(root)).toEqual([]);
    expect(protocols(root)).toEqual([]);
  });
});
