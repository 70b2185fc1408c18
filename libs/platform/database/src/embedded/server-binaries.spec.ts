import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { linkLibraries } from './server-binaries.js';

describe('the binaries of an installation without install scripts', () => {
  it('get the library links that the scripts would have made', () => {
    const native = mkdtempSync(join(tmpdir(), 'heddle-native-'));
    mkdirSync(join(native, 'lib'));
    writeFileSync(join(native, 'lib', 'libz.so.1.2'), 'code');
    writeFileSync(
      join(native, 'pg-symlinks.json'),
      JSON.stringify([{ source: 'native/lib/libz.so.1.2', target: 'native/lib/libz.so.1' }]),
    );
    expect(linkLibraries(native)).toBe(true);
    expect(linkLibraries(native)).toBe(true);
    expect(readFileSync(join(native, 'lib', 'libz.so.1'), 'utf8')).toBe('code');
    rmSync(native, { recursive: true });
  });
});
