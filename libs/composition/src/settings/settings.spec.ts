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
