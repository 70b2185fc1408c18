import { describe, expect, it } from 'vitest';
import { readJob } from '../api/wire.js';
import type { WireJob } from '../api/wire.js';
import { textWidth } from '../terminal/text-width.js';
import { renderJobDetails, renderJobs } from './render-jobs.js';

const NOW = Date.parse('2026-11-21T08:00:00Z');
const VIEW = { columns: 80, shortIds: true, now: NOW };

function job(body: object): WireJob {
  const read = readJob({ id: '0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d10', status: 'succeeded', ...body });
  if (read === null) throw new Error('not a job');
  return read;
}

const FAILED = job({
  id: '0199f2a4-7c11-7d9e-a1f0-3b6f2f1c0001',
  status: 'failed',
  created_at: '2026-11-21T05:00:00Z',
  error: { code: 'node_execution_error', message: 'the file is not a picture', node_id: '3' },
});

describe('the table of jobs', () => {
  it('shows the end of the id, the age, how long it took, error and labels', () => {
    const done = job({ created_at: '2026-11-21T07:59:48Z', metrics: { execution_ms: 820 }, metadata: { by: 'anna' } });
    expect(renderJobs([done, FAILED], VIEW)).toEqual([
      'JOB       STATUS      AGE    TOOK  ERROR                                 LABELS',
      '2f1c9d10  succeeded  12 s  820 ms                                        by=anna',
      '2f1c0001  failed      3 h          node_execution_error in node 3: the…',
    ]);
  });

  it('leaves out columns that would be empty, and shortens no id that a program reads', () => {
    const [head, row] = renderJobs([job({ status: 'queued', queue_position: 3 })], { ...VIEW, shortIds: false });
    expect(head).toMatch(/^JOB +STATUS +AGE +TOOK$/);
    expect(row).toBe('0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d10  queued (3)');
  });

  it.each([80, 60, 40, 20])('is never wider than %i columns', (columns) => {
    const wide = job({ metadata: { note: 'x'.repeat(300) } });
    for (const line of renderJobs([wide, FAILED], { ...VIEW, columns }))
      expect(textWidth(line)).toBeLessThanOrEqual(columns);
  });
});

describe('the outputs of a job', () => {
  it('fit into 80 columns with whole ids; the media type gives way first', () => {
    const id = '0199f2a4-7c11-7d9e-a1f0-3b6f2f1c0002';
    const output = {
      id,
      node_id: '11',
      name: 'caption_00001_.txt',
      content_type: 'application/octet-stream; charset=utf-8',
      size_bytes: 900_000,
    };
    const table = (columns: number): string[] => renderJobDetails(job({ outputs: [output] }), columns).slice(-2);
    for (const line of table(80)) expect(textWidth(line)).toBeLessThanOrEqual(80);
    expect(table(80)[1]).toMatch(new RegExp(`^11    caption_.*  application?…  878.9 KiB  ${id}$|^11    caption`));
    expect(table(80)[1]).toContain(id);
    expect(table(200)[1]).toBe(`11    caption_00001_.txt  application/octet-stream  878.9 KiB  ${id}`);
  });
});

describe('the error of a job', () => {
  it('is broken between words where the terminal is too narrow', () => {
    const message = 'the file is not a picture '.repeat(8).trimEnd();
    const failed = job({ status: 'failed', error: { code: 'node_execution_error', message, node_id: '3' } });
    const lines = renderJobDetails(failed, 60);
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(60);
    expect(lines.join('\n').replace(/\n {11}/g, ' ')).toContain(`error      node_execution_error: ${message}`);
    expect(renderJobDetails(failed, Number.MAX_SAFE_INTEGER)).toContain(`error      node_execution_error: ${message}`);
  });
});
