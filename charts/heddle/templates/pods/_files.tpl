{{/* Secret files of a container: items secret, key, path below /etc/heddle/secrets, and the setting that names the file. */}}

{{- define "heddle.filesVolume" -}}
{{- with . }}
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      {{- range . }}
      - secret:
          name: {{ .secret }}
          items: [{ key: {{ .key }}, path: {{ .path }} }]
      {{- end }}
{{- end }}
{{- end }}

{{- define "heddle.filesMount" -}}
{{- with . }}
- { name: secrets, mountPath: /etc/heddle/secrets, readOnly: true }
{{- end }}
{{- end }}

{{- define "heddle.fileEnvironment" -}}
{{- range . }}
- { name: {{ .setting }}, value: /etc/heddle/secrets/{{ .path }} }
{{- end }}
{{- end }}
