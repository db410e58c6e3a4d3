#!/bin/sh
# Reads {"tool": …, "params": {"command": …}} on stdin; a non-zero exit blocks, stdout is the reason.
if grep -qE 'rm -rf /|mkfs|dd if='; then
  echo "Destructive command blocked by policy"
  exit 1
fi
