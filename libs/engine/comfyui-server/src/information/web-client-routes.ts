import { empty, json, text } from '../http/answer.js';
import type { HttpRoute } from '../http/route-table.js';

/**
 * Routes that clients of the engine's web pages call at their start. This engine keeps no users, settings, workflows or
 * models: it answers like a fresh one.
 */
export function webClientRoutes(modelFolders: readonly string[]): HttpRoute[] {
  return [
    {
      method: 'GET',
      path: '/',
      twin: false,
      handle: () =>
        text(200, "This is Heddle's engine. It speaks ComfyUI's HTTP and WebSocket protocol and has no web pages.\n"),
    },
    { method: 'GET', path: '/users', handle: () => json({ storage: 'server', migrated: true }) },
    { method: 'GET', path: '/settings', handle: () => json({}) },
    { method: 'GET', path: '/settings/*', handle: () => json(null) },
    { method: 'POST', path: '/settings', handle: () => empty(200) },
    { method: 'POST', path: '/settings/*', handle: () => empty(200) },
    { method: 'GET', path: '/i18n', handle: () => json({}) },
    { method: 'GET', path: '/workflow_templates', handle: () => json({}) },
    {
      method: 'GET',
      path: '/userdata',
      handle: ({ query }) =>
        query.has('dir') ? text(404, 'Directory not found') : text(400, 'Directory not provided'),
    },
    { method: 'GET', path: '/userdata/*', handle: () => empty(404) },
    { method: 'GET', path: '/v2/userdata', handle: () => text(404, 'Requested path not found') },
    {
      method: 'GET',
      path: '/experiment/models',
      handle: () => json(modelFolders.map((name) => ({ name, folders: [] }))),
    },
    {
      method: 'GET',
      path: '/experiment/models/*',
      handle: (_, [name]) => (modelFolders.includes(name!) ? json([]) : empty(404)),
    },
    { method: 'GET', path: '/view_metadata/*', handle: () => empty(404) },
    { method: 'GET', path: '/internal/logs', twin: false, handle: () => json('') },
    {
      method: 'GET',
      path: '/internal/logs/raw',
      twin: false,
      handle: () => json({ entries: [], size: { cols: 80, rows: 24 } }),
    },
    {
      method: 'GET',
      path: '/ws',
      handle: () => text(400, 'No WebSocket UPGRADE hdr: None\n Can "Upgrade" only to "WebSocket".'),
    },
  ];
}
