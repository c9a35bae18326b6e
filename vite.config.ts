import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const server = process.env.SKIES_SERVER ?? "http://localhost:3000";
const serverPaths = ["/auth", "/rest", "/storage", "/realtime", "/functions", "/.netlify", "/config.json", "/health"];

export default defineConfig({
  publicDir: "web/public",
  plugins: [react(), tailwindcss(), compressed()],
  server: {
    port: Number(process.env.VITE_PORT ?? 5173),
    strictPort: true,
    proxy: Object.fromEntries(serverPaths.map((path) => [path, { target: server, ws: path === "/realtime" }])),
  },
  build: {
    outDir: "dist/web",
    target: "es2022",
    // Fonts are preloaded by address, so they must stay files.
    assetsInlineLimit: (path) => (path.endsWith(".woff2") ? false : undefined),
    manifest: true,
  },
});

/** Lays a .br and a .gz beside every text file of the build, which the server sends as they are. */
function compressed(): Plugin {
  const brotli = promisify(brotliCompress);
  const zip = promisify(gzip);
  return {
    name: "skies:compressed",
    apply: "build",
    enforce: "post",
    async generateBundle(_options, bundle) {
      const texts = Object.values(bundle).filter((file) => /\.(js|css|html|svg|json|txt)$/.test(file.fileName));
      await Promise.all(
        texts.map(async (file) => {
          const source = Buffer.from(file.type === "chunk" ? file.code : file.source);
          if (source.length < 1024) return;
          const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
          this.emitFile({ type: "asset", fileName: `${file.fileName}.br`, source: await brotli(source, quality) });
          this.emitFile({ type: "asset", fileName: `${file.fileName}.gz`, source: await zip(source, { level: 9 }) });
        }),
      );
    },
  };
}
