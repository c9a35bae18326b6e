const OLDEST = { major: 20, minor: 19 };

/** Throws a plain sentence if Node is too old. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor)) return;
  throw new Error(`Skies needs Node ${OLDEST.major}.${OLDEST.minor} or newer; this is Node ${process.versions.node}.`);
}
