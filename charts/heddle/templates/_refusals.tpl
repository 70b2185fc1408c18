{{/*
Values that cannot work. Each sentence names the value, what is wrong and what to do, and never shows what may be a secret.
Every template begins with this check, because Helm renders them in no fixed order.
*/}}
{{- define "heddle.refusals" -}}
{{- $found := list }}
{{- range $name := list "image" "names" "vendors" "servers" "access" "route" "sizes" "observability" "settings" "pods" }}
{{- range splitList "\n" (include (printf "heddle.refuse.%s" $name) $) }}
{{- with trim . }}{{ $found = append $found . }}{{ end }}
{{- end }}
{{- end }}
{{- with $found }}{{ fail (first .) }}{{ end }}
{{- end }}

{{- define "heddle.refuse.image" -}}
{{- if eq .Values.image.tag "latest" }}
image.tag: latest does not say which version runs; set a version, or image.digest
{{- end }}
{{- include "heddle.imageRefusals" (dict "path" "image" "image" .Values.image) }}
{{- end }}

{{/* Names of Secrets. An invalid name may be the secret itself, so it is not shown. */}}
{{- define "heddle.refuse.names" -}}
{{- $v := .Values }}
{{- $needed := dict "auth.existingSecret" $v.auth.existingSecret "identity.existingSecret" $v.identity.existingSecret "database.existingSecret" $v.database.existingSecret "s3.existingSecret" $v.s3.existingSecret }}
{{- if ne $v.kafka.sasl.mechanism "none" }}{{ $_ := set $needed "kafka.sasl.existingSecret" $v.kafka.sasl.existingSecret }}{{ end }}
{{- range $path, $name := $needed }}
{{- if eq $name "" }}
{{- if eq $path "auth.existingSecret" }}
auth.existingSecret: is empty, but {{ if eq $v.surface "managed" }}managed needs its keys{{ else }}self-hosted needs its static-token{{ end }}; name the Secret
{{- else }}
{{ $path }}: is empty; name the Secret with the keys that README.md lists
{{- end }}
{{- end }}
{{- end }}
{{- $all := merge (dict "identity.tls.existingSecret" $v.identity.tls.existingSecret "kafka.tls.existingSecret" $v.kafka.tls.existingSecret "kafka.sasl.existingSecret" $v.kafka.sasl.existingSecret "caBundle.existingSecret" $v.caBundle.existingSecret "route.tls.secretName" $v.route.tls.secretName "vendors.existingSecret" $v.vendors.existingSecret "lists.existingSecret" $v.lists.existingSecret) $needed }}
{{- range $path, $name := $all }}
{{- if and $name (not (regexMatch "^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$" $name)) }}
{{ $path }}: is not the name of a Secret; put the secret into a Secret and give its name
{{- end }}
{{- end }}
{{- end }}

{{- define "heddle.refuse.vendors" -}}
{{- $vendors := .Values.vendors }}
{{- range $name := list "video" "image" }}
{{- $url := (get $vendors $name).url }}
{{- if and $url (ne $url "simulated") (not (regexMatch "^https?://[^@?#]+$" $url)) }}
vendors.{{ $name }}.url: must be simulated or a URL such as https://api.example.com, without credentials
{{- end }}
{{- end }}
{{- if and (eq $vendors.existingSecret "") $vendors.prices }}
vendors.existingSecret: is empty, but vendors.prices is true; name the Secret with prices.json
{{- end }}
{{- $lists := .Values.lists }}
{{- if and (eq $lists.existingSecret "") (or $lists.reservedNodes $lists.blockedHashes) }}
lists.existingSecret: is empty, but lists.reservedNodes or lists.blockedHashes is true; name the Secret with reserved-nodes or blocked-hashes
{{- end }}
{{- end }}

