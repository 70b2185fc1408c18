{{/* All objects of a service that only other components call. Arguments: root, component. */}}
{{- define "heddle.calledService" -}}
{{ include "heddle.deployment" . }}
---
{{ include "heddle.headlessService" . }}
{{- include "heddle.budget" . }}
{{- include "heddle.autoscaler" . }}
{{- end }}

{{/* The Deployment of a service. Arguments: root, component. */}}
{{- define "heddle.deployment" -}}
{{- $values := get .root.Values.services .component }}
{{- $isApi := has .component (list "gateway" "registry") }}
apiVersion: apps/v1
kind: Deployment
metadata: {{ include "heddle.metadata" . | nindent 2 }}
spec:
  {{- if eq $values.autoscaling.mode "none" }}
  replicas: {{ $values.replicas }}
  {{- end }}
  {{- include "heddle.rollout" . | nindent 2 }}
  selector:
    matchLabels: {{ include "heddle.selector" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "heddle.labels" . | nindent 8 }}
        {{- with $values.podLabels }}{{ toYaml . | nindent 8 }}{{ end }}
      {{- with $values.podAnnotations }}
      annotations: {{ toYaml . | nindent 8 }}
      {{- end }}
    spec:
      {{- include "heddle.podFields" . | nindent 6 }}
      terminationGracePeriodSeconds: {{ include "heddle.grace" $values }}
      containers:
        - name: {{ .component }}
          {{- include "heddle.containerFields" (dict "root" .root "image" .root.Values.image) | nindent 10 }}
          args: [{{ .component }}]
          env: {{ include "heddle.variables" (dict "root" .root "component" .component "extra" $values.extraEnv) | nindent 12 }}
          ports:
            {{- if $isApi }}
            - { name: api, containerPort: 8189 }
            {{- end }}
            {{- range $name, $port := include "heddle.callPorts" .component | fromYaml }}
            - { name: {{ $name }}, containerPort: {{ $port }} }
            {{- end }}
            - { name: ops, containerPort: 9189 }
          {{- include "heddle.probes" . | nindent 10 }}
          lifecycle:
            preStop: { sleep: { seconds: {{ $values.preStopSeconds }} } }
          resources: {{ toYaml $values.resources | nindent 12 }}
          volumeMounts:
            {{- include "heddle.mounts" . | nindent 12 }}
            {{- include "heddle.filesMount" (include "heddle.secretFiles" . | fromYaml).files | nindent 12 }}
      volumes:
        {{- include "heddle.folders" (dict "tmp" "1Gi" "data" "1Gi") | nindent 8 }}
        {{- include "heddle.filesVolume" (include "heddle.secretFiles" . | fromYaml).files | nindent 8 }}
      {{- include "heddle.placement" (dict "root" .root "component" .component "pod" $values) | nindent 6 }}
{{- end }}

{{/* Ports for calls of other components, by name. */}}
{{- define "heddle.callPorts" -}}
{{- if ne . "gateway" }}
calls: 8290
{{- end }}
{{- if eq . "assets" }}
bytes: 8291
{{- end }}
{{- if eq . "jobs" }}
work: 8390
{{- end }}
{{- end }}

{{/* All environment variables of a container. Arguments: root, component, extra. */}}
{{- define "heddle.variables" -}}
- { name: NODE_OPTIONS, value: --max-old-space-size-percentage=70 }
{{- if eq .component "jobs" }}
- { name: POD_IP, valueFrom: { fieldRef: { fieldPath: status.podIP } } }
{{- end }}
{{- with .root.Values.observability.otlpEndpoint }}
- { name: OTEL_EXPORTER_OTLP_ENDPOINT, value: {{ . | quote }} }
{{- end }}
{{- include "heddle.environment" (include "heddle.settings" . | fromYaml) }}
{{- include "heddle.fileEnvironment" (include "heddle.secretFiles" . | fromYaml).files }}
{{- include "heddle.environment" .extra }}
{{- end }}

{{/* A Service without an address of its own: callers spread over the pods. Arguments: root, component. */}}
{{- define "heddle.headlessService" -}}
apiVersion: v1
kind: Service
metadata: {{ include "heddle.metadata" . | nindent 2 }}
spec:
  clusterIP: None
  selector: {{ include "heddle.selector" . | nindent 4 }}
  ports:
    {{- range $name, $port := include "heddle.callPorts" .component | fromYaml }}
    - { name: {{ $name }}, port: {{ $port }}, targetPort: {{ $name }} }
    {{- end }}
{{- end }}

{{/* A Service of the API. Arguments: root, component, and `name` if the component has another Service. */}}
{{- define "heddle.apiService" -}}
apiVersion: v1
kind: Service
metadata:
  {{- include "heddle.metadata" . | nindent 2 }}
    {{- if .name }}
    heddle.dev/api: "true"
    {{- end }}
spec:
  selector: {{ include "heddle.selector" . | nindent 4 }}
  ports:
    - { name: http, port: 80, targetPort: api }
{{- end }}

{{/* A budget, from two pods on: with one, it would only block the drain of a node. Arguments: root, component. */}}
{{- define "heddle.budget" -}}
{{- $values := get .root.Values.services .component }}
{{- $pods := ternary $values.replicas $values.autoscaling.min (eq $values.autoscaling.mode "none") }}
{{- if and .root.Values.podDisruptionBudget.enabled (ge (int $pods) 2) }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {{ include "heddle.metadata" . | nindent 2 }}
spec:
  maxUnavailable: 1
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels: {{ include "heddle.selector" . | nindent 6 }}
{{- end }}
{{- end }}

{{/* Arguments: root, component. */}}
{{- define "heddle.autoscaler" -}}
{{- $scaling := (get .root.Values.services .component).autoscaling }}
{{- if eq $scaling.mode "hpa" }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{ include "heddle.metadata" . | nindent 2 }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ include "heddle.object" . }} }
  minReplicas: {{ $scaling.min }}
  maxReplicas: {{ $scaling.max }}
  metrics:
    - type: Resource
      resource: { name: cpu, target: { type: Utilization, averageUtilization: {{ $scaling.cpu }} } }
{{- end }}
{{- end }}
