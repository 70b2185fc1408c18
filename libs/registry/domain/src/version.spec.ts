import { given } from '@heddle/testing-decisions';
import { describe, expect, it } from 'vitest';
import {
  aBannedVersion,
  aDeletedVersion,
  aFlaggedVersion,
  anActiveVersion,
  anExpiredVersion,
  anOpenVersion,
  aWaitingVersion,
  bytes,
  extraction,
  noVersion,
  publication,
  VERSION_BLOCKED,
  VERSION_CLEAN,
  VERSION_STORIES,
} from './registry.fixture.js';
import type { RegistryEvent, ScanFinding } from './registry.events.js';
import {
  deleteVersion,
  deprecate,
  endExtraction,
  endScan,
  expire,
  publish,
  requestReview,
  review,
  setClasses,
  upload,
  wantsClasses,
} from './version.js';

const aFinding = (severity: string): ScanFinding => ({
  ...{ issue_type: 'eval-exec', severity, file_path: 'a.py', line_number: 1, code_snippet: '', message: '' },
});
const published = (number: number, data = publication): RegistryEvent<'VersionPublished'> => ({
  type: 'VersionPublished',
  data: { ...data, upload: number },
});

describe('a number that nobody has published', () => {
  it('is pending, with the first upload URL', () => {
    const state = given(noVersion)
      .when((version) => publish(version, publication))
      .then(published(1));
    expect(state).toMatchObject({ status: 'pending', upload: 1, bytes: null, findings: null, extraction: null });
  });

  it('is nobody while its stream has not begun', () => {
    expect(noVersion.and(VERSION_BLOCKED).state()).toBeNull();
  });
});

describe('a version without bytes', () => {
  it('is published again with other metadata and another URL, and the first URL is good no more', () => {
    const data = { ...publication, sha256: 'cd'.repeat(32) };
    const state = given(anOpenVersion)
      .when((version) => publish(version, data))
      .then(published(2, data));
    const times = { createdAt: '2026-01-01T00:00:00.000Z', publishedAt: '2026-01-01T00:00:01.000Z' };
    expect(state).toMatchObject({ upload: 2, wantedSha256: data.sha256, streamVersion: 2, ...times });
    const again = anOpenVersion.and(published(2, data));
    given(again)
      .when((version) => upload(version, 1, bytes))
      .thenRejected('replaced');
    given(again)
      .when((version) => upload(version, 2, bytes))
      .then({ type: 'VersionUploaded', data: bytes });
  });

  it('ends when they do not come in time, and its number stays open', () => {
    const late = { type: 'VersionDeleted', data: { actor: 'heddle', reason: 'late' } } as const;
    const state = given(anOpenVersion)
      .when((version) => expire(version, 'heddle', 'late'))
      .then(late);
    expect(state).toMatchObject({ status: 'deleted', reason: 'late' });
    const ended = anOpenVersion.and(late);
    given(ended)
      .when((version) => upload(version, 1, bytes))
      .thenRejected('not_pending');
    const back = given(ended)
      .when((version) => publish(version, publication))
      .then(published(2));
    expect(back).toMatchObject({ upload: 2, status: 'pending', bytes: null, reason: '' });
  });

  it('has nothing to scan, and no classes', () => {
    given(anOpenVersion)
      .when((version) => endScan(version, { actor: 'heddle', findings: [] }, true))
      .thenNothing();
    given(anOpenVersion)
      .when((version) => setClasses(version, extraction))
      .thenRejected('no_bytes');
  });
});

describe('the bytes of a version', () => {
  it('come once', () => {
    const uploaded = { type: 'VersionUploaded', data: bytes } as const;
    const state = given(anOpenVersion)
      .when((version) => upload(version, 1, bytes))
      .then(uploaded);
    const { actor: _, ...stored } = bytes;
    expect(state.bytes).toEqual(stored);
    given(anOpenVersion.and(uploaded))
      .when((version) => upload(version, 1, bytes))
      .thenRejected('already_uploaded');
  });

  it.each(['waiting', 'active', 'flagged', 'banned', 'deleted'])('close the number of a version: %s', (story) => {
    given(VERSION_STORIES[story]!)
      .when((version) => publish(version, publication))
      .thenRejected('version_exists');
  });

  it('do not expire', () => {
    given(aWaitingVersion)
      .when((version) => expire(version, 'heddle', 'late'))
      .thenNothing();
  });
});

describe('a scan', () => {
  const scanned = (...findings: readonly ScanFinding[]): RegistryEvent<'VersionScanned'> => ({
    type: 'VersionScanned',
    data: { actor: 'heddle', findings },
  });

  it('flags a version for what blocks, and names only that as the reason', () => {
    const found = scanned(aFinding('warn'), aFinding('block'));
    const state = given(aWaitingVersion)
      .when((version) => endScan(version, found.data, false))
      .then(found);
    expect(state).toMatchObject({ status: 'flagged', findings: found.data.findings });
    expect(JSON.parse(state.reason)).toEqual([aFinding('block')]);
  });

  it('flags nothing for what only warns', () => {
    const found = scanned(aFinding('warn'));
    const state = given(aWaitingVersion)
      .when((version) => endScan(version, found.data, false))
      .then(found);
    expect(state).toMatchObject({ status: 'active', reason: '' });
  });

  it('that ended before is not written twice, unless it was asked for again', () => {
    given(anActiveVersion)
      .when((version) => endScan(version, scanned().data, false))
      .thenNothing();
    given(anActiveVersion)
      .when((version) => endScan(version, scanned().data, true))
      .then(VERSION_CLEAN);
  });

  it('of a version that was banned meanwhile changes its findings alone', () => {
    const found = scanned(aFinding('block'));
    const state = given(aBannedVersion)
      .when((version) => endScan(version, found.data, true))
      .then(found);
    expect(state).toMatchObject({ status: 'banned', reason: 'why', findings: found.data.findings });
  });
});

