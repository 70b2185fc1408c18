import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { declareSettings, readDeclared } from './declare-settings.js';
import { optionalText } from './setting-kinds.js';
import { SettingRefused } from './setting.js';

const folder = mkdtempSync(join(tmpdir(), 'heddle-setting-file-'));
const file = join(folder, 'secret');
const TABLE = declareSettings('process', {
  token: optionalText('TOKEN_X', { meaning: 'a secret', secret: true }),
  publicKey: optionalText('KEY_X', { meaning: 'a long text', fromFile: true }),
  place: optionalText('PLACE_X', { meaning: 'a plain text' }),
});

function read(env: Record<string, string>): unknown {
  return readDeclared(TABLE, env);
}

function refusal(env: Record<string, string>): string {
  try {
    read(env);
  } catch (error) {
    if (error instanceof SettingRefused) return error.message;
  }
  return 'nothing was refused';
}

afterAll(() => rmSync(folder, { recursive: true }));

describe('a setting that a file holds', () => {
  it.each([
    ['one\n', 'one'],
    ['one\r\n', 'one'],
    ['one', 'one'],
    ['one\n\n', 'one\n'],
    [' one ', ' one '],
  ])('has the text %j less one trailing newline', (text, value) => {
    writeFileSync(file, text);
    const none = { token: null, publicKey: null, place: null };
    expect(read({ HEDDLE_TOKEN_X_FILE: file })).toEqual({ ...none, token: value });
    expect(read({ HEDDLE_KEY_X_FILE: file, HEDDLE_KEY_X: '' })).toEqual({ ...none, publicKey: value });
    expect(read({ HEDDLE_PLACE_X_FILE: file })).toEqual(none);
  });

  it('is refused beside its variable, without either text', () => {
    writeFileSync(file, 'canary');
    expect(refusal({ HEDDLE_TOKEN_X_FILE: file, HEDDLE_TOKEN_X: 'canary' })).toBe(
      'HEDDLE_TOKEN_X and HEDDLE_TOKEN_X_FILE are both set: unset one of them',
    );
  });

  it('is refused where the file is missing, a folder or empty, with every other problem', () => {
    writeFileSync(file, '\n');
    const missing = join(folder, 'missing');
    expect(refusal({ HEDDLE_TOKEN_X_FILE: missing, HEDDLE_KEY_X_FILE: file })).toBe(
      `HEDDLE_TOKEN_X_FILE: ${missing} does not exist\nHEDDLE_KEY_X_FILE: ${file} is empty`,
    );
    expect(refusal({ HEDDLE_TOKEN_X_FILE: folder })).toBe(`HEDDLE_TOKEN_X_FILE: ${folder} is a folder, not a file`);
  });
});
