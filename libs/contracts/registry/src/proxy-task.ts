/** A setting of a multiframe as it was sent, with its defaults filled in. */
export interface VideoSettingWire {
  readonly key_image: string;
  readonly duration: number;
  readonly prompt: string;
}

/** The answer of a new multiframe task. */
export interface CreatedVideoWire {
  readonly task_id: string;
  readonly state: 'created';
  readonly credits: number;
  readonly created_at: string;
  readonly model: string;
  readonly start_image: string;
  readonly image_settings: readonly VideoSettingWire[];
  readonly resolution: string;
  readonly payload: string;
}

export interface VideoCreationWire {
  readonly id: string;
  readonly url: string;
  readonly cover_url: string;
}

/** A multiframe task as it is read, and as its callbacks carry it. */
export interface VideoTaskWire {
  readonly id: string;
  readonly state: 'created' | 'queueing' | 'processing' | 'success' | 'failed';
  readonly err_code: string;
  readonly credits: number;
  readonly payload: string;
  readonly creations: readonly VideoCreationWire[];
}

/** An upscaler task, in every answer and callback. */
export interface UpscaleWire {
  readonly data: {
    readonly generated: readonly string[];
    readonly status: 'CREATED' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED';
    readonly task_id: string;
  };
}
