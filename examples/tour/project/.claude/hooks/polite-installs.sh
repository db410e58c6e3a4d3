#!/bin/sh
# Packages are installed without their install scripts: the command is rewritten, not denied.
packages=$(sed -n 's/.*"command":"npm install \([^"\\]*\)".*/\1/p')
[ -n "$packages" ] || exit 0
echo "{\"updated_input\": {\"command\": \"npm install --ignore-scripts $packages\"}, \"additional_context\": \"A policy disabled install scripts.\"}"
