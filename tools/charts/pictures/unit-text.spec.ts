import { describe, expect, it } from 'vitest';
import { axisTicks } from './axis-ticks.ts';
import { unitText } from './unit-text.ts';

describe('a number of a panel', () => {
  it.each([
    [0, 's', '0 s'],
    [0.000_25, 's', '250 µs'],
    [0.25, 's', '250 ms'],
    [1.5, 's', '1.5 s'],
    [60, 's', '1 min'],
    [90, 's', '1.5 mins'],
    [7_200, 's', '2 hours'],
    [172_800, 's', '2 days'],
    [0, 'reqps', '0 req/s'],
    [2.5, 'reqps', '2.5 req/s'],
    [1_500, 'reqps', '1.5K req/s'],
    [0, 'percentunit', '0%'],
    [0.001, 'percentunit', '0.1%'],
    [1, 'percentunit', '100%'],
    [0, 'bytes', '0 B'],
    [512, 'bytes', '512 B'],
    [1_536, 'bytes', '1.5 KiB'],
    [3 * 1_024 ** 3, 'bytes', '3 GiB'],
    [0, 'short', '0'],
    [0.2, 'short', '0.2'],
    [40, 'short', '40'],
    [1_500, 'short', '1.5 K'],
    [2_000_000, 'short', '2 Mil'],
  ] as const)('%d %s is "%s", as in Grafana', (value, unit, text) => {
    expect(unitText(value, unit)).toBe(text);
  });
});

describe('the ticks of a panel', () => {
  it.each([
    [[0.4, 1.7], 's', [0, 0.5, 1, 1.5, 2]],
    [[5_400], 's', [0, 1_800, 3_600, 5_400]],
    [[3_000], 'bytes', [0, 1_024, 2_048, 3_072]],
    [[0.012], 'percentunit', [0, 0.0025, 0.005, 0.0075, 0.01, 0.0125]],
    [[1, 2], 'short', [0, 1, 2]],
    [[0.3], 'short', [0, 0.1, 0.2, 0.3]],
    [[0], 'percentunit', [0, 0.01]],
    [[], 's', [0, 1]],
  ] as const)('for %j %s are round and reach the largest value', (values, unit, ticks) => {
    expect(axisTicks(values, unit)).toEqual(ticks);
  });
});
