export { codeOf, describe as describeAnswer, jsonOf, textOf } from './answer.js';
export { dataFiles } from './data-files.js';
export type { DataFile } from './data-files.js';
export type { Answer } from './answer.js';
export { checkAnswer } from './answer-rules.js';
export { openEventStream, isTerminalFrame, StreamRefused } from './event-stream.js';
export type { EventStream, Frame } from './event-stream.js';
export { eventually } from './eventually.js';
export { assetReference, failingGraph, loadGraph, pictureGraph, sleepingGraph, textGraph } from './graphs.js';
export type { Graph, GraphNode } from './graphs.js';
export { expectStatus, HeddleClient } from './heddle-client.js';
export type { Asked, ClientOptions } from './heddle-client.js';
export { multipart, uploadParts } from './multipart.js';
export type { Part, UploadForm } from './multipart.js';
export { OpenApiDocument } from './openapi-document.js';
export { blake3Of, freshBytes, freshPicture } from './pictures.js';
export { rawAnswers, rawConnection } from './raw-connection.js';
export type { RawAnswer, RawConnection } from './raw-connection.js';
export { send } from './send.js';
export type { Sent } from './send.js';
export { withoutUrlExpiry } from './url-expiry.js';
export { isTerminal } from './wire.js';
export type {
  Asset,
  ErrorBody,
  Job,
  JobError,
  JobPage,
  JobStatus,
  ListedJob,
  NodeErrors,
  Output,
  Progress,
} from './wire.js';
