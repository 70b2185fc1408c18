import { resolve } from 'node:path';
import type { AssetsSettings } from '@heddle/assets';
import type { BuiltinEngineOptions } from '@heddle/engine-builtin';
import type { ComfyUiOptions } from '@heddle/engine-comfyui';
import type { GatewaySettings } from '@heddle/gateway';
import type { JobsSettings } from '@heddle/jobs';
import type { ConnectionLimits } from '@heddle/platform-http/connection-guard';
import type { ValidationLimits } from '@heddle/validation';
import { answeredHosts } from './process/listen-address.js';
import type { Settings } from './settings/settings.js';

const MEBIBYTE = 1024 * 1024;
const ms = (seconds: number): number => seconds * 1000;

/** The environment's settings in each service's own terms. */
export function gatewaySettings(settings: Settings): Partial<GatewaySettings> {
  return {
    surface: settings.surface,
    staticToken: settings.staticToken,
    publicBaseUrl: settings.publicBaseUrl,
    trustForwarded: settings.trustForwarded,
    allowedHosts: answeredHosts(settings),
    corsOrigins: settings.corsOrigins,
    urlExpiry: settings.urlExpiry,
    readRate: settings.readRate,
    readBurst: settings.readBurst,
    uploadRequestBytes: settings.uploadBytes + settings.uploadOverheadBytes,
    streamsPerAccount: settings.streamsAccount,
    streamsPerProcess: settings.streams,
    heartbeatMs: ms(settings.heartbeat),
    stalledMs: ms(settings.stalled),
  };
}

/** Of every port of a process, and of the bodies that it holds on them. */
export interface NetworkLimits {
  readonly connections: ConnectionLimits;
  readonly bodyBudgetBytes: number;
  /** For a head to arrive. */
  readonly headMs: number;
}

export function networkLimits(settings: Settings): NetworkLimits {
  return {
    connections: {
      connections: settings.connections,
      unauthenticated: settings.unauthenticatedConnections,
      stalledMs: ms(settings.stalled),
    },
    bodyBudgetBytes: settings.bodyBudget,
    headMs: ms(settings.headersTimeout),
  };
}

export function jobsSettings(settings: Settings): Partial<JobsSettings> {
  return {
    surface: settings.surface,
    queueDepthAccount: settings.queueDepthAccount,
    queueDepth: settings.queueDepth,
    retentionMs: ms(settings.jobRetention),
    logPartitionMs: ms(settings.logPartition),
    checkpointMs: ms(settings.checkpointInterval),
    maxRuntimeMs: ms(settings.maxRuntime),
    maxQueueWaitMs: ms(settings.maxQueueWait),
    leaseMs: ms(settings.lease),
    maxAttempts: settings.maxAttempts,
    cancelGraceMs: ms(settings.cancelGrace),
    snapshotAlarmMs: ms(settings.snapshotAlarm),
    retryDelayMs: ms(settings.retryDelay),
    keyLifeMs: ms(settings.keyLife),
    peerBeatMs: ms(settings.peerBeat),
    clockToleranceMs: ms(settings.clockTolerance),
  };
}

/** Where checkpoints of the log lie; `otherwise` where no setting says: null for the database alone. */
export function checkpointsOf(
  { checkpoints, checkpointKey }: Settings,
  otherwise: string | null,
): { readonly folder: string; readonly keyFile: string | null } | null {
  const folder = checkpoints ?? otherwise;
  return folder === null ? null : { folder: resolve(folder), keyFile: checkpointKey };
}

export function assetsSettings(settings: Settings): Partial<AssetsSettings> {
  return {
    uploadBytes: settings.uploadBytes,
    uploadTimeoutMs: ms(settings.uploadTimeout),
    uploadRetentionMs: settings.uploadRetention === null ? null : ms(settings.uploadRetention),
    blobGraceMs: ms(settings.blobGrace),
    sweepIntervalMs: ms(settings.assetSweep),
    outputBytes: settings.outputBytes,
    dedupDisclosure: settings.dedupDisclosure,
    uploadOverheadBytes: settings.uploadOverheadBytes,
    parts: settings.uploadParts,
    partHeadBytes: settings.partHeadBytes,
    fieldBytes: settings.fieldBytes,
    slowBodyBytesPerSecond: settings.slowBodyRate,
    slowBodyWindowMs: ms(settings.slowBodyWindow),
    keyLifeMs: ms(settings.keyLife),
    provisionalHoldMs: ms(settings.provisionalHold),
    scrubBytesPerSecond: settings.scrubRate,
    scrubPassMs: ms(settings.scrubPass),
    strayAgeMs: ms(settings.strayAge),
    strayPassMs: ms(settings.strayPass),
    removeStrays: settings.removeStrays,
    unconfirmedOutputMs: ms(settings.unconfirmedOutput),
  };
}

export function validationLimits(settings: Settings): ValidationLimits {
  return {
    graph: {
      maxNodes: settings.graphNodes,
      maxLinks: settings.graphLinks,
      maxInputsPerNode: settings.nodeInputs,
      maxNodeIdBytes: settings.nodeIdBytes,
      maxStringBytes: settings.stringBytes,
      maxAssetReferences: settings.assetReferences,
    },
    submission: {
      maxDepth: settings.jsonDepth,
      maxKeys: settings.jsonKeys,
      maxNumberLength: settings.numberDigits,
      maxCredentialBytes: settings.credentialBytes,
    },
  };
}

/** Of a real engine at a URL. */
export function comfyUiOptions(settings: Settings): ComfyUiOptions {
  const { engine: url, engineInputFolder: path, engineInputKeep } = settings;
  return { url, ...(path === null ? {} : { inputFolder: { path: resolve(path), keepMs: ms(engineInputKeep) } }) };
}

export function engineOptions(settings: Settings): BuiltinEngineOptions {
  return {
    processes: Math.max(1, settings.workers),
    pixelBytes: settings.engineMemory * MEBIBYTE,
    cacheBytes: settings.engineCache * MEBIBYTE,
  };
}
