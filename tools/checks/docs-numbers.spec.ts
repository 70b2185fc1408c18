import { describe, expect, it } from 'vitest';
import { missingRows, wrongDefaults } from './limits-page.ts';
import { wrongNumbers, wrongSettings } from './numbers.ts';

const SETTINGS = [
  { name: 'LEASE_S', unit: 's', defaultText: '30' },
  { name: 'KEY_LIFE_S', unit: 's', defaultText: '86400' },
  { name: 'BODY_BYTES', unit: 'bytes', defaultText: '10485760' },
  { name: 'GRAPH_NODES', unit: 'nodes', defaultText: '5000' },
  { name: 'S3_ENDPOINT', unit: '', defaultText: 'unset' },
];

describe('the check of defaults in the page of limits', () => {
  it.each([
    '| lease | `HEDDLE_LEASE_S` | 30 s | lost |',
    '| key | `HEDDLE_KEY_LIFE_S` | 24 h | reuse |',
    '| body | `HEDDLE_BODY_BYTES` | 10 MiB | 413 |',
    '| body | `HEDDLE_BODY_BYTES` | 10,485,760 bytes | 413 |',
    '| nodes | `HEDDLE_GRAPH_NODES` | 5,000 | 422 |',
    '| store | `HEDDLE_S3_ENDPOINT` | – | – |',
    '| other | – | 17 | – |',
  ])('takes %s', (row) => expect(wrongDefaults(row, SETTINGS)).toEqual([]));

  it.each([
    '| lease | `HEDDLE_LEASE_S` | 300 s | lost |',
    '| key | `HEDDLE_KEY_LIFE_S` | 12 h | reuse |',
    '| body | `HEDDLE_BODY_BYTES` | 100 MiB | 413 |',
    '| nodes | `HEDDLE_GRAPH_NODES` | 15,000 | 422 |',
  ])('refuses %s', (row) => expect(wrongDefaults(row, SETTINGS)).toHaveLength(1));

  it('asks for the default where a setting is named first', () => {
    const page = '| lease | `HEDDLE_LEASE_S` | 30 s |\n| grace | `HEDDLE_LEASE_S` | nothing is rescued |';
    expect(wrongDefaults(page, SETTINGS)).toEqual([]);
  });
});

describe('the check of rows in the page of limits', () => {
  const range = { min: 0, max: 10, whole: true };
  const settings = [
    { name: 'LEASE_S', unit: 's', range },
    { name: 'PORT', unit: 'port', range },
    { name: 'COLD_START_S', unit: 's', range },
    { name: 'S3_ENDPOINT', unit: '' },
  ];

  it('wants one for each setting that is a number and limits something', () => {
    expect(missingRows('| lease | `HEDDLE_LEASE_S` | 30 s | lost |', settings)).toEqual([]);
    expect(missingRows('The lease is `HEDDLE_LEASE_S`.', settings)).toEqual(['has no row for HEDDLE_LEASE_S']);
  });
});

describe('the check of numbers in prose', () => {
  const fact = { pattern: /engine with ([\d,]+) node classes/, value: '1170' };
  const page = (text: string): [string, string][] => [['README.md', text]];

  it('compares every place with the code', () => {
    expect(wrongNumbers(page('an engine with 1,170 node classes'), [fact])).toEqual([]);
    expect(wrongNumbers(page('an engine with 58 node classes'), [fact])).toEqual([
      'README.md says "engine with 58 node classes", and it is 1170',
    ]);
  });

  it('wants a fact that no page states to be removed', () => {
    expect(wrongNumbers(page('nothing'), [fact])).toHaveLength(1);
  });

  it('compares what stands behind a setting with its default', () => {
    expect(wrongSettings(page('for `HEDDLE_LEASE_S` (30 seconds)'), SETTINGS)).toEqual([]);
    expect(wrongSettings(page('for `HEDDLE_LEASE_S` (300 seconds)'), SETTINGS)).toHaveLength(1);
    expect(wrongSettings(page('raise `HEDDLE_LEASE_S` (a lease)'), SETTINGS)).toEqual([]);
  });
});
