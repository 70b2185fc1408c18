import { resolve } from 'node:path';
import type { AssetsSettings } from '@heddle/assets';
import type { BuiltinEngineOptions } from '@heddle/engine-builtin';
import type { ComfyUiOptions } from '@heddle/engine-comfyui';
import { GatewaySettings } from '@heddle/gateway';
import type { JobsSettings } from '@heddle/jobs';
import { HTTP_DEFAULTS } from '@heddle/platform-http';
import type { HttpLimits } from '@heddle/platform-http';
import { ValidationLimits } from '@heddle/validation';
import { WORKER_DEFAULTS } from '@heddle/worker';
import type { WorkerSettings } from '@heddle/worker';
import type { Settings } from './settings/settings.js';

const MEBIBYTE = 1024 * 1024;
const ms = (seconds: number): number => seconds * 1000;

/** The environment's settings in each service's own terms. */
export function gatewaySettings(settings: Settings): GatewaySettings {
  return new GatewaySettings({
    surface: settings.surface,
    staticToken: settings.staticToken,
    publicBaseUrl: settings.publicBaseUrl,
    trustForwarded: settings.trustForwarded,
    allowedHosts: settings.allowedHosts,
    corsOrigins: settings.corsOrigins,
    urlExpiry: settings.urlExpiry,
    readRate: settings.readRate,
    readBurst: settings.readBurst,
    uploadRequestBytes: settings.uploadBytes + settings.uploadOverheadBytes,
    streamsPerAccount: settings.streamsAccount,
    streamsPerProcess: settings.streams,
    heartbeatMs: ms(settings.heartbeat),
    stalledMs: ms(settings.stalled),
  });
}

export function httpLimits(settings: Settings): HttpLimits {
  const requestTimeoutMs = Math.max(HTTP_DEFAULTS.requestTimeoutMs, ms(settings.uploadTimeout) + 30_000);
  return {
    ...HTTP_DEFAULTS,
    bodyBytes: settings.bodyBytes,
    urlBytes: settings.urlBytes,
    headerBytes: settings.headerBytes,
    headerCount: settings.headerLines,
    bodyTimeoutMs: ms(settings.bodyTimeout),
    headersTimeoutMs: ms(settings.headersTimeout),
    requestTimeoutMs,
  };
}

export function jobsSettings(settings: Settings): Partial<JobsSettings> {
  return {
    surface: settings.surface,
    queueDepthAccount: settings.queueDepthAccount,
    queueDepth: settings.queueDepth,
    retentionMs: ms(settings.jobRetention),
    maxRuntimeMs: ms(settings.maxRuntime),
    maxQueueWaitMs: ms(settings.maxQueueWait),
    leaseMs: ms(settings.lease),
    maxAttempts: settings.maxAttempts,
    cancelGraceMs: ms(settings.cancelGrace),
    retryDelayMs: ms(settings.retryDelay),
    keyLifeMs: ms(settings.keyLife),
    peerBeatMs: ms(settings.peerBeat),
    clockToleranceMs: ms(settings.clockTolerance),
  };
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
  return new ValidationLimits({
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
  });
}

export function workerSettings(settings: Settings): WorkerSettings {
  return {
    ...WORKER_DEFAULTS,
    slots: settings.workers,
    maxOutputs: settings.maxOutputs,
    maxPreviewBytes: settings.previewBytes,
    maxOutputBytes: settings.outputBytes,
    drainMs: ms(settings.drain),
    outageMs: ms(settings.assetsOutage),
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
