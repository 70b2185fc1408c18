import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { CHARTS, ciValues, furtherTools, run, template } from './charts.ts';
import { SCORE_EXCEPTIONS } from './score-exceptions.ts';

/** What kube-score prints of an object. A grade of ten is a pass. */
interface Scored {
  readonly type_meta: { readonly kind: string };
  readonly object_meta: { readonly name: string };
  readonly checks: readonly {
    readonly check: { readonly id: string };
    readonly grade: number;
    readonly skipped: boolean;
    readonly comments: readonly { readonly path: string; readonly summary: string }[] | null;
  }[];
}

interface Finding {
  readonly check: string;
  readonly summary: string;
  readonly object: string;
}

const MAX_WARNING_GRADE = 5;

async function findings(manifests: string): Promise<Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-score-'));
  const file = join(folder, 'rendered.yaml');
  await writeFile(file, manifests);
  const args = ['score', '--output-format', 'json', '--kubernetes-version', 'v1.36', file];
  const { out, error } = await run((await furtherTools()).kubeScore, args);
  await rm(folder, { recursive: true });
  expect(error).toBe('');
  return (JSON.parse(out) as Scored[]).flatMap(({ type_meta: type, object_meta: meta, checks }) =>
    checks
      .filter(({ grade, skipped }) => !skipped && grade <= MAX_WARNING_GRADE)
      .flatMap(({ check, comments }) =>
        (comments ?? []).map(({ summary }) => ({
          check: check.id,
          summary,
          object: `${type.kind} ${meta.name.replace(/^(heddle|demo-heddle|demo)-/, '')}`,
        })),
      ),
  );
}

const excepted = ({ check, summary, object }: Finding): boolean =>
  SCORE_EXCEPTIONS.some((one) => one.check === check && one.summary === summary && one.objects.test(object));

describe('kube-score', () => {
  let found: Finding[];
  beforeAll(async () => {
    const renders = CHARTS.flatMap((chart) => ciValues(chart).map((values) => ({ chart, values })));
    found = [];
    for (const { chart, values } of renders) found.push(...(await findings((await template(chart, values)).out)));
  });

  it('finds nothing in the charts that is not on the list of exceptions', () => {
    expect(found.filter((finding) => !excepted(finding))).toEqual([]);
  });

  it('still finds each exception of the list', () => {
    const unused = SCORE_EXCEPTIONS.filter(
      (one) => !found.some((finding) => finding.check === one.check && finding.summary === one.summary),
    );
    expect(unused).toEqual([]);
  });

  it('finds a container without a memory limit, so that the above says something', async () => {
    const { out } = await template('heddle', 'self-hosted-values.yaml');
    const without = out.replaceAll(/\n *limits:\n *memory: \S+/g, '');
    expect(without).not.toBe(out);
    expect((await findings(without)).filter((finding) => !excepted(finding))).toContainEqual({
      check: 'container-resources',
      summary: 'Memory limit is not set',
      object: 'Deployment jobs',
    });
  });
});