describe('the classes of a version', () => {
  const found = { ...extraction, actor: 'heddle' };
  const failed = { ...found, status: 'failed', reason: 'too large', classes: 0 } as const;

  it('are those that Heddle found, once', () => {
    const extracted = { type: 'VersionExtracted', data: { ...found, external: false } } as const;
    const state = given(anActiveVersion)
      .when((version) => endExtraction(version, found, false))
      .then(extracted);
    expect(state.extraction).toMatchObject({ classes: 1, external: false });
    given(anActiveVersion.and(extracted))
      .when((version) => endExtraction(version, found, true))
      .thenNothing();
  });

  it('are looked for again with a rescan where they were not found', () => {
    const unread = { type: 'VersionExtracted', data: { ...failed, external: false } } as const;
    const state = given(anActiveVersion)
      .when((version) => endExtraction(version, failed, false))
      .then(unread);
    expect(wantsClasses(state, false)).toBe(false);
    given(anActiveVersion.and(unread))
      .when((version) => endExtraction(version, found, true))
      .then({ type: 'VersionExtracted', data: { ...found, external: false } });
  });

  it('are replaced by those of the operator once, and never by those that Heddle finds', () => {
    const posted = { type: 'VersionExtracted', data: { ...failed, actor: 'admin', external: true } } as const;
    const state = given(anActiveVersion)
      .when((version) => setClasses(version, { ...failed, actor: 'admin' }))
      .then(posted);
    expect(state.extraction).toMatchObject({ status: 'failed', external: true });
    given(anActiveVersion.and(posted))
      .when((version) => setClasses(version, found))
      .thenRejected('already_posted');
    given(anActiveVersion.and(posted))
      .when((version) => endExtraction(version, found, true))
      .thenNothing();
  });
});

describe('a deprecation', () => {
  const data = { actor: 'token:t', deprecated: true, reason: 'use 2.0.0', changelog: '' };
  const deprecated = anActiveVersion.and({ type: 'VersionDeprecated', data });

  it('has a reason, which ends with it', () => {
    const state = given(anActiveVersion)
      .when((version) => deprecate(version, { deprecated: true, reason: 'use 2.0.0' }, 'token:t'))
      .then({ type: 'VersionDeprecated', data });
    expect(state).toMatchObject({ deprecated: true, deprecatedReason: 'use 2.0.0', status: 'active' });
    const ended = given(deprecated)
      .when((version) => deprecate(version, { deprecated: false }, 'token:t'))
      .then({ type: 'VersionDeprecated', data: { ...data, deprecated: false, reason: '' } });
    expect(ended).toMatchObject({ deprecated: false, deprecatedReason: '' });
  });

  it('keeps its reason where another one is not given, and the changelog changes alone', () => {
    const state = given(deprecated)
      .when((version) => deprecate(version, { changelog: 'fixed' }, 'token:t'))
      .then({ type: 'VersionDeprecated', data: { ...data, changelog: 'fixed' } });
    expect(state).toMatchObject({ deprecated: true, deprecatedReason: 'use 2.0.0', text: { changelog: 'fixed' } });
  });

  it.each(['banned', 'deleted'])('of a %s version is rejected', (story) => {
    given(VERSION_STORIES[story]!)
      .when((version) => deprecate(version, { deprecated: true }, 'token:t'))
      .thenRejected(story);
  });
});

describe('the end of a version', () => {
  it('is written once', () => {
    const deleted = { type: 'VersionDeleted', data: { actor: 'token:t', reason: 'old' } } as const;
    const state = given(aFlaggedVersion)
      .when((version) => deleteVersion(version, 'token:t', 'old'))
      .then(deleted);
    expect(state).toMatchObject({ status: 'deleted', reason: 'old' });
    given(aFlaggedVersion.and(deleted))
      .when((version) => deleteVersion(version, 'token:t', 'old'))
      .thenNothing();
  });

  it('does not end a ban', () => {
    given(aBannedVersion)
      .when((version) => deleteVersion(version, 'token:t', 'old'))
      .thenRejected('banned');
  });
});

describe('a review', () => {
  const reviewed = (reason: string): RegistryEvent<'VersionReviewed'> => ({
    type: 'VersionReviewed',
    data: { actor: 'admin', status: 'active', reason },
  });

  it('is asked for while the version is flagged', () => {
    given(aFlaggedVersion)
      .when((version) => requestReview(version, 'token:t', 'it is harmless'))
      .then({ type: 'ReviewRequested', data: { actor: 'token:t', message: 'it is harmless' } });
    given(anActiveVersion)
      .when((version) => requestReview(version, 'token:t', ''))
      .thenRejected('not_flagged');
  });

  it('sets the status with its reason, and says nothing twice', () => {
    const state = given(aFlaggedVersion)
      .when((version) => review(version, 'active', 'admin', 'read it'))
      .then(reviewed('read it'));
    expect(state).toMatchObject({ status: 'active', reason: 'read it' });
    const known = aFlaggedVersion.and(reviewed('read it'));
    given(known)
      .when((version) => review(version, 'active', 'admin', 'read it'))
      .thenNothing();
    given(known)
      .when((version) => review(version, 'active', 'admin', 'read it twice'))
      .then(reviewed('read it twice'));
  });

  it('brings a deleted version back where bytes exist', () => {
    const state = given(aDeletedVersion)
      .when((version) => review(version, 'active', 'admin', 'an error'))
      .then(reviewed('an error'));
    expect(state.status).toBe('active');
    given(anExpiredVersion)
      .when((version) => review(version, 'active', 'admin', 'an error'))
      .thenRejected('no_bytes');
  });
});
