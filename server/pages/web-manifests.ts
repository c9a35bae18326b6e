import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyPluginAsync, FastifyReply } from "fastify";
import { z } from "zod";
import type { LinkPreview, LinkPreviews } from "./link-previews.ts";
import { HOME } from "./page-cards.ts";
import type { Language } from "./posts.ts";
import { languageOf, PageQuery, pageRoutes } from "./web-page.ts";

const SharedLink = z.object({ shareId: z.string().max(64) });

/** The light theme's paper, as in `web/lib/browser/theme.ts`. */
const PAPER = "#fbf8f2";

const TEXTS = {
  en: {
    create: "Create a memory",
    last: "Last memory",
    phone: "A memory on a phone",
    photos: "The photos of a memory",
    sharedName: "A memory",
  },
  it: {
    create: "Crea un ricordo",
    last: "Ultimo ricordo",
    phone: "Un ricordo sul telefono",
    photos: "Le foto di un ricordo",
    sharedName: "Un ricordo",
  },
} as const satisfies Record<Language, object>;

const icon = (name: string, size: number, purpose: "any" | "maskable" | "monochrome") => ({
  src: `/icons/${name}-${size}.png`,
  sizes: `${size}x${size}`,
  type: "image/png",
  purpose,
});

/** The icons that the build draws. */
const ICONS = [
  icon("icon", 192, "any"),
  icon("icon", 512, "any"),
  icon("maskable", 512, "maskable"),
  icon("monochrome", 512, "monochrome"),
];

const LOOKS = { display: "standalone", background_color: PAPER, theme_color: PAPER } as const;

/** The manifest of the app. */
export function appManifest(language: Language) {
  const texts = TEXTS[language];
  const picture = (name: string, sizes: string, form_factor: "narrow" | "wide", label: string) => ({
    src: `/pictures/${name}.${language}.light.webp`,
    sizes,
    form_factor,
    label,
    type: "image/webp",
  });
  return {
    id: "/",
    start_url: "/",
    scope: "/",
    lang: language,
    dir: "ltr",
    name: HOME[language].title,
    short_name: "Skies",
    description: HOME[language].description,
    categories: ["lifestyle", "photo"],
    ...LOOKS,
    icons: ICONS,
    shortcuts: [
      { name: texts.create, url: "/memory/new", icons: [ICONS[0]] },
      { name: texts.last, url: "/memory/last", icons: [ICONS[0]] },
    ],
    // The service worker keeps the files (`web/service-worker.ts`).
    share_target: {
      action: "/add",
      method: "POST",
      enctype: "multipart/form-data",
      params: { files: [{ name: "files", accept: ["image/*", "video/*", "audio/*", "application/pdf"] }] },
    },
    screenshots: [
      picture("phone", "520x896", "narrow", texts.phone),
      picture("photos", "1440x855", "wide", texts.photos),
    ],
  };
}

/**
 * The manifest of a link's page, which is an app of its own on the home screen. Like the link's preview, it tells name and
 * cover only as chosen for the link; all other links have the same as one that does not exist.
 */
export function linkManifest(shareId: string, preview: LinkPreview | undefined, language: Language) {
  const url = `/shared/${encodeURIComponent(shareId)}`;
  const name = preview?.name ?? TEXTS[language].sharedName;
  const cover = preview?.icon && {
    src: `/${preview.icon}`,
    sizes: "192x192",
    type: "image/png",
    purpose: "any maskable",
  };
  return {
    id: url,
    start_url: url,
    scope: url,
    lang: preview?.language ?? language,
    dir: "auto",
    name,
    short_name: name,
    ...LOOKS,
    icons: cover ? [cover] : ICONS,
  };
}

/** Serves the manifests of the app and of links' pages, and what stands on the home screen and in messengers for a link. */
export const webManifests =
  (previews: LinkPreviews, folder: string | undefined): FastifyPluginAsync =>
  async (app) => {
    const send = (reply: FastifyReply, manifest: object) =>
      reply
        .headers({ "cache-control": "no-cache", vary: "accept-language" })
        .type("application/manifest+json; charset=utf-8")
        .send(JSON.stringify(manifest));
    const picture = (reply: FastifyReply, type: string, bytes: Buffer) =>
      reply.headers({ "cache-control": "no-cache", "x-robots-tag": "noindex" }).type(type).send(bytes);
    const neutral = folder && join(folder, "icons/icon-192.png");
    const neutralIcon = async () => (neutral && existsSync(neutral) ? readFile(neutral) : undefined);
    const routes = pageRoutes(app);

    routes.get("/manifest.webmanifest", { schema: { querystring: PageQuery } }, async (request, reply) =>
      send(reply, appManifest(languageOf(request))),
    );

    // Reached only without the service worker, which keeps shared files: they cannot be kept here, and the page says so.
    await app.register(async (shared) => {
      shared.removeAllContentTypeParsers();
      shared.addContentTypeParser("*", (_request, _body, done) => done(null));
      shared.post("/add", async (_request, reply) => reply.redirect("/add?lost", 303));
    });

    const ofLink = { schema: { params: SharedLink, querystring: PageQuery } };
    routes.get("/shared/:shareId/manifest.webmanifest", ofLink, async (request, reply) => {
      const { shareId } = request.params;
      return send(reply, linkManifest(shareId, await previews.find(shareId), languageOf(request)));
    });

    // Messengers and home screens request these without a token, so the database decides by the link alone.
    routes.get("/shared/:shareId/preview.jpg", { schema: { params: SharedLink } }, async (request, reply) => {
      const preview = await previews.picture(request.params.shareId);
      return preview ? picture(reply, "image/jpeg", preview) : reply.callNotFound();
    });

    routes.get("/shared/:shareId/icon.png", { schema: { params: SharedLink } }, async (request, reply) => {
      // The page names it whatever the link's preview tells, so links that tell nothing have the app's icon.
      const bytes = (await previews.icon(request.params.shareId)) ?? (await neutralIcon());
      return bytes ? picture(reply, "image/png", bytes) : reply.callNotFound();
    });
  };