{{- define "heddle.refuse.servers" -}}
{{- $v := .Values }}
{{- if not $v.kafka.brokers }}
kafka.brokers: is empty; list the brokers, host:port each
{{- end }}
{{- range $v.kafka.brokers }}
{{- if not (regexMatch "^[^@/]+:[0-9]+$" .) }}
kafka.brokers: each broker must be host:port, without a scheme or a password
{{- end }}
{{- end }}
{{- if lt (int64 $v.kafka.partitions) (int64 $v.services.jobs.replicas) }}
kafka.partitions: {{ include "heddle.text" $v.kafka.partitions }} is below services.jobs.replicas, {{ $v.services.jobs.replicas }}; each replica needs a partition, so raise it before the topics are made
{{- end }}
{{- range $name := list "endpoint" "publicEndpoint" }}
{{- $url := get $v.s3 $name }}
{{- if and (or $url (eq $name "endpoint")) (not (regexMatch "^https?://[^@/]+/?$" $url)) }}
s3.{{ $name }}: must be a URL such as https://s3.example.com, without a path or credentials
{{- end }}
{{- end }}
{{- if eq $v.s3.bucket "" }}
s3.bucket: is empty; name the bucket
{{- end }}
{{- if and $v.externalSecrets.enabled (eq $v.externalSecrets.storeRef.name "") }}
externalSecrets.storeRef.name: is empty; name the store, or set externalSecrets.enabled to false
{{- end }}
{{- if and $v.externalSecrets.enabled $v.migrations.enabled $v.migrations.hooks }}
migrations.hooks: a hook runs before externalSecrets makes the Secrets that it needs; set it to false
{{- end }}
{{- end }}

{{- define "heddle.refuse.access" -}}
{{- $v := .Values }}
{{- include "heddle.refuse.calls" . }}
{{- if eq $v.surface "managed" }}
{{- if eq $v.hosts.api "" }}
hosts.api: is empty, but managed answers only requests to its own hosts; set the host of the API
{{- end }}
{{- if and $v.services.registry.enabled (eq $v.hosts.registry "") }}
hosts.registry: is empty, but services.registry.enabled is true and managed answers only requests to its own hosts; set the host of the registry
{{- end }}
{{- end }}
{{- if and (eq $v.surface "self-hosted") $v.hosts.deployments }}
hosts.deployments: deployments exist on the managed surface alone; remove it, or set surface to managed
{{- end }}
{{- end }}

{{- define "heddle.refuse.route" -}}
{{- $v := .Values }}
{{- $route := $v.route }}
{{- if and $route.parentRefs (or $route.ingressClassName (eq $route.type "ingress")) }}
route.parentRefs: belongs to an HTTPRoute, and an Ingress is asked for as well; keep one, with route.type httproute or ingress
{{- else if and (eq $route.type "httproute") $route.ingressClassName }}
route.ingressClassName: belongs to an Ingress, but route.type is httproute; remove it
{{- else if and (eq $route.type "httproute") (not $route.parentRefs) }}
route.parentRefs: is empty; name the Gateway of the HTTPRoute
{{- end }}
{{- if ne $route.type "none" }}
{{- if eq $v.hosts.api "" }}
hosts.api: is empty, but route.type is {{ $route.type }}; set the host of the API
{{- end }}
{{- if and $v.services.registry.enabled (eq $v.hosts.registry "") }}
hosts.registry: is empty, but services.registry.enabled is true and route.type is {{ $route.type }}; set the host of the registry
{{- end }}
{{- end }}
{{- range $name, $host := $v.hosts }}
{{- if and $host (not (regexMatch "^([a-z0-9]([-a-z0-9]*[a-z0-9])?\\.)*[a-z0-9]([-a-z0-9]*[a-z0-9])?$" $host)) }}
hosts.{{ $name }}: must be a host name such as api.example.com, without a scheme, a port or a wildcard
{{- end }}
{{- end }}
{{- if eq $route.type "ingress" }}{{ include "heddle.refuse.annotations" . }}{{ end }}
{{- end }}

