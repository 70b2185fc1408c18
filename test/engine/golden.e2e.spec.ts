import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ComfyUiEngine } from '@heddle/engine-comfyui';
import { RecordingObserver } from '@heddle/testing-engine';
import { outputDifferences } from './picture-differences.js';
import { ENGINE_URL } from './real-engine.js';
import { asRun, CASES } from './recorded-cases.js';

// Runs recorded graphs through the driver on a running engine, and compares pixel by pixel.
describe('a recorded graph on a real engine', () => {
  const engine = new ComfyUiEngine({ url: ENGINE_URL });
  const total = { graphs: 0, pictures: 0, exact: 0, refused: 0, failed: 0 };
  beforeAll(async () => {
    await engine.whenReady(AbortSignal.timeout(20_000));
    await engine.objectInfo();
  });
  afterAll(async () => {
    console.log(`${engine.environment}: ${JSON.stringify(total)}`);
    await engine.close();
  });

  it.each(CASES.map((recorded) => [recorded.name, recorded] as const))(
    '%s gives what was recorded',
    async (_, recorded) => {
      const observer = new RecordingObserver();
      const { workflow, files } = asRun(recorded);
      const request = { runId: crypto.randomUUID(), workflow, files };
      const outcome = await engine.run(request, observer, new AbortController().signal);
      total.graphs += 1;
      const isOlder = engine.environment.startsWith('comfyui/0.3.');
      const answers =
        isOlder && recorded.expect_0_3_64 ? [recorded.expect_0_3_64] : [recorded.expect, recorded.expect_0_3_64];
      if (recorded.name === 'one_bad_branch') {
        // The engine would run the valid half; Heddle refuses the whole graph.
        expect(outcome).toMatchObject({ kind: 'failed', code: 'engine_error' });
        expect(observer.outputs).toEqual([]);
        total.refused += 1;
        return;
      }
      const problems: string[][] = [];
      for (const answer of answers) {
        if (answer === undefined) continue;
        const found: string[] = [];
        if (answer.status === 'error') {
          total.failed += 1;
          expect(outcome).toMatchObject({
            kind: 'failed',
            nodeId: answer.error?.node_id,
            classType: answer.error?.node_type,
          });
        } else if (outcome.kind !== 'succeeded') found.push(`ended ${JSON.stringify(outcome)}`);
        // The printed tensor depends on the version of its library.
        if (recorded.name === 'preview_any_image') return;
        const tolerance = recorded.decoder_sensitive === true ? 255 : Math.max(recorded.max_abs_diff, 0);
        found.push(
          ...(await outputDifferences(answer, observer.outputs, tolerance, (pictures, exact) => {
            total.pictures += pictures;
            total.exact += exact;
          })),
        );
        problems.push(found);
        if (found.length === 0) break;
      }
      if (!problems.some((found) => found.length === 0)) expect.fail(JSON.stringify(problems));
    },
  );
});
