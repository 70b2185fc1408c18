import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { HeddleClient } from '@heddle/testing-api';
import { brokenChecks } from '../chaos/campaign/campaign-evidence.ts';
import type { BrokenCheck } from '../chaos/campaign/campaign-evidence.ts';
import { letTimePass, lookAtEverything } from '../chaos/campaign/run-campaign.ts';
import { deadLetterTopics, readTopic } from '../chaos/campaign/topic-record.ts';
import { atRest } from '../chaos/examine.ts';
import { readRun } from '../chaos/recorded-run.ts';
import { settle } from '../chaos/settle.ts';
import type { Settlement } from '../chaos/settle.ts';
import type { Build } from './builds.ts';
import type { LoadAtWork } from './load-at-work.ts';
import type { UpgradePlace } from './upgrade-place.ts';

const REST_WITHIN_MS = 60_000;

/** Where builds followed each other. */
export interface JudgedPlace extends Pick<UpgradePlace, 'owner' | 'ownerUrl' | 'url' | 'objectsFolder'> {
  readonly servers: Pick<UpgradePlace['servers'], 'brokers'>;
  /** Where the service asks for a credential. */
  readonly token?: string;
}

export interface Judgement {
  readonly settlement: Settlement;
  readonly broken: readonly BrokenCheck[];
  readonly jobs: number;
}

/** Runs every check of the campaign after the last client. The newest build reads the log, because it knows all events. */
export async function judge(place: JudgedPlace, load: LoadAtWork, newest: Build): Promise<Judgement> {
  const { owner, url, token, objectsFolder, servers, ownerUrl } = place;
  const { journal, random } = load;
  const settlement = await settle(
    { url, token, client: await HeddleClient.connect(url, token === undefined ? {} : { token }) },
    journal,
  );
  await lookAtEverything({ origin: url, token }, journal, random);
  await letTimePass(place);
  await atRest(owner, REST_WITHIN_MS);
  const client = await owner.connect();
  const run = await readRun(client, objectsFolder).finally(() => client.release());
  const [topic, deadLetters] = [await readTopic(servers.brokers), await deadLetterTopics(servers.brokers)];
  const { stdout } = await promisify(execFile)(process.execPath, ['test/upgrade/log-faults.ts', ownerUrl], {
    cwd: newest.root,
  });
  const checks = [
    ...brokenChecks({ run, journal, topic, deadLetters }),
    { name: 'I22 and I23 the chain holds, the rebuilt read model is the same', faults: JSON.parse(stdout) as string[] },
    { name: 'nothing acknowledged was lost when its client looked', faults: settlement.lost },
    { name: 'nothing was done twice when its client looked', faults: settlement.doubled },
  ];
  return { settlement, broken: checks.filter(({ faults }) => faults.length > 0), jobs: run.streams.size };
}
