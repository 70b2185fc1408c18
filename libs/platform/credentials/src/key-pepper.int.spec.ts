import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '@heddle/contracts-messages';
import { afterAll, describe, expect, it } from 'vitest';
import { CredentialDigest } from './credential-digest.js';
import { API_KEY } from './credential-form.js';
import { readPepper } from './key-pepper.js';

const folder = mkdtempSync(join(tmpdir(), 'heddle-pepper-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the pepper of keys', () => {
  it('is made once, for the owner of the file alone', () => {
    const path = join(folder, 'made');
    const made = readPepper(path, true).reveal();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(Buffer.from(made, 'base64')).toHaveLength(32);
    expect(readPepper(path, true).reveal()).toBe(made);
    expect(readFileSync(path, 'utf8').trim()).toBe(made);
  });

  it('must be given where it is not made, and must be long', () => {
    expect(() => readPepper(join(folder, 'missing'), false)).toThrow(
      /HEDDLE_KEY_PEPPER .*missing cannot be read: ENOENT/,
    );
    expect(() => readPepper(join(folder, 'no', 'folder'), true)).toThrow(/cannot be made: ENOENT/);
    const path = join(folder, 'short');
    writeFileSync(path, 'too short a pepper\n');
    expect(() => readPepper(path, true)).toThrow('must hold 32 to 4096 characters');
    expect(() => readPepper(path, true)).not.toThrow('too short a pepper');
  });

  it('is digested before the key, with SHA-256', () => {
    const key = new CredentialDigest(new Secret('pepper-')).draw(API_KEY);
    const expected = createHash('sha256').update(`pepper-${key.key.reveal()}`).digest();
    expect(key.digest).toEqual(expected);
  });
});
