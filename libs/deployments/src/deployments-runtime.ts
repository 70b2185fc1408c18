import { BackgroundLogger } from '@heddle/platform-database';
import { Inject, Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { DEPLOYMENT_DIRECTORY, DEPLOYMENT_FEED } from '@heddle/contracts-messages';
import type { DeploymentFeed } from '@heddle/contracts-messages';
import { Sequencer } from '@heddle/platform-event-log';
import { DeploymentLog } from './commit-events/deployment-log.js';
import { DefaultDeployment } from './create-deployment/default-deployment.js';
import { DirectoryFollower } from './follow-directory/directory-follower.js';
import { MemoryDirectory } from './follow-directory/memory-directory.js';
import { directoryEntry } from './show-deployments/deployment-view.js';
import { LookRepeater } from './watch-workers/look-repeater.js';

/** The directory of this process: fed by its own commits at once, and by the others' through the feed. */
@Injectable()
export class OwnDirectory {
  readonly follower: DirectoryFollower;

  constructor(
    log: DeploymentLog,
    logger: BackgroundLogger,
    @Inject(DEPLOYMENT_FEED) feed: DeploymentFeed,
    @Inject(DEPLOYMENT_DIRECTORY) directory: MemoryDirectory,
  ) {
    this.follower = new DirectoryFollower(feed, directory, {
      waitMs: 0,
      onError: (error) => logger.error('the directory of deployments was not read', error),
    });
    log.onCommitted((deployment, events) => {
      directory.apply({ entries: [directoryEntry(deployment)] });
      const { label, stage, reason } = deployment.state.facts;
      const { status } = deployment.state;
      logger.info('a deployment changed', { label, stage, status, reason, events: events.map(({ type }) => type) });
    });
  }
}

/** Starts and stops what runs beside the calls: numbers for the log, the directory, and the looks at workers. */
@Injectable()
export class DeploymentsRuntime implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly sequencer: Sequencer,
    private readonly looks: LookRepeater,
    private readonly directory: OwnDirectory,
    private readonly first: DefaultDeployment,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.first.make();
    await this.directory.follower.read();
    this.directory.follower.start();
    this.sequencer.start();
    this.looks.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.looks.stop();
    await this.directory.follower.stop();
    await this.sequencer.stop();
  }
}
