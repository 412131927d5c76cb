#!/bin/sh
# Makes the secrets that all nodes share, once. A second call changes nothing.
set -eu
cd "$(dirname "$0")"
# The folder is closed to other users. The files are readable, because the process in the container has another user id.
mkdir -p secrets
chmod 700 secrets
for name in postgres_password redis_password hash_secret hold_secret assertion_secret metrics_token; do
  [ -e "secrets/$name" ] || od -An -N32 -tx1 /dev/urandom | tr -d ' \n' > "secrets/$name"
  chmod 444 "secrets/$name"
done
