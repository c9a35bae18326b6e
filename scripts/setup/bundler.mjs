/** How many pieces of work use esbuild now. */
let users = 0;

/**
 * Resolves to the result of `work` with esbuild. Its helper process, which all share, ends with the last of them: it would
 * run as long as the server otherwise, and work that it leaves would wait for ever.
 * @template Result
 * @param {(esbuild: typeof import("esbuild")) => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function withBundler(work) {
  users += 1;
  const esbuild = await import("esbuild");
  try {
    return await work(esbuild);
  } finally {
    users -= 1;
    if (users === 0) await esbuild.stop();
  }
}
