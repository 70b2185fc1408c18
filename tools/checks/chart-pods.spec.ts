import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const CHARTS = join(import.meta.dirname, '../../charts');
const PODS = 'templates/pods';

// A chart cannot import a file of another one, and a library chart would be a third one to install and to version.
it('both charts describe their pods with the same templates', () => {
  const files = readdirSync(join(CHARTS, 'heddle', PODS));
  expect(files.length).toBeGreaterThan(0);
  expect(readdirSync(join(CHARTS, 'heddle-deployment', PODS))).toEqual(files);
  for (const file of files) {
    const text = (chart: string): string => readFileSync(join(CHARTS, chart, PODS, file), 'utf8');
    expect(text('heddle-deployment'), file).toBe(text('heddle'));
  }
});
