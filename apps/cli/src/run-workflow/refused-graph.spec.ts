import { expect, it } from 'vitest';
import { ApiError } from '../api/api-error.js';
import { ListedFailure } from '../failure.js';
import { readCatalogue } from '../validate-graphs/read-catalogue.js';
import { refusedGraph } from './refused-graph.js';

it('shows the asset that the service takes a file name for', async () => {
  const graph = { '1': { class_type: 'LoadImage', inputs: { image: 'photos/lake.jgp' } } };
  const words = 'No asset or input file is named photos/lake.jgp.';
  const hint = 'Did you mean photos/lake.jpg?';
  const message = `The workflow has 1 problem in 1 node. Node 1, image: ${words} ${hint}`;
  const details = { node_errors: { '1': [{ field: 'image', reason: 'value_not_in_list' }] } };
  const head = { status: 422, retryAfterSeconds: null, requestId: null };
  const refused = new ApiError(head, { code: 'invalid_workflow', message, details });
  const shown = await refusedGraph(refused, graph, () => readCatalogue(null));
  expect(shown).toBeInstanceOf(ListedFailure);
  // `heddle validate` would only say the same again.
  expect((shown as ListedFailure).nextStep).toBeNull();
  expect((shown as ListedFailure).lines).toEqual([`  node 1, image: ${words} ${hint} (value_not_in_list)`]);
});

it.each([
  [['1'], '--input 1.image=FILE uploads a file and puts it in'],
  [['1', '2'], '--input 1.image=FILE --input 2.image=FILE uploads files and puts them in'],
])('says how a file that the service does not have gets there: nodes %j', async (ids, step) => {
  const node = { class_type: 'LoadImage', inputs: { image: 'lake-at-dusk.jpg' } };
  const graph = Object.fromEntries(ids.map((id) => [id, node]));
  const node_errors = Object.fromEntries(ids.map((id) => [id, [{ field: 'image', reason: 'value_not_in_list' }]]));
  const head = { status: 422, retryAfterSeconds: null, requestId: null };
  const error = { code: 'invalid_workflow', message: 'The workflow has problems.', details: { node_errors } };
  const shown = await refusedGraph(new ApiError(head, error), graph, () => readCatalogue(null));
  expect((shown as ListedFailure).nextStep).toBe(step);
});

it('names the package of every unknown class, also of those that the message leaves out', async () => {
  const graph = { '1': { class_type: 'NotHere', inputs: {} } };
  const named = { node_id: 'image-tools', version: '1.2.0' };
  const details = { node_errors: { '1': [{ field: 'class_type', reason: 'unknown_node_class', package: named }] } };
  const head = { status: 422, retryAfterSeconds: null, requestId: null };
  const refused = new ApiError(head, { code: 'invalid_workflow', message: 'The workflow has problems.', details });
  const shown = await refusedGraph(refused, graph, () => readCatalogue(null));
  expect((shown as ListedFailure).lines.join()).toMatch(
    /The package image-tools@1\.2\.0 of the registry has this class\. heddle registry install image-tools@1\.2\.0 --into DIR/,
  );
});
