import { chmod } from "node:fs/promises";
import { join } from "node:path";
import type { Machine } from "./debian.ts";

/** Runs a program as a unit's file says: its user, its folder and its settings, which no shell reads. */
const COMMON = `
value() { sed -n "s/^$1=//p" "$file"; }
# Each line of a file of settings is a name and a value, which may be in quotes.
load() {
  while IFS= read -r line; do
    case $line in ''|'#'*) continue ;; esac
    text=\${line#*=}
    case $text in \\"*\\") text=\${text#\\"}; text=\${text%\\"} ;; esac
    export "\${line%%=*}=$text"
  done < "$1"
}
as() {
  if [ -n "$user" ]; then
    export HOME=$(getent passwd "$user" | cut -d: -f6)
    exec setpriv --reuid="$user" --regid="$(id -g "$user")" --init-groups "$@"
  fi
  exec "$@"
}
`;

const SYSTEMCTL = `#!/bin/bash
set -e
${COMMON}
verb=
for word; do
  case $word in
    daemon-reload|--*) ;;
    enable|start|restart|stop|reload) verb=$word ;;
    *) unit=\${word%.service} ;;
  esac
done
[ -n "$verb" ] || exit 0
for file in /etc/systemd/system/$unit.service /usr/lib/systemd/system/$unit.service; do [ -e "$file" ] && break; done
if [ -e /run/$unit.group ]; then kill -TERM -- -$(cat /run/$unit.group) 2>/dev/null || true; while kill -0 -- -$(cat /run/$unit.group) 2>/dev/null; do sleep 0.1; done; fi
[ "$verb" = stop ] && exit 0
user=$(value User)
folder=$(value WorkingDirectory)
command=$(value ExecStart)
(
  cd "\${folder:-/}"
  for pair in $(value Environment); do export "$pair"; done
  for settings in $(value EnvironmentFile); do [ -e "\${settings#-}" ] && load "\${settings#-}"; done
  export -f as
  export user
  setsid bash -c 'echo $$ > "/run/$0.group"; eval "set -- $1"; as "$@"' "$unit" "$command" > "/var/log/$unit.log" 2>&1 < /dev/null &
  if [ "$(value Type)" = forking ]; then wait $!; fi
)
`;

const SYSTEMD_RUN = `#!/bin/bash
set -e
${COMMON}
while case \${1:-} in --*) true ;; *) false ;; esac; do
  case $1 in
    --uid=*) user=\${1#*=} ;;
    --working-directory=*) cd "\${1#*=}" ;;
    --property=EnvironmentFile=*) load "\${1#*=*=}" ;;
  esac
  shift
done
as "$@"
`;

/** Puts programs in the place of systemd's, which cannot run in a folder. */
export async function standInForSystemd({ folder, write }: Machine): Promise<void> {
  for (const [name, text] of Object.entries({ systemctl: SYSTEMCTL, "systemd-run": SYSTEMD_RUN })) {
    await write(`/usr/local/bin/${name}`, text);
    await chmod(join(folder, "/usr/local/bin", name), 0o755);
  }
}
