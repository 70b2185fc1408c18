import { describe, expect, it } from 'vitest';
import { readSettings } from './settings.js';

describe('the ports of the API and of health', () => {
  it('lie a thousand apart, unless both are given', () => {
    expect(readSettings({ HEDDLE_PORT: '8200' }).effectiveOpsPort).toBe(9200);
    expect(readSettings({ HEDDLE_PORT: '64600', HEDDLE_OPS_PORT: '64601' }).effectiveOpsPort).toBe(64601);
    expect(readSettings({ HEDDLE_PORT: '0' }).effectiveOpsPort).toBe(0);
    expect(readSettings({ HEDDLE_PORT: '0', HEDDLE_OPS_PORT: '0' }).effectiveOpsPort).toBe(0);
  });

  it('are refused where there is no such port, or both are one', () => {
    expect(() => readSettings({ HEDDLE_PORT: '64600' })).toThrow('HEDDLE_OPS_PORT would be 65600');
    expect(() => readSettings({ HEDDLE_PORT: '8200', HEDDLE_OPS_PORT: '8200' })).toThrow('are both 8200');
  });
});

describe('the life of signed URLs', () => {
  const managed = { HEDDLE_SURFACE: 'managed' };

  it('ends a quarter of an hour before bytes are deleted, or the start is refused', () => {
    expect(readSettings({ ...managed, HEDDLE_SIGNED_URL_S: '21600' }).signedUrl).toBe(21_600);
    expect(() => readSettings({ ...managed, HEDDLE_SIGNED_URL_S: '21601' })).toThrow(
      'HEDDLE_SIGNED_URL_S 21601 is too long: the bytes of a deleted asset are kept for HEDDLE_BLOB_GRACE_S (22500). Set it to 21600 or less, or raise HEDDLE_BLOB_GRACE_S to 22501 or more',
    );
    expect(() => readSettings({ ...managed, HEDDLE_BLOB_GRACE_S: '22499' })).toThrow(
      'HEDDLE_SIGNED_URL_S 21600 is too',
    );
    expect(readSettings({ ...managed, HEDDLE_SIGNED_URL_S: '604800', HEDDLE_BLOB_GRACE_S: '605700' }).signedUrl).toBe(
      604_800,
    );
  });

  it('is of no matter on self-hosted, which has none', () => {
    expect(readSettings({ HEDDLE_BLOB_GRACE_S: '0' }).blobGrace).toBe(0);
  });
});
