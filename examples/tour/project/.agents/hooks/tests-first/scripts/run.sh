#!/bin/sh
[ -e .tests-passed ] && exit 0
echo "Run the tests before you stop." >&2
exit 2
