{{/* Pod template of a task that runs a command of heddle once. Arguments: root, component, args. */}}
{{- define "heddle.taskPod" -}}
metadata:
  labels: {{ include "heddle.labels" . | nindent 4 }}
spec:
  {{- include "heddle.podFields" . | nindent 2 }}
  restartPolicy: Never
  containers:
    - name: {{ .component }}
      {{- include "heddle.containerFields" (dict "root" .root "image" .root.Values.image) | nindent 6 }}
      args: {{ toJson .args }}
      env: {{ include "heddle.variables" . | nindent 8 }}
      resources:
        requests: { cpu: 50m, memory: 128Mi }
        limits: { memory: 384Mi }
      volumeMounts:
        {{- include "heddle.mounts" . | nindent 8 }}
        {{- include "heddle.filesMount" (include "heddle.secretFiles" . | fromYaml).files | nindent 8 }}
  volumes:
    {{- include "heddle.folders" (dict "tmp" "100Mi" "data" "100Mi") | nindent 4 }}
    {{- include "heddle.filesVolume" (include "heddle.secretFiles" . | fromYaml).files | nindent 4 }}
{{- end }}

{{/* A Job of `heddle migrate`. Arguments: root, component, name, hook (empty: none), args. */}}
{{- define "heddle.migrateJob" -}}
{{- $migrations := .root.Values.migrations }}
apiVersion: batch/v1
kind: Job
metadata:
  {{- include "heddle.metadata" . | nindent 2 }}
  {{- with .hook }}
  annotations:
    helm.sh/hook: {{ . }}
    helm.sh/hook-weight: "-5"
    helm.sh/hook-delete-policy: before-hook-creation
  {{- end }}
spec:
  backoffLimit: {{ $migrations.backoffLimit }}
  activeDeadlineSeconds: {{ $migrations.timeoutSeconds }}
  template: {{ include "heddle.taskPod" . | nindent 4 }}
{{- end }}
