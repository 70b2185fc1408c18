import { describe, expect, it } from 'vitest';
import { decideDeletion } from './deletion.js';

const table = `
held by a job | output of a retained job | moderation hold | decision
no            | no                       | no              | deleted
no            | no                       | yes             | asset_in_use
no            | yes                      | no              | asset_in_use
no            | yes                      | yes             | asset_in_use
yes           | no                       | no              | asset_in_use
yes           | no                       | yes             | asset_in_use
yes           | yes                      | no              | asset_in_use
yes           | yes                      | yes             | asset_in_use
`;
const rows = table
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('|').map((cell) => cell.trim()));

describe('the deletion of a record (decisions, Holds)', () => {
  it('has a row for each combination of holds', () => {
    expect(new Set(rows.map((row) => row.slice(0, 3).join())).size).toBe(2 ** 3);
  });

  it.each(rows)('held %s, output %s, moderated %s: %s', (job, output, moderation, decision) => {
    const use = {
      heldByJob: job === 'yes',
      outputOfRetainedJob: output === 'yes',
      moderationHold: moderation === 'yes',
    };
    expect(decideDeletion(use)).toEqual(
      decision === 'deleted' ? { ok: true, events: ['deleted'] } : { ok: false, rejection: 'asset_in_use' },
    );
  });
});
