import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { OLDEST_BROWSERS } from "./browsers.mjs";
import { withBundler } from "./bundler.mjs";
import { filesOf } from "./manifest.mjs";
import { root } from "./root.mjs";

/** The modules that show an opened link without a network. */
const LINK = [
  "index.html",
  "queries",
  "changes",
  "rest",
  "web/layout/OfflinePage.tsx",
  "web/pages/SharedPage.tsx",
  "web/pages/memory/SharedContent.tsx",
  "web/features/sharing/link-copy.ts",
  "web/features/sharing/SharedPageEnd.tsx",
  "web/features/sharing/LinkOutbox.tsx",
  "web/lib/browser/hold-position.ts",
  "web/media/offline/OfflineMemory.tsx",
  "web/features/photos/lightbox/Lightbox.tsx",
  "web/features/comments/PhotoCommentsButton.tsx",
];
/** The modules that a signed-in person's pages need besides. */
const MEMBER = [
  "account",
  "web/layout/Header.tsx",
  "web/layout/MemberNav.tsx",
  "web/layout/BackgroundNotices.tsx",
  "web/layout/SignOutQuestion.tsx",
  "web/actions/outbox/UnsentDialog.tsx",
  "web/ui/ToastArea.tsx",
  "web/pages/MemoryPage.tsx",
];

/**
 * Builds `sw.js` in `folder/web`, with the names of the files that it stores.
 * @param {string} folder
 */
export async function buildServiceWorker(folder) {
  const web = join(folder, "web");
  const manifest = JSON.parse(await readFile(join(web, ".vite/manifest.json"), "utf8"));
  const html = await readFile(join(web, "index.html"), "utf8");
  const inPage = [...html.matchAll(/ href="\/(assets\/[^"]+)"/g)].map(([, name]) => String(name));
  const [link, all] = [LINK, [...LINK, ...MEMBER]].map((modules) => {
    const files = new Set(inPage);
    for (const module of modules) filesOf(module, manifest, files);
    return files;
  });
  const files = {
    entry: manifest["index.html"].file,
    link: [...(link ?? [])],
    member: [...(all ?? [])].filter((name) => !link?.has(name)),
  };
  const id = createHash("sha256").update(html).update(JSON.stringify(files)).digest("base64url").slice(0, 10);
  const { outputFiles } = await withBundler(({ build }) =>
    build({
      absWorkingDir: root,
      entryPoints: ["web/service-worker.ts"],
      bundle: true,
      minify: true,
      format: "iife",
      target: OLDEST_BROWSERS,
      define: { BUILD: JSON.stringify({ id, ...files }) },
      write: false,
      logLevel: "warning",
    }),
  );
  const script = outputFiles[0]?.contents ?? new Uint8Array();
  await writeFile(join(web, "sw.js"), script);
  await writeFile(join(web, "sw.js.br"), brotliCompressSync(script));
  await writeFile(join(web, "sw.js.gz"), gzipSync(script, { level: 9 }));
}
