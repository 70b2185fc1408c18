{{/* Parts of worker pods that the chart of the platform and the chart of a deployment share. */}}

{{/*
Scales on waiting and leased jobs, so that a pod with a job still counts. The self-hosted surface has no deployments, but one
queue. Arguments: root, component, deployment (empty: self-hosted), workers.
*/}}
{{- define "heddle.scaledObject" -}}
{{- $scaling := .workers.autoscaling }}
{{- if eq $scaling.mode "keda" }}
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {{ include "heddle.metadata" . | nindent 2 }}
spec:
  scaleTargetRef: { name: {{ include "heddle.object" . }} }
  minReplicaCount: {{ $scaling.min }}
  maxReplicaCount: {{ $scaling.max }}
  pollingInterval: {{ $scaling.pollingSeconds }}
  cooldownPeriod: {{ $scaling.cooldownSeconds }}
  {{- /* A new deployment takes jobs only when a worker has shown its engine: the first pod must not go before. */}}
  initialCooldownPeriod: {{ $scaling.cooldownSeconds }}
  triggers:
    - type: prometheus
      metadata:
        serverAddress: {{ $scaling.prometheusAddress | quote }}
        {{- if .deployment }}
        query: max(heddle_deployment_waiting{deployment={{ .deployment | quote }}}) + max(heddle_deployment_leased{deployment={{ .deployment | quote }}})
        {{- else }}
        query: max(heddle_jobs_queued) + max(heddle_jobs_running)
        {{- end }}
        threshold: {{ include "heddle.text" .workers.slots | quote }}
        activationThreshold: "0"
{{- end }}
{{- end }}

{{/*
A job runs for up to an hour: an autoscaler of nodes must not move its pod to save a node. Annotations of the user win.
Arguments: annotations, further.
*/}}
{{- define "heddle.workerAnnotations" -}}
{{- $kept := dict "cluster-autoscaler.kubernetes.io/safe-to-evict" "false" "karpenter.sh/do-not-disrupt" "true" }}
{{- toYaml (mergeOverwrite $kept (default (dict) .further) .annotations) }}
{{- end }}

{{/* A replicas field would fight with the autoscaler. */}}
{{- define "heddle.workerReplicas" -}}
{{- if eq .autoscaling.mode "none" }}
replicas: {{ .replicas }}
{{- end }}
{{- end }}

{{/* What is wrong with the values of workers, one sentence a line. Arguments: workers, maxRuntime, builtin. */}}
{{- define "heddle.workerRefusals" -}}
{{- $w := .workers }}
{{- $least := add (int64 .maxRuntime) 60 }}
{{- if lt (int64 $w.graceSeconds) $least }}
workers.graceSeconds: {{ include "heddle.text" $w.graceSeconds }} is below limits.maxRuntimeSeconds + 60 = {{ $least }}, so a stop would cut running jobs; raise it to {{ $least }} or more
{{- end }}
{{- if .builtin }}
{{- $needed := mul (int64 $w.slots) (int64 $w.engineMemoryMb) 1048576 }}
{{- if lt (include "heddle.bytes" $w.resources.limits.memory | int64) $needed }}
workers.resources.limits.memory: {{ $w.resources.limits.memory }} is below the memory of the engines, workers.slots * workers.engineMemoryMb = {{ mul (int64 $w.slots) (int64 $w.engineMemoryMb) }}Mi; raise it, or lower workers.engineMemoryMb
{{- end }}
{{- end }}
{{- if eq $w.autoscaling.mode "keda" }}
{{- if eq $w.autoscaling.prometheusAddress "" }}
workers.autoscaling.prometheusAddress: is empty, but workers.autoscaling.mode is keda; set the URL of the Prometheus that scrapes Heddle
{{- end }}
{{- if gt (int64 $w.autoscaling.min) (int64 $w.autoscaling.max) }}
workers.autoscaling.min: {{ $w.autoscaling.min }} is above workers.autoscaling.max, {{ $w.autoscaling.max }}; lower it
{{- end }}
{{- end }}
{{- end }}

{{/* What workers call, and the ports there. */}}
{{- define "heddle.workerEdges" -}}
{ jobs: [calls, work], assets: [calls, bytes], logs: [calls] }
{{- end }}

{{/* Workers have no Service. Arguments: root, component, monitor. */}}
{{- define "heddle.workerMonitor" -}}
apiVersion: monitoring.coreos.com/v1
kind: PodMonitor
metadata:
  {{- include "heddle.metadata" . | nindent 2 }}
    {{- with .monitor.labels }}{{ toYaml . | nindent 4 }}{{ end }}
spec:
  selector:
    matchLabels: {{ include "heddle.selector" . | nindent 6 }}
  podMetricsEndpoints:
    - port: ops
      path: /metrics
      interval: {{ .monitor.interval }}
{{- end }}
