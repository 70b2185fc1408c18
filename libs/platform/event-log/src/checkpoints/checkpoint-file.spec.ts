import { describe, expect, it } from 'vitest';
import { checkpointFileName, checkpointFileSeq, checkpointJson, readCheckpoint } from './checkpoint-file.js';
import type { SignedCheckpoint } from './signed-checkpoint.js';

const SIGNED: SignedCheckpoint = {
  logId: '0199f2a4-7c11-4d9e-a1f0-3b6f2f1c9d10',
  seq: 12_345n,
  chain: Buffer.alloc(32, 0xab),
  recordedAt: '2026-11-23T11:20:00.000Z',
  keyId: '0123456789abcdef',
  signature: Buffer.alloc(64, 7),
};
const fields = JSON.parse(checkpointJson(SIGNED)) as Record<string, unknown>;

describe('the file of a checkpoint', () => {
  it('is one line of JSON with every number and byte as text', () => {
    expect(checkpointJson(SIGNED)).toBe(
      `{"format":"heddle-checkpoint","format_version":1,"log_id":"0199f2a4-7c11-4d9e-a1f0-3b6f2f1c9d10","seq":"12345",` +
        `"chain":"${'ab'.repeat(32)}","recorded_at":"2026-11-23T11:20:00.000Z","key_id":"0123456789abcdef",` +
        `"signature":"${SIGNED.signature.toString('base64')}"}\n`,
    );
    expect(readCheckpoint(checkpointJson(SIGNED))).toEqual(SIGNED);
  });

  it('has a name of 20 digits, and no other name is one', () => {
    expect(checkpointFileName(12_345n)).toBe('00000000000000012345.json');
    expect(checkpointFileSeq('00000000000000012345.json')).toBe(12_345n);
    for (const name of ['12345.json', '.00000000000000012345.json', '00000000000000012345.json.tmp', 'key.pub.pem'])
      expect(checkpointFileSeq(name)).toBeNull();
  });

  it.each([
    ['junk', 'not json', /not a JSON object/],
    ['a list', 'null', /not a JSON object/],
    ['another format', JSON.stringify({ ...fields, format: 'x' }), /format is not/],
    ['a newer form', JSON.stringify({ ...fields, format_version: 2 }), /format_version is not 1/],
    ...Object.entries({
      log_id: 'x',
      seq: '0',
      chain: 'ab',
      recorded_at: 'today',
      key_id: null,
      signature: 'AAAA',
    }).map(
      ([name, value]) => [name, JSON.stringify({ ...fields, [name]: value }), new RegExp(`its ${name} is`)] as const,
    ),
    ['a seq beyond 64 bits', JSON.stringify({ ...fields, seq: '12345678901234567890' }), /its seq is/],
  ] as const)('is refused with a reason: %s', (_, text, reason) => {
    expect(() => readCheckpoint(text)).toThrow(reason);
  });
});
