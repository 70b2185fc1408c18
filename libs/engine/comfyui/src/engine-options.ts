/** Intervals and time-outs of the driver, in milliseconds. */
export interface EngineTiming {
  /** One call, including the last byte of the answer. An engine may pause for many seconds. */
  readonly callMs: number;
  /** Maximum time without a byte in a file transfer. */
  readonly transferIdleMs: number;
  /** Poll interval of the engine's queue while the socket is open, and while it is not. */
  readonly pollMs: number;
  readonly blindPollMs: number;
  /** A prompt that is in neither queue nor history for this long, in at least two polls, is lost. */
  readonly vanishedMs: number;
  /** An engine that refuses connections, or accepts them without answering, for this long has lost its prompts. */
  readonly unreachableMs: number;
  readonly silentMs: number;
  /** How long a canceled prompt may take to stop; then the run ends without the engine's confirmation. */
  readonly cancelMs: number;
  /** Ping interval on the socket; twice this without any message ends the connection. */
  readonly pingMs: number;
  /** Maximum pause between two attempts to connect. */
  readonly reconnectMs: number;
  /** Poll interval of the engine's node classes. */
  readonly watchMs: number;
}

/** Memory limits of the driver. */
export interface EngineLimits {
  /** Bytes of one JSON answer. */
  readonly answerBytes: number;
  /** Bytes of one socket message. */
  readonly messageBytes: number;
  /** Bytes of texts and socket images that wait for the reader, per run. */
  readonly waitingBytes: number;
  /** Outputs of one run. */
  readonly outputs: number;
}

/** The engine's own input folder, if it is on this machine. */
export interface InputFolderOptions {
  /** Absolute path. Files are written there instead of being uploaded. */
  readonly path: string;
  /** Files that no run has used for this long are removed, in milliseconds. */
  readonly keepMs: number;
}

export interface ComfyUiOptions {
  /** Address of the engine, e.g. `http://127.0.0.1:8188`. */
  readonly url: string;
  readonly timing?: Partial<EngineTiming>;
  readonly limits?: Partial<EngineLimits>;
  readonly inputFolder?: InputFolderOptions;
  /** How the engine makes previews of running samplers; default: its own option. Older engines ignore it. */
  readonly previewMethod?: 'none' | 'auto' | 'latent2rgb' | 'taesd';
}

const MEBIBYTE = 1024 * 1024;

export const ENGINE_TIMING: EngineTiming = {
  callMs: 30_000,
  transferIdleMs: 60_000,
  pollMs: 5_000,
  blindPollMs: 1_000,
  vanishedMs: 3_000,
  unreachableMs: 30_000,
  silentMs: 120_000,
  cancelMs: 50_000,
  pingMs: 20_000,
  reconnectMs: 2_000,
  watchMs: 60_000,
};

export const ENGINE_LIMITS: EngineLimits = {
  answerBytes: 64 * MEBIBYTE,
  messageBytes: 64 * MEBIBYTE,
  waitingBytes: 256 * MEBIBYTE,
  outputs: 10_000,
};
