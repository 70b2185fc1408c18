{{/*
Secret files of a component: Secret, key, path below /etc/heddle/secrets, and the setting that names the file. A pod mounts
these keys and no others. Arguments: root, component.
*/}}
{{- define "heddle.secretFiles" -}}
{{- $v := .root.Values }}
{{- $c := .component }}
{{- $managed := eq $v.surface "managed" }}
{{- $service := hasKey $v.services $c }}
{{- $keyed := and $managed (has $c (list "gateway" "registry")) }}
{{- $stores := has $c (list "jobs" "assets" "logs" "registry") }}
files:
{{- if $stores }}
  - { secret: {{ $v.database.existingSecret }}, key: {{ $c }}-url, path: database/{{ $c }}-url, setting: HEDDLE_DATABASE_URL_FILE }
{{- end }}
{{- if and $managed (eq $c "jobs") }}
  - { secret: {{ $v.database.existingSecret }}, key: deployments-url, path: database/deployments-url, setting: HEDDLE_DEPLOYMENTS_DATABASE_URL_FILE }
{{- end }}
{{- if $keyed }}
  - { secret: {{ $v.database.existingSecret }}, key: accounts-url, path: database/accounts-url, setting: HEDDLE_ACCOUNTS_DATABASE_URL_FILE }
{{- end }}
{{- if eq $c "migrate" }}
  - { secret: {{ $v.database.existingSecret }}, key: owner-url, path: database/owner-url, setting: HEDDLE_DATABASE_URL_FILE }
  {{- range $role := include "heddle.roles" .root | fromYamlArray }}
  - { secret: {{ $v.database.existingSecret }}, key: {{ $role }}-url, path: database/{{ $role }}-url, setting: HEDDLE_{{ upper $role }}_DATABASE_URL_FILE }
  {{- end }}
{{- end }}
{{- if or $service (eq $c "worker") }}
  {{- if or $managed (not (has $c (list "validation" "registry"))) (and (eq $c "validation") $v.services.registry.enabled) }}
  - { secret: {{ $v.identity.existingSecret }}, key: {{ $c }}-token, path: identity/token, setting: HEDDLE_SERVICE_TOKEN_FILE }
  {{- end }}
  {{- if not (has $c (list "gateway" "worker")) }}
  - { secret: {{ $v.identity.existingSecret }}, key: public-key, path: identity/public-key, setting: HEDDLE_SERVICE_PUBLIC_KEY_FILE }
  {{- end }}
  {{- with $v.identity.tls.existingSecret }}
  - { secret: {{ . }}, key: tls.crt, path: calls/tls.crt, setting: HEDDLE_CALLS_TLS_CERT }
  - { secret: {{ . }}, key: tls.key, path: calls/tls.key, setting: HEDDLE_CALLS_TLS_KEY }
  - { secret: {{ . }}, key: ca.crt, path: calls/ca.crt, setting: HEDDLE_CALLS_TLS_CA }
  {{- end }}
{{- end }}
{{- if include "heddle.usesKafka" . }}
  {{- if and $v.kafka.tls.enabled $v.kafka.tls.existingSecret }}
  - { secret: {{ $v.kafka.tls.existingSecret }}, key: ca.crt, path: kafka/ca.crt, setting: HEDDLE_KAFKA_TLS_CA }
  {{- if eq $v.kafka.sasl.mechanism "none" }}
  - { secret: {{ $v.kafka.tls.existingSecret }}, key: tls.crt, path: kafka/tls.crt, setting: HEDDLE_KAFKA_TLS_CERT }
  - { secret: {{ $v.kafka.tls.existingSecret }}, key: tls.key, path: kafka/tls.key, setting: HEDDLE_KAFKA_TLS_KEY }
  {{- end }}
  {{- end }}
  {{- if ne $v.kafka.sasl.mechanism "none" }}
  - { secret: {{ $v.kafka.sasl.existingSecret }}, key: username, path: kafka/username, setting: HEDDLE_KAFKA_SASL_USERNAME_FILE }
  - { secret: {{ $v.kafka.sasl.existingSecret }}, key: password, path: kafka/password, setting: HEDDLE_KAFKA_SASL_PASSWORD_FILE }
  {{- end }}
{{- end }}
{{- if has $c (list "assets" "registry") }}
  - { secret: {{ $v.s3.existingSecret }}, key: access-key, path: s3/access-key, setting: HEDDLE_S3_ACCESS_KEY_FILE }
  - { secret: {{ $v.s3.existingSecret }}, key: secret-key, path: s3/secret-key, setting: HEDDLE_S3_SECRET_KEY_FILE }
{{- end }}
{{- if and (has $c (list "gateway" "registry")) (not $managed) }}
  - { secret: {{ $v.auth.existingSecret }}, key: static-token, path: auth/static-token, setting: HEDDLE_STATIC_TOKEN_FILE }
{{- end }}
{{- if and (eq $c "gateway") $managed }}
  - { secret: {{ $v.auth.existingSecret }}, key: bootstrap-key, path: auth/bootstrap-key, setting: HEDDLE_BOOTSTRAP_KEY_FILE }
  - { secret: {{ $v.auth.existingSecret }}, key: admin-token, path: auth/admin-token, setting: HEDDLE_ADMIN_TOKEN_FILE }
{{- end }}
{{- if or $keyed (eq $c "registry") }}
  - { secret: {{ $v.auth.existingSecret }}, key: key-pepper, path: auth/key-pepper, setting: HEDDLE_KEY_PEPPER }
{{- end }}
{{- if and $managed (has $c (list "gateway" "assets")) }}
  - { secret: {{ $v.auth.existingSecret }}, key: signed-url-keys, path: auth/signed-url-keys, setting: HEDDLE_SIGNED_URL_KEYS }
{{- end }}
{{- if and $managed (eq $c "jobs") }}
  - { secret: {{ $v.auth.existingSecret }}, key: credential-keys, path: auth/credential-keys, setting: HEDDLE_CREDENTIAL_KEYS }
{{- end }}
{{- if eq $c "registry" }}
  - { secret: {{ $v.auth.existingSecret }}, key: registry-signing-keys, path: auth/registry-signing-keys, setting: HEDDLE_REGISTRY_SIGNING_KEYS }
  {{- $vendorSecret := default $v.auth.existingSecret $v.vendors.existingSecret }}
  {{- range $vendor := list "video" "image" }}
  {{- if and (get $v.vendors $vendor).url (ne (get $v.vendors $vendor).url "simulated") }}
  - { secret: {{ $vendorSecret }}, key: {{ $vendor }}vendor-key, path: vendors/{{ $vendor }}vendor-key, setting: HEDDLE_{{ upper $vendor }}VENDOR_KEY_FILE }
  {{- end }}
  {{- end }}
  {{- if $v.vendors.image.signsCallbacks }}
  - { secret: {{ $vendorSecret }}, key: imagevendor-webhook-secret, path: vendors/imagevendor-webhook-secret, setting: HEDDLE_IMAGEVENDOR_WEBHOOK_SECRET_FILE }
  {{- end }}
  {{- if $v.vendors.prices }}
  - { secret: {{ $v.vendors.existingSecret }}, key: prices.json, path: vendors/prices.json, setting: HEDDLE_PROXY_PRICES }
  {{- end }}
  {{- if $v.lists.reservedNodes }}
  - { secret: {{ $v.lists.existingSecret }}, key: reserved-nodes, path: lists/reserved-nodes, setting: HEDDLE_REGISTRY_RESERVED }
  {{- end }}
{{- end }}
{{- if and (eq $c "assets") $v.lists.blockedHashes }}
  - { secret: {{ $v.lists.existingSecret }}, key: blocked-hashes, path: lists/blocked-hashes, setting: HEDDLE_MODERATION_HASHES }
{{- end }}
{{- /* The URL may hold a key of the scanner. */}}
{{- if and (eq $c "assets") $v.networkPolicy.egress.moderation }}
  - { secret: {{ $v.auth.existingSecret }}, key: moderation-url, path: auth/moderation-url, setting: HEDDLE_MODERATION_URL_FILE }
{{- end }}
{{- if eq $c "test" }}
  - { secret: {{ $v.auth.existingSecret }}, key: {{ ternary "bootstrap-key" "static-token" $managed }}, path: auth/token, setting: HEDDLE_TOKEN_FILE }
{{- end }}
{{- with $v.caBundle.existingSecret }}
  - { secret: {{ . }}, key: {{ $v.caBundle.key }}, path: ca/ca.crt, setting: NODE_EXTRA_CA_CERTS }
{{- end }}
{{- end }}

{{/* Roles whose URLs the operator gives. */}}
{{- define "heddle.roles" -}}
{{- $roles := list "jobs" "assets" "logs" }}
{{- if .Values.services.registry.enabled }}{{ $roles = append $roles "registry" }}{{ end }}
{{- if eq .Values.surface "managed" }}{{ $roles = concat $roles (list "accounts" "deployments") }}{{ end }}
{{- toYaml $roles }}
{{- end }}
