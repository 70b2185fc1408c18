import { describe, expect, it } from 'vitest';
import { given } from './given-when-then.fixture.js';
import { bytes, extraction, publication, VERSION_BLOCKED, VERSION_STORIES, versionAfter } from './registry.fixture.js';
import type { RegistryEventData, ScanFinding, VersionEvent } from './registry.events.js';
import {
  deleteVersion,
  deprecate,
  endExtraction,
  endScan,
  evolveVersion,
  expire,
  publish,
  requestReview,
  review,
  setClasses,
  upload,
  wantsClasses,
} from './version.js';
import type { VersionState } from './version.js';

const AT = '2026-01-02T00:00:00.000Z';
const after = (story: string): VersionState => versionAfter(...VERSION_STORIES[story]!)!;
const then = (state: VersionState, ...events: readonly VersionEvent[]): VersionState =>
  events.reduce((now, event) => evolveVersion(now, event, AT)!, state);
const aFinding = (severity: string): ScanFinding => ({
  ...{ issue_type: 'eval-exec', severity, file_path: 'a.py', line_number: 1, code_snippet: '', message: '' },
});

describe('a number that nobody has published', () => {
  it('is pending, with the first upload URL', () => {
    const outcome = given<VersionState | null>(null).when((state) => publish(state, publication));
    outcome.then({ type: 'VersionPublished', data: { ...publication, upload: 1 } });
    const state = evolveVersion(null, outcome.events[0]!, AT);
    expect(state).toMatchObject({ status: 'pending', upload: 1, bytes: null, findings: null, extraction: null });
  });

  it('is nobody while its stream has not begun', () => {
    expect(evolveVersion(null, VERSION_BLOCKED, AT)).toBeNull();
  });
});

describe('a version without bytes', () => {
  it('is published again with other metadata and another URL, and the first URL is good no more', () => {
    const data = { ...publication, sha256: 'cd'.repeat(32) };
    const { events } = given(after('open')).when((state) => publish(state, data));
    const again = then(after('open'), ...events);
    expect(again).toMatchObject({ upload: 2, wantedSha256: data.sha256, streamVersion: 2, publishedAt: AT });
    expect(again.createdAt).toBe(after('open').createdAt);
    given(again)
      .when((state) => upload(state, 1, bytes))
      .thenRejected('replaced');
    given(again)
      .when((state) => upload(state, 2, bytes))
      .then({ type: 'VersionUploaded', data: bytes });
  });

  it('ends when they do not come in time, and its number stays open', () => {
    const { events } = given(after('open')).when((state) => expire(state, 'heddle', 'late'));
    const ended = then(after('open'), ...events);
    expect(ended).toMatchObject({ status: 'deleted', reason: 'late' });
    given(ended)
      .when((state) => upload(state, 1, bytes))
      .thenRejected('not_pending');
    const { events: published } = given(ended).when((state) => publish(state, publication));
    expect(then(ended, ...published)).toMatchObject({ upload: 2, status: 'pending', bytes: null, reason: '' });
  });

  it('has nothing to scan, and no classes', () => {
    given(after('open'))
      .when((state) => endScan(state, { actor: 'heddle', findings: [] }, true))
      .thenNothing();
    given(after('open'))
      .when((state) => setClasses(state, extraction))
      .thenRejected('no_bytes');
  });
});

describe('the bytes of a version', () => {
  it('come once', () => {
    const { events } = given(after('open')).when((state) => upload(state, 1, bytes));
    const uploaded = then(after('open'), ...events);
    const { actor: _, ...stored } = bytes;
    expect(uploaded.bytes).toEqual(stored);
    given(uploaded)
      .when((state) => upload(state, 1, bytes))
      .thenRejected('already_uploaded');
  });

  it('close the number in every status, after its deletion too', () => {
    for (const story of ['waiting', 'active', 'flagged', 'banned', 'deleted']) {
      given(after(story))
        .when((state) => publish(state, publication))
        .thenRejected('version_exists');
    }
  });

  it('do not expire', () => {
    given(after('waiting'))
      .when((state) => expire(state, 'heddle', 'late'))
      .thenNothing();
  });
});

describe('a scan', () => {
  const scanned = (findings: readonly ScanFinding[]): RegistryEventData['VersionScanned'] => ({
    actor: 'heddle',
    findings,
  });

  it('flags a version for what blocks, and names only that as the reason', () => {
    const findings = [aFinding('warn'), aFinding('block')];
    const { events } = given(after('waiting')).when((state) => endScan(state, scanned(findings), false));
    const flagged = then(after('waiting'), ...events);
    expect(flagged).toMatchObject({ status: 'flagged', findings });
    expect(JSON.parse(flagged.reason)).toEqual([aFinding('block')]);
  });

  it('flags nothing for what only warns', () => {
    const { events } = given(after('waiting')).when((state) => endScan(state, scanned([aFinding('warn')]), false));
    expect(then(after('waiting'), ...events)).toMatchObject({ status: 'active', reason: '' });
  });

  it('that ended before is not written twice, unless it was asked for again', () => {
    given(after('active'))
      .when((state) => endScan(state, scanned([]), false))
      .thenNothing();
    given(after('active'))
      .when((state) => endScan(state, scanned([]), true))
      .then({ type: 'VersionScanned', data: scanned([]) });
  });

  it('of a version that was banned meanwhile changes its findings alone', () => {
    const { events } = given(after('banned')).when((state) => endScan(state, scanned([aFinding('block')]), true));
    expect(then(after('banned'), ...events)).toMatchObject({ status: 'banned', reason: 'why' });
  });
});

