{{/* Hosts of the API as a list. A wildcard stands for one label in an Ingress, so staging has its own. */}}
{{- define "heddle.hosts" -}}
- {{ .Values.hosts.api | quote }}
{{- with .Values.hosts.deployments }}
- {{ printf "*.%s" . | quote }}
- {{ printf "*.stg.%s" . | quote }}
{{- end }}
{{- end }}

{{/* What an nginx-family controller must do: stream both ways, and take an upload whole. */}}
{{- define "heddle.ingressAnnotations" -}}
nginx.ingress.kubernetes.io/proxy-buffering: "off"
nginx.ingress.kubernetes.io/proxy-request-buffering: "off"
nginx.ingress.kubernetes.io/proxy-read-timeout: "3600"
nginx.ingress.kubernetes.io/proxy-send-timeout: "3600"
nginx.ingress.kubernetes.io/proxy-body-size: {{ add (int64 .Values.limits.uploadBytes) 1048576 | quote }}
{{- end }}

{{/* Arguments: root, component, service, hosts. */}}
{{- define "heddle.ingress" -}}
{{- $route := .root.Values.route }}
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  {{- include "heddle.metadata" . | nindent 2 }}
  annotations: {{ mergeOverwrite (include "heddle.ingressAnnotations" .root | fromYaml) $route.annotations | toYaml | nindent 4 }}
spec:
  {{- with $route.ingressClassName }}
  ingressClassName: {{ . }}
  {{- end }}
  {{- with $route.tls.secretName }}
  tls:
    - secretName: {{ . }}
      hosts: {{ toYaml $.hosts | nindent 8 }}
  {{- end }}
  rules:
    {{- range .hosts }}
    - host: {{ . | quote }}
      http:
        paths:
          - path: /
            pathType: Prefix
            backend: { service: { name: {{ $.service }}, port: { name: http } } }
    {{- end }}
{{- end }}

{{/* Arguments: root, component, service, hosts, rules (items: path, method, timeout). */}}
{{- define "heddle.httpRoute" -}}
{{- $route := .root.Values.route }}
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  {{- include "heddle.metadata" . | nindent 2 }}
  {{- with $route.annotations }}
  annotations: {{ toYaml . | nindent 4 }}
  {{- end }}
spec:
  parentRefs: {{ toYaml $route.parentRefs | nindent 4 }}
  hostnames: {{ toYaml .hosts | nindent 4 }}
  rules:
    {{- range .rules }}
    - matches:
        - path: { type: PathPrefix, value: {{ .path }} }
          {{- with .method }}
          method: {{ . }}
          {{- end }}
      {{- with .timeout }}
      timeouts: { request: {{ . }} }
      {{- end }}
      backendRefs: [{ name: {{ $.service }}, port: 80 }]
    {{- end }}
{{- end }}
