{{/* Parts of every pod: Pod Security "restricted", probes, writable folders, placement. */}}

{{- define "heddle.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "heddle.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* Startup and liveness ask whether the event loop runs; readiness asks for dependencies, which takes up to 2 s. */}}
{{- define "heddle.probes" -}}
startupProbe:
  httpGet: { path: /livez, port: ops }
  periodSeconds: 1
  timeoutSeconds: 1
  failureThreshold: 60
readinessProbe:
  httpGet: { path: /readyz, port: ops }
  periodSeconds: 2
  timeoutSeconds: 3
  failureThreshold: 2
livenessProbe:
  httpGet: { path: /livez, port: ops }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 3
{{- end }}

{{/* Rolling update without a missing pod. */}}
{{- define "heddle.rollout" -}}
minReadySeconds: 5
revisionHistoryLimit: 5
strategy:
  type: RollingUpdate
  rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
{{- end }}

{{/* Arguments: root, component, pod (the values of the pod's placement). */}}
{{- define "heddle.placement" -}}
{{- with .pod.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .pod.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .pod.affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .pod.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
topologySpreadConstraints:
  {{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ $key }}
    whenUnsatisfiable: ScheduleAnyway
    matchLabelKeys: [pod-template-hash]
    labelSelector:
      matchLabels: {{ include "heddle.selector" $ | nindent 8 }}
  {{- end }}
{{- end }}

{{/* Fields that all pods share. Arguments: root. */}}
{{- define "heddle.podFields" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext: {{ include "heddle.podSecurity" . | nindent 2 }}
{{- with .root.Values.global.imagePullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end }}

{{/* Fields of a container with the image of Heddle. Arguments: root, image. */}}
{{- define "heddle.containerFields" -}}
image: {{ include "heddle.image" . }}
imagePullPolicy: {{ .image.pullPolicy }}
securityContext: {{ include "heddle.containerSecurity" . | nindent 2 }}
terminationMessagePolicy: FallbackToLogsOnError
{{- end }}

{{- define "heddle.mounts" -}}
- { name: tmp, mountPath: /tmp }
- { name: data, mountPath: /var/lib/heddle }
{{- end }}

{{/* Arguments: tmp and data, the sizes. */}}
{{- define "heddle.folders" -}}
- name: tmp
  emptyDir: { sizeLimit: {{ .tmp }} }
- name: data
  emptyDir: { sizeLimit: {{ .data }} }
{{- end }}

{{/* Environment variables of a map, in the order of their names. */}}
{{- define "heddle.environment" -}}
{{- range $name, $value := . }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{/* A number without an exponent, for values that Helm has read as floating point. */}}
{{- define "heddle.text" -}}
{{- if kindIs "float64" . }}{{ if eq (floor .) . }}{{ int64 . }}{{ else }}{{ . }}{{ end }}{{ else }}{{ . }}{{ end }}
{{- end }}

{{/* Bytes of a quantity such as 512Mi. */}}
{{- define "heddle.bytes" -}}
{{- $units := dict "" 1 "k" 1000 "M" 1000000 "G" 1000000000 "T" 1000000000000 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 }}
{{- $text := include "heddle.text" . }}
{{- mul (regexFind "^[0-9]+" $text | int64) (get $units (regexFind "[A-Za-z]*$" $text)) }}
{{- end }}

{{/* Grace period of a service: all of its stop, and time to end. */}}
{{- define "heddle.grace" -}}
{{ add .preStopSeconds .stopSeconds 5 }}
{{- end }}

{{/* Objects of the user, with templates. */}}
{{- define "heddle.extraObjects" -}}
{{- range .Values.extraObjects }}
---
{{ tpl (ternary . (toYaml .) (kindIs "string" .)) $ }}
{{- end }}
{{- end }}
