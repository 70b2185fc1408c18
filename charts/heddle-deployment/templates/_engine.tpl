{{/*
The engine as a native sidecar: it starts before the worker, and it gets its SIGTERM only after the worker has drained. Node
code runs in it, so it mounts no Secret.
*/}}
{{- define "deployment.engine" -}}
{{- $engine := .Values.environment.engine }}
{{- $gpu := .Values.gpu }}
{{- $resources := deepCopy $engine.resources }}
{{- if eq $gpu.mode "devicePlugin" }}
{{- $resources = mergeOverwrite $resources (dict "limits" (dict $gpu.resource (int64 $gpu.count))) }}
{{- end }}
- name: engine
  {{- include "heddle.containerFields" (dict "root" . "image" (merge (dict "pullPolicy" .Values.image.pullPolicy) $engine.image)) | nindent 2 }}
  restartPolicy: Always
  resources: {{ toYaml $resources | nindent 4 }}
  volumeMounts:
    {{- range $at, $path := $engine.writable }}
    - { name: engine-{{ $at }}, mountPath: {{ $path }} }
    {{- end }}
    {{- with .Values.environment.modelVolume }}
    - { name: models, mountPath: /models, readOnly: true }
    {{- end }}
    {{- with $gpu.sharedMemory }}
    - { name: shared-memory, mountPath: /dev/shm }
    {{- end }}
{{- end }}

{{- define "deployment.engineVolumes" -}}
{{- range $at, $path := .Values.environment.engine.writable }}
- name: engine-{{ $at }}
  emptyDir: { sizeLimit: 20Gi }
{{- end }}
{{- with .Values.environment.modelVolume }}
- name: models
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.gpu.sharedMemory }}
- name: shared-memory
  emptyDir: { medium: Memory, sizeLimit: {{ . }} }
{{- end }}
{{- end }}
