#!/bin/sh
# Runs the image's folder as a container would: a file system of its own that is read-only but for the data folder and
# /tmp, a network of its own, the image's user, no capability and no way to get one. To be run in new mount and network
# namespaces. Usage: run-image.sh ROOT RESULT HEALTH-COMMAND FORBIDDEN-CALLS -- ENTRYPOINT...
# System calls in FORBIDDEN-CALLS (with commas between them; empty: none) fail with EPERM.
set -eu
root=$1 result=$2 health=$3 forbidden=$4
shift 5
mount --make-rprivate /
mount --bind "$root" "$root"
for folder in usr bin lib lib64 proc dev; do
  [ -e "/$folder" ] || continue
  mkdir -p "$root/$folder"
  mount --rbind "/$folder" "$root/$folder"
done
for folder in usr bin lib lib64; do
  [ ! -e "/$folder" ] || mount -o remount,bind,ro "$root/$folder"
done
mkdir -p "$root/tmp" "$root/etc"
cp /etc/passwd /etc/hosts "$root/etc/"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -t tmpfs -o uid=10001,gid=10001,mode=0700 tmpfs "$root/var/lib/gatekeeper"
mount -o remount,bind,ro "$root"
ip link set lo up

as_user() {
  chroot "$root" setpriv --reuid=10001 --regid=10001 --clear-groups --no-new-privs --bounding-set=-all \
    --inh-caps=-all -- "$@"
}

if [ -n "$forbidden" ]; then
  set -- strace -f -qq --seccomp-bpf -o /tmp/forbidden -e "trace=$forbidden" -e "inject=$forbidden:error=EPERM" "$@"
fi
as_user "$@" > "$result/output" 2>&1 &
server=$!
tries=0
until as_user sh -c "$health"; do
  tries=$((tries + 1))
  [ $tries -lt 600 ] && kill -0 $server || { cat "$result/output"; exit 1; }
  sleep 0.1
done
echo healthy > "$result/health"
node=$(pgrep -u 10001 -f '^[^ ]*node /opt/gatekeeper' | head -1)
grep -E '^(Uid|CapEff|CapBnd|NoNewPrivs):' "/proc/$node/status" > "$result/status"
as_user sh -c 'touch /opt/gatekeeper/x /etc/x /x; touch /var/lib/gatekeeper/x && echo data-writable' \
  > "$result/writes" 2>&1 || true
as_user ls -A /var/lib/gatekeeper > "$result/data"
kill -TERM "$node"
code=0
wait $server || code=$?
echo "$code" > "$result/code"
[ -z "$forbidden" ] || cp "$root/tmp/forbidden" "$result/forbidden"
