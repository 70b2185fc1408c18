import { describe, expect, it } from 'vitest';
import { CHARTS, ciValues, furtherTools, objectsOf, template } from './charts.ts';

const RENDERS = CHARTS.flatMap((chart) => ciValues(chart).map((values) => ({ chart, values })));

describe('Helm 3', () => {
  it.for(RENDERS)('renders $chart with $values as Helm 4 does', async ({ chart, values }) => {
    const { helm3 } = await furtherTools();
    const [newer, older] = [await template(chart, values), await template(chart, values, [], helm3)];
    expect([newer.code, newer.error, older.code]).toEqual([0, '', 0]);
    expect(objectsOf(older.out)).toEqual(objectsOf(newer.out));
  });

  it('refuses what the schema refuses', async () => {
    const { helm3 } = await furtherTools();
    const { code, error } = await template('heddle', 'managed-values.yaml', ['--set', 'colour=blue'], helm3);
    expect(code).toBe(1);
    expect(error).toContain('colour');
  });
});
