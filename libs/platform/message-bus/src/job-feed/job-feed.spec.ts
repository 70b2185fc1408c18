import { describe, expect, it } from 'vitest';
import { JobFeed } from './job-feed.js';

describe('the feed of a job', () => {
  it('reaches its own listeners, in order, before publish returns', () => {
    const feed = new JobFeed<number>();
    const heard: string[] = [];
    feed.subscribe('a', (item) => heard.push(`first ${item}`));
    feed.subscribe('a', (item) => heard.push(`second ${item}`));
    feed.subscribe('b', (item) => heard.push(`b ${item}`));
    feed.publish('a', 1);
    feed.publish('c', 2);
    expect(heard).toEqual(['first 1', 'second 1']);
  });

  it('says who is watched, and keeps nothing of jobs that nobody watches', () => {
    const feed = new JobFeed<number>();
    const end = feed.subscribe('a', () => undefined);
    const endOther = feed.subscribe('a', () => undefined);
    expect([feed.watched('a'), feed.watched('b')]).toEqual([true, false]);
    end();
    end();
    expect(feed.watched('a')).toBe(true);
    endOther();
    expect([feed.watched('a'), feed.watchedJobs]).toEqual([false, 0]);
  });

  it('lets a listener that throws hurt nobody', () => {
    const failures: unknown[] = [];
    const feed = new JobFeed<number>((failure, jobId) => failures.push([String(failure), jobId]));
    const heard: number[] = [];
    feed.subscribe('a', () => {
      throw new Error('mine');
    });
    feed.subscribe('a', (item) => heard.push(item));
    feed.publish('a', 1);
    expect(heard).toEqual([1]);
    expect(failures).toEqual([['Error: mine', 'a']]);
  });

  it('lets listeners come and go while it publishes', () => {
    const feed = new JobFeed<number>();
    const heard: string[] = [];
    feed.subscribe('a', () => {
      endSecond();
      feed.subscribe('a', (item) => heard.push(`late ${item}`));
    });
    const endSecond = feed.subscribe('a', (item) => heard.push(`second ${item}`));
    feed.publish('a', 1);
    expect(heard).toEqual([]);
    feed.publish('a', 2);
    expect(heard).toEqual(['late 2']);
  });
});
