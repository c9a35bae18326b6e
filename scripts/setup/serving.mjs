/**
 * Resolves when the server at `address` answers at `path`; rejects if its process ends first.
 * @param {string} address
 * @param {import("node:child_process").ChildProcess} server
 * @param {string} path
 */
export async function serving(address, server, path = "/health") {
  while (server.exitCode === null && server.signalCode === null) {
    const answered = await fetch(`${address}${path}`).then(
      (reply) => reply.ok,
      () => false,
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The server ended with ${server.exitCode ?? server.signalCode} before it answered.`);
}
