const OLDEST = [20, 19];

/** Ends the process with a plain sentence when Node is too old for what follows. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  console.error(`Skies needs Node ${OLDEST.join(".")} or newer; this is Node ${process.versions.node}.`);
  process.exit(1);
}
