import { expectStatus, freshPicture, assetReference, jsonOf, loadGraph, textGraph, textOf } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { expectRefusal, sameBody } from './expectations.js';
import { unknownId, useServer, waiting } from './server.js';

interface WorkflowBody {
  format: string;
  workflow: object;
}

describe('GET /api/v2/jobs/{id}/workflow', () => {
  const server = useServer(waiting);

  it('answers format api and the graph (GET workflow, rules 2 and 3) [WF01]', async () => {
    const graph = textGraph();
    const { urls } = await server.client.submitted(graph);
    const answer = expectStatus(await server.client.follow(urls.workflow), 200);
    expect(jsonOf<WorkflowBody>(answer)).toEqual({ format: 'api', workflow: graph });
  });

  it('gives the workflow back byte for byte: key order, big integers, escapes, spaces (decisions, Workflow verbatim) [JS26]', async () => {
    const workflow = [
      '{ "10" : {"inputs":{"value":"caf\\u00e9 \\/ \\ud83d\\ude00 € 💡"}, "class_type":"PrimitiveString", "_meta":{"title":null,"n":9007199254740993}},',
      '\t"2":{"class_type":"PreviewAny","inputs":{"source":["10",0]},"extra":[1.0,1e2,-0,0.1e-7,123456789012345678901234567890,[],{}]},',
      '\n"1":{"class_type":"PrimitiveInt","inputs":{"value":9223372036854775807}} }',
    ].join('');
    const answer = expectStatus(
      await server.client.submitRaw(`{"workflow":${workflow},"metadata":{"workflow":"x"}}`),
      201,
    );
    const { id } = jsonOf<{ id: string }>(answer);
    const text = textOf(expectStatus(await server.client.workflow(id), 200));
    expect(text).toContain(workflow);
  });

  it('keeps asset references as they were submitted, and never includes extra_data (GET workflow, rule 2) [WF02]', async () => {
    const asset = await server.client.uploaded({
      bytes: freshPicture(),
      content_type: 'image/png',
      file_path: 'w.png',
    });
    const graph = loadGraph(assetReference(asset.id, { file_path: 'w.png' }));
    const job = await server.client.submitted(graph, { extraData: { api_key_partner_org: 'canary-workflow' } });
    const answer = await server.client.workflow(job.id);
    expect(jsonOf<WorkflowBody>(answer).workflow).toEqual(graph);
    expect(textOf(answer)).not.toMatch(/canary|extra_data/);
  });

  it('returns what can be submitted again (GET workflow, rule 2: same shape) [WF04]', async () => {
    const { id } = await server.client.submitted(textGraph());
    const { workflow } = jsonOf<WorkflowBody>(await server.client.workflow(id));
    const again = await server.client.submitted(workflow);
    expect(again.id).not.toBe(id);
  });

  it('answers 404 under the same conditions as the job (GET workflow, 404) [JB09]', async () => {
    const answer = await server.client.workflow(unknownId());
    expectRefusal(answer, 404, 'not_found');
    sameBody(answer, await server.client.job(unknownId()));
  });

  it('answers a large workflow whole', async () => {
    const graph = { ...textGraph(), '3': { class_type: 'PrimitiveString', inputs: { value: 'ü'.repeat(400_000) } } };
    const { id } = await server.client.submitted(graph);
    expect(jsonOf<WorkflowBody>(await server.client.workflow(id)).workflow).toEqual(graph);
  });
});
