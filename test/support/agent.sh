# A home-made agent of one call: the process that asks a hook. A hook that a test asks itself would make an agent of the test.
"$@"
exit $?
