import { readSettings } from '@heddle/composition';
import { expect, it } from 'vitest';
import { startFacts } from './start-facts.js';

it('names folder and engine, and servers elsewhere without their passwords', () => {
  expect(startFacts({ settings: readSettings({ HEDDLE_DATA: '/srv/heddle' }) })).toEqual([
    ['data', '/srv/heddle'],
    ['engine', 'built-in, one job at a time'],
  ]);
  const elsewhere = {
    HEDDLE_DATA: '/srv/heddle',
    HEDDLE_DATABASE_URL: 'postgres://owner:s3cret@db.lan:5432/heddle?sslmode=require',
    HEDDLE_S3_ENDPOINT: 'http://s3.lan:9000',
    HEDDLE_S3_BUCKET: 'heddle',
    HEDDLE_S3_ACCESS_KEY: 'key',
    HEDDLE_S3_SECRET_KEY: 's3cret',
    HEDDLE_ENGINE: 'http://gpu.lan:8188',
    HEDDLE_WORKERS: '0',
  };
  expect(startFacts({ settings: readSettings(elsewhere) })).toEqual([
    ['data', '/srv/heddle'],
    ['database', 'postgres://db.lan:5432/heddle'],
    ['blobs', 'http://s3.lan:9000'],
    ['engine', 'http://gpu.lan:8188, runs no jobs (HEDDLE_WORKERS=0)'],
  ]);
});