describe('the classes of a version', () => {
  const found = { ...extraction, actor: 'heddle' };
  const failed = { ...found, status: 'failed', reason: 'too large', classes: 0 } as const;

  it('are those that Heddle found, once', () => {
    const { events } = given(after('active')).when((state) => endExtraction(state, found, false));
    const extracted = then(after('active'), ...events);
    expect(extracted.extraction).toMatchObject({ classes: 1, external: false });
    given(extracted)
      .when((state) => endExtraction(state, found, true))
      .thenNothing();
  });

  it('are looked for again with a rescan where they were not found', () => {
    const { events } = given(after('active')).when((state) => endExtraction(state, failed, false));
    const unread = then(after('active'), ...events);
    expect(wantsClasses(unread, false)).toBe(false);
    given(unread)
      .when((state) => endExtraction(state, found, true))
      .then({ type: 'VersionExtracted', data: { ...found, external: false } });
  });

  it('are replaced by those of the operator once, and never by those that Heddle finds', () => {
    const { events } = given(after('active')).when((state) => setClasses(state, { ...failed, actor: 'admin' }));
    const posted = then(after('active'), ...events);
    expect(posted.extraction).toMatchObject({ status: 'failed', external: true });
    given(posted)
      .when((state) => setClasses(state, found))
      .thenRejected('already_posted');
    given(posted)
      .when((state) => endExtraction(state, found, true))
      .thenNothing();
  });
});

describe('a deprecation', () => {
  const changed = (change: Parameters<typeof deprecate>[1], before = after('active')): VersionState =>
    then(before, ...given(before).when((state) => deprecate(state, change, 'token:t')).events);

  it('has a reason, which ends with it', () => {
    const deprecated = changed({ deprecated: true, reason: 'use 2.0.0' });
    expect(deprecated).toMatchObject({ deprecated: true, deprecatedReason: 'use 2.0.0', status: 'active' });
    expect(changed({ deprecated: false }, deprecated)).toMatchObject({ deprecated: false, deprecatedReason: '' });
  });

  it('keeps its reason where another one is not given, and the changelog changes alone', () => {
    const deprecated = changed({ deprecated: true, reason: 'use 2.0.0' });
    const described = changed({ changelog: 'fixed' }, deprecated);
    expect(described).toMatchObject({ deprecated: true, deprecatedReason: 'use 2.0.0', text: { changelog: 'fixed' } });
  });

  it.each(['banned', 'deleted'])('of a %s version is rejected', (story) => {
    given(after(story))
      .when((state) => deprecate(state, { deprecated: true }, 'token:t'))
      .thenRejected(story);
  });
});

describe('the end of a version', () => {
  it('is written once', () => {
    const { events } = given(after('flagged')).when((state) => deleteVersion(state, 'token:t', 'old'));
    const deleted = then(after('flagged'), ...events);
    expect(deleted).toMatchObject({ status: 'deleted', reason: 'old' });
    given(deleted)
      .when((state) => deleteVersion(state, 'token:t', 'old'))
      .thenNothing();
  });

  it('does not end a ban', () => {
    given(after('banned'))
      .when((state) => deleteVersion(state, 'token:t', 'old'))
      .thenRejected('banned');
  });
});

describe('a review', () => {
  it('is asked for while the version is flagged', () => {
    given(after('flagged'))
      .when((state) => requestReview(state, 'token:t', 'it is harmless'))
      .then({ type: 'ReviewRequested', data: { actor: 'token:t', message: 'it is harmless' } });
    given(after('active'))
      .when((state) => requestReview(state, 'token:t', ''))
      .thenRejected('not_flagged');
  });

  it('sets the status with its reason, and says nothing twice', () => {
    const { events } = given(after('flagged')).when((state) => review(state, 'active', 'admin', 'read it'));
    const reviewed = then(after('flagged'), ...events);
    expect(reviewed).toMatchObject({ status: 'active', reason: 'read it' });
    given(reviewed)
      .when((state) => review(state, 'active', 'admin', 'read it'))
      .thenNothing();
    given(reviewed)
      .when((state) => review(state, 'active', 'admin', 'read it twice'))
      .then({ type: 'VersionReviewed', data: { actor: 'admin', status: 'active', reason: 'read it twice' } });
  });

  it('brings a deleted version back where bytes exist', () => {
    const { events } = given(after('deleted')).when((state) => review(state, 'active', 'admin', 'an error'));
    expect(then(after('deleted'), ...events).status).toBe('active');
    given(after('expired'))
      .when((state) => review(state, 'active', 'admin', 'an error'))
      .thenRejected('no_bytes');
  });
});
