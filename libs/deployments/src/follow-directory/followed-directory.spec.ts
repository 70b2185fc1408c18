import { setImmediate as turn } from 'node:timers/promises';
import type { DeploymentFeed, DirectoryChanges, DirectoryEntry } from '@heddle/contracts-messages';
import { expect, it } from 'vitest';
import { describeDeploymentDirectory } from './deployment-directory.suite.js';
import { FollowedDirectory } from './followed-directory.js';

/** Answers each call with the next entries that it is given. */
class GivenFeed implements DeploymentFeed {
  #told = Promise.withResolvers<readonly DirectoryEntry[]>();
  #asked = Promise.withResolvers<void>();

  async changes(): Promise<DirectoryChanges> {
    this.#asked.resolve();
    return { entries: await this.#told.promise, next: '1' };
  }

  /** Resolves when the follower has taken them. */
  async tell(entries: readonly DirectoryEntry[]): Promise<void> {
    await this.#asked.promise;
    const told = this.#told;
    this.#asked = Promise.withResolvers();
    this.#told = Promise.withResolvers();
    told.resolve(entries);
    await turn();
  }
}

describeDeploymentDirectory('the directory that follows a feed', async () => {
  const feed = new GivenFeed();
  const directory = new FollowedDirectory(feed, () => expect.unreachable());
  const started = directory.start(new AbortController().signal);
  return await Promise.resolve({
    directory,
    hear: async (...entries) => {
      await feed.tell(entries);
      await started;
    },
    end: async () => await directory.stop(),
  });
});

it('the directory that follows a feed fails each look-up before the first answer', async () => {
  const directory = new FollowedDirectory(new GivenFeed(), () => undefined);
  const stopping = new AbortController();
  const started = directory.start(stopping.signal);
  expect(() => directory.find('alpha', 'production')).toThrow('not known yet');
  expect([directory.isRead, directory.ageS, directory.trouble]).toEqual([
    false,
    -1,
    'the deployments were not read yet',
  ]);
  stopping.abort();
  await started;
  await directory.stop();
});
