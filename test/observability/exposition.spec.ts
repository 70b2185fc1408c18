import { describe, expect, it } from 'vitest';
import { parseExposition } from './exposition.js';

const HEAD = '# HELP a_total Things\n# TYPE a_total counter\n';
const HISTOGRAM = '# HELP h_seconds T\n# TYPE h_seconds histogram\n';

describe('the strict reader of metrics', () => {
  it('reads samples, labels and histograms', () => {
    const text = `${HEAD}a_total{kind="x"} 2\n${HISTOGRAM}h_seconds_bucket{le="1"} 1\nh_seconds_bucket{le="+Inf"} 2\nh_seconds_sum 3.5\nh_seconds_count 2\n`;
    const [counter, histogram] = parseExposition(text);
    expect(counter?.samples).toEqual([{ name: 'a_total', labels: { kind: 'x' }, value: 2 }]);
    expect(histogram?.samples).toHaveLength(4);
  });

  it.each([
    ['no end of line', `${HEAD}a_total 1`],
    ['a sample of nobody', 'a_total 1\n'],
    ['a sample of another metric', `${HEAD}b_total 1\n`],
    ['a series twice', `${HEAD}a_total 1\na_total 1\n`],
    ['a metric twice', `${HEAD}${HEAD}`],
    ['a label without quotes', `${HEAD}a_total{kind=x} 1\n`],
    ['a label twice', `${HEAD}a_total{kind="x",kind="y"} 1\n`],
    ['text for a number', `${HEAD}a_total one\n`],
    ['a counter below zero', `${HEAD}a_total -1\n`],
    ['a type without help', '# TYPE a_total counter\n'],
    ['buckets that fall', `${HISTOGRAM}h_seconds_bucket{le="1"} 2\nh_seconds_bucket{le="+Inf"} 1\nh_seconds_count 1\n`],
    ['a count that is not that of the buckets', `${HISTOGRAM}h_seconds_bucket{le="+Inf"} 1\nh_seconds_count 2\n`],
  ])('refuses %s', (_, text) => expect(() => parseExposition(text)).toThrow());
});