{{- define "heddle.refuse.annotations" -}}
{{- $own := include "heddle.ingressAnnotations" . | fromYaml }}
{{- range $name, $value := .Values.route.annotations }}
{{- $ours := get $own $name }}
{{- if $ours }}
{{- $units := dict "" 1 "k" 1024 "K" 1024 "m" 1048576 "M" 1048576 "g" 1073741824 "G" 1073741824 }}
{{- $number := regexFind "^[0-9]+" $value | int64 }}
{{- if hasSuffix "body-size" $name }}
{{- $bytes := mul $number (default 0 (get $units (regexFind "[A-Za-z]*$" $value))) }}
{{- if and (ne $value "0") (lt $bytes (int64 $ours)) }}
route.annotations.{{ $name }}: {{ $value }} is below limits.uploadBytes and 1 MiB, {{ $ours }} bytes, so uploads would fail; remove it, or raise it
{{- end }}
{{- else if hasSuffix "timeout" $name }}
{{- if lt $number (int64 $ours) }}
route.annotations.{{ $name }}: {{ $value }} would cut event streams and uploads; remove it, or set {{ $ours }} or more
{{- end }}
{{- else if ne $value $ours }}
route.annotations.{{ $name }}: {{ $value }} would hold back event streams and uploads; remove it
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- define "heddle.refuse.sizes" -}}
{{- $v := .Values }}
{{- if $v.workers.enabled }}{{ include "heddle.workerRefusals" (dict "workers" $v.workers "maxRuntime" $v.limits.maxRuntimeSeconds "builtin" (not (hasKey $v.settings "HEDDLE_ENGINE"))) }}{{ end }}
{{- range $name, $service := $v.services }}
{{- if and (eq $service.autoscaling.mode "hpa") (gt (int64 $service.autoscaling.min) (int64 $service.autoscaling.max)) }}
services.{{ $name }}.autoscaling.min: {{ $service.autoscaling.min }} is above services.{{ $name }}.autoscaling.max, {{ $service.autoscaling.max }}; lower it
{{- end }}
{{- if and (hasKey $service.resources.requests "memory") (gt (include "heddle.bytes" $service.resources.requests.memory | int64) (include "heddle.bytes" $service.resources.limits.memory | int64)) }}
services.{{ $name }}.resources.requests.memory: is above services.{{ $name }}.resources.limits.memory; lower it
{{- end }}
{{- end }}
{{- $drain := include "heddle.text" (get $v.settings "HEDDLE_STREAMS_DRAIN_S") }}
{{- $usual := (get (.Files.Get "files/settings.yaml" | fromYaml) "HEDDLE_STREAMS_DRAIN_S").default }}
{{- $stop := float64 $v.services.gateway.stopSeconds }}
{{- if and (ne $drain "") (gt (float64 $drain) $stop) }}
settings.HEDDLE_STREAMS_DRAIN_S: is above services.gateway.stopSeconds, so a stop would cut streams; lower it, or raise services.gateway.stopSeconds
{{- else if and (eq $drain "") (lt $stop (float64 $usual)) }}
services.gateway.stopSeconds: {{ $stop }} is below {{ $usual }}, the default of settings.HEDDLE_STREAMS_DRAIN_S, so a stop would cut streams; raise it, or lower settings.HEDDLE_STREAMS_DRAIN_S
{{- end }}
{{- end }}

{{- define "heddle.refuse.observability" -}}
{{- $alerts := list }}
{{- range (.Files.Get "files/rules.yaml" | fromYaml).groups }}{{ range .rules }}{{ with .alert }}{{ $alerts = append $alerts . }}{{ end }}{{ end }}{{ end }}
{{- range .Values.observability.rules.disabled }}
{{- if not (has . $alerts) }}
observability.rules.disabled: {{ . }} is not an alert; the alerts are {{ join ", " $alerts }}
{{- end }}
{{- end }}
{{- with .Values.observability.otlpEndpoint }}
{{- if not (regexMatch "^https?://[^@/]+/?$" .) }}
observability.otlpEndpoint: must be a URL such as http://collector:4318, without a path or credentials
{{- end }}
{{- end }}
{{- end }}

{{- define "heddle.refuse.settings" -}}
{{- $computed := include "heddle.computed" (dict "root" . "component" "jobs") | fromYaml }}
{{- include "heddle.settingRefusals" (dict "root" . "settings" .Values.settings "computed" $computed) }}
{{- end }}

{{- define "heddle.refuse.pods" -}}
{{- include "heddle.labelRefusals" (dict "path" "commonLabels" "map" .Values.commonLabels) }}
{{- $computed := include "heddle.computed" (dict "root" . "component" "jobs") | fromYaml }}
{{- range $name, $service := .Values.services }}
{{- include "heddle.podRefusals" (dict "root" $ "path" (printf "services.%s" $name) "pod" $service "computed" $computed) }}
{{- end }}
{{- include "heddle.podRefusals" (dict "root" $ "path" "workers" "pod" .Values.workers "computed" $computed) }}
{{- end }}
