#!/bin/sh
# Installs run without the install scripts of strangers: the command is rewritten, not refused.
packages=$(sed -n 's/.*"command":"npm install \([^"\\]*\)".*/\1/p')
[ -n "$packages" ] || exit 0
echo "{\"updated_input\": {\"command\": \"npm install --ignore-scripts $packages\"}, \"additional_context\": \"Install scripts were switched off by policy.\"}"
