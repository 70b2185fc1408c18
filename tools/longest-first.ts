import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** Slow specs in small files: one at the end of a part would run alone. */
const LONG = [
  'apps/cli/src/demo/demo.e2e',
  'libs/engine/comfyui/src/run-prompt/engine-faults.int',
  'libs/platform/database/src/embedded/embedded-postgres.int',
  'libs/platform/message-bus/src/kafka-bus/kafka-recovery.int',
  'test/api/job-deadlines.e2e',
  'test/api/job-engine-faults.e2e',
  'test/api/job-restarts.e2e',
  'test/chaos/campaign/campaign.e2e',
  'test/chaos/failpoints.assets.e2e',
  'test/chaos/failpoints.jobs.e2e',
  'test/clients/python-sdk.e2e',
  'test/proxy/huge-answers.e2e',
  'test/scenarios/cluster-faults.e2e',
  'test/upgrade/upgrade.e2e',
];

/** Vitest starts with failed, slow or large files; these come before. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => LONG.some((path) => moduleId.includes(path));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
